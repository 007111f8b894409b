import { type RouterHistory, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

interface OpenDialog {
  close: () => void;
  isLocked: () => boolean;
}

/**
 * The browser's Back closes the dialog on top instead of leaving the page, with one entry in the browser's history for each
 * open dialog. The router does not know of these entries: they repeat the page's own, and what leads from one to another
 * does not reach it. A dialog that closes in another way takes its entry back, as does a link in it, so that Back never
 * leads to a dialog that is gone.
 */
const dialogs: OpenDialog[] = [];

/** In the state of a dialog's entry: how many dialogs are open there. */
const DEPTH = 'dialogs';
/** The router's name of an entry in its state. */
const KEY = '__TSR_key';

let routerHistory: RouterHistory | undefined;
/** Entries are being taken back, which the browser does only after the present task. */
let isTakingBack = false;
const whenTakenBack: (() => void)[] = [];
let unblock: (() => void) | undefined;

function readState(state: unknown, name: string): unknown {
  return typeof state === 'object' && state !== null ? Reflect.get(state, name) : undefined;
}

const entryDepth = () => Number(readState(window.history.state, DEPTH) ?? 0);

/** Adds or takes back entries until there are as many as open dialogs. */
function matchEntries(): void {
  if (isTakingBack) return;
  const depth = entryDepth();
  for (let next = depth + 1; next <= dialogs.length; next += 1) {
    // Past the router, which listens to the `pushState` of this object.
    History.prototype.pushState.call(window.history, { ...window.history.state, [DEPTH]: next }, '');
  }
  if (depth > dialogs.length) {
    isTakingBack = true;
    window.history.go(dialogs.length - depth);
  }
  if (dialogs.length > 0 || isTakingBack) unblock ??= routerHistory?.block(TAKE_BACK_FIRST);
  else {
    unblock?.();
    unblock = undefined;
  }
}

/** A link in a dialog leads on from the page's own entry. */
const TAKE_BACK_FIRST: Parameters<RouterHistory['block']>[0] = {
  enableBeforeUnload: false,
  blockerFn: async ({ action }) => {
    if (action !== 'PUSH' && action !== 'REPLACE') return false;
    dialogs.length = 0;
    matchEntries();
    if (isTakingBack) await new Promise<void>((resolve) => whenTakenBack.push(resolve));
    return false;
  },
};

function onPopState(event: PopStateEvent): void {
  const isOfThisPage = readState(event.state, KEY) === readState(routerHistory?.location.state, KEY);
  if (isOfThisPage) {
    event.stopImmediatePropagation();
    if (!isTakingBack) closeDownTo(entryDepth());
  } else closeDownTo(0);
  isTakingBack = false;
  // The page in an entry of a dialog that is not open: after Forward, or a reload.
  queueMicrotask(matchEntries);
  for (const resolve of whenTakenBack.splice(0)) resolve();
}

/** Closes the dialogs on top, up to one that can't be left now. */
function closeDownTo(depth: number): void {
  while (dialogs.length > depth && !dialogs.at(-1)?.isLocked()) dialogs.pop()?.close();
}

function watch(history: RouterHistory): void {
  if (routerHistory === undefined) window.addEventListener('popstate', onPopState, { capture: true });
  routerHistory = history;
  queueMicrotask(matchEntries);
}

/** Lets Back close a dialog while it is open. */
export function useCloseOnBack(isOpen: boolean, { close, isLocked }: OpenDialog): void {
  const { history } = useRouter();
  const current = useRef({ close, isLocked });
  useEffect(() => {
    current.current = { close, isLocked };
  });
  useEffect(() => watch(history), [history]);
  useEffect(() => {
    if (!isOpen) return;
    const dialog: OpenDialog = {
      close: () => current.current.close(),
      isLocked: () => current.current.isLocked(),
    };
    dialogs.push(dialog);
    // Later, since one dialog often closes as another opens.
    queueMicrotask(matchEntries);
    return () => {
      const at = dialogs.indexOf(dialog);
      if (at >= 0) dialogs.splice(at, 1);
      queueMicrotask(matchEntries);
    };
  }, [isOpen]);
}
