import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { IconButton } from '../ui/button.tsx';
import { Key } from '../ui/small-parts.tsx';
import { focusMain } from './focus-main.ts';

const DURATION = 5000;
/** Leads to the button of a message, which stands after everything else on the page. */
const ACTION_KEY = 'F8';

/** What can still be done about the thing that is told. */
export interface FlashAction {
  label: string;
  run: () => void;
}

interface Message {
  id: number;
  text: string;
  tone: 'done' | 'warning';
  action: FlashAction | undefined;
}

let current: Message | null = null;
let lastId = 0;
const listeners = new Set<() => void>();

function show(message: Message | null): void {
  current = message;
  for (const listener of listeners) listener();
}

/** Tells something in one line at the bottom, for five seconds. A new one takes the place of the old. */
export function flash(text: string, tone: Message['tone'] = 'done', action?: FlashAction): void {
  lastId += 1;
  show({ id: lastId, text, tone, action });
}

function useMessage(): Message | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

/** The place of the flash. It is there before any text, so that screen readers notice the text. */
export function FlashArea() {
  const message = useMessage();
  return <div role="status">{message && <Flash key={message.id} message={message} />}</div>;
}

function Flash({ message }: { message: Message }) {
  const cameFrom = useRef<Element>(null);
  const { hold, release } = useCountdown(() => {
    if (current === message) show(null);
  });
  /** The pressed button goes with the message; the focus goes back to where it was. */
  const close = () => {
    show(null);
    const before = cameFrom.current;
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    else focusMain();
  };
  const Icon = message.tone === 'done' ? CircleCheck : TriangleAlert;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: being read or reached holds the message, nothing is triggered.
    <div
      className="flash flex min-h-11 items-center gap-2.5 overflow-hidden rounded-panel bg-fg py-1.25 ps-3.5 pe-1.5 font-[520] text-paper shadow-3"
      onPointerEnter={() => hold('pointer')}
      onPointerLeave={() => release('pointer')}
      onFocus={({ relatedTarget, currentTarget }) => {
        hold('focus');
        if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget;
      }}
      onBlur={() => release('focus')}
    >
      <Icon className="size-4 shrink-0" strokeWidth={1.75} aria-hidden="true" />
      <span className="min-w-0 wrap-break-word">{message.text}</span>
      {message.action && <ActionButton action={message.action} onPress={close} />}
      <IconButton
        label="Close message"
        onClick={close}
        className="text-inherit opacity-80 hover:bg-paper/16 hover:text-inherit hover:opacity-100 focus-visible:opacity-100 focus-visible:outline-current"
      >
        <X strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
    </div>
  );
}

function ActionButton({ action, onPress }: { action: FlashAction; onPress: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const focusOnKey = (event: KeyboardEvent) => {
      if (event.key !== ACTION_KEY) return;
      event.preventDefault();
      button.current?.focus();
    };
    document.addEventListener('keydown', focusOnKey);
    return () => document.removeEventListener('keydown', focusOnKey);
  }, []);
  const press = () => {
    onPress();
    action.run();
  };
  return (
    <button
      ref={button}
      type="button"
      aria-keyshortcuts={ACTION_KEY}
      onClick={press}
      className="ms-1 inline-flex min-h-8 shrink-0 items-center gap-2 rounded-control border border-paper/40 px-2.5 font-[560] text-label hover:bg-paper/16 focus-visible:outline-current pointer-coarse:min-h-10"
    >
      {action.label}
      {/* The attribute tells it to assistive technology already. */}
      <span aria-hidden="true" className="pointer-coarse:hidden">
        <Key tone="inverted">{ACTION_KEY}</Key>
      </span>
    </button>
  );
}

type Holder = 'pointer' | 'focus';

/** Runs `onEnd` after {@link DURATION}; the time during which pointer or focus holds it does not count. */
function useCountdown(onEnd: () => void) {
  const end = useRef(onEnd);
  const left = useRef(DURATION);
  const startedAt = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const holders = useRef(new Set<Holder>());
  end.current = onEnd;

  const stop = useCallback(() => {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    left.current -= performance.now() - startedAt.current;
  }, []);
  const start = useCallback(() => {
    if (timer.current !== undefined || holders.current.size > 0) return;
    startedAt.current = performance.now();
    timer.current = setTimeout(() => end.current(), left.current);
  }, []);
  useEffect(() => {
    start();
    return stop;
  }, [start, stop]);

  const hold = (holder: Holder) => {
    holders.current.add(holder);
    stop();
  };
  const release = (holder: Holder) => {
    holders.current.delete(holder);
    start();
  };
  return { hold, release };
}
