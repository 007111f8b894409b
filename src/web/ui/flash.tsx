import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { focusMain } from '../lib/navigation/navigation.ts';
import { createNotifier } from '../lib/notifier.ts';
import { IconButton } from './button.tsx';
import { Kbd } from './kbd.tsx';

const DURATION_MS = 5000;
/** Moves the focus to the message's button, which is last in the document. */
const ACTION_KEY = 'F8';

/** A button in the message, e.g. to undo. */
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
const notifier = createNotifier();

function show(message: Message | null): void {
  current = message;
  notifier.notify();
}

/** Shows a message at the bottom for five seconds. It replaces the previous one. */
export function flash(text: string, tone: Message['tone'] = 'done', action?: FlashAction): void {
  lastId += 1;
  show({ id: lastId, text, tone, action });
}

/** The live region of the flash message. Rendered before any message, so that screen readers announce it. */
export function FlashArea() {
  const message = useSyncExternalStore(notifier.subscribe, () => current);
  return <div role="status">{message && <Flash key={message.id} message={message} />}</div>;
}

function Flash({ message }: { message: Message }) {
  const previousFocus = useRef<Element>(null);
  const { pause, resume } = useCountdown(() => {
    if (current === message) show(null);
  });
  /** The pressed button disappears with the message, so the focus is moved back. */
  const close = () => {
    show(null);
    const before = previousFocus.current;
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    else focusMain();
  };
  const Icon = message.tone === 'done' ? CircleCheck : TriangleAlert;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hover and focus only pause the timer.
    <div
      data-keeps-focus
      className="flash flex min-h-11 items-center gap-2.5 overflow-hidden rounded-panel bg-fg py-1.25 ps-3.5 pe-1.5 font-[520] text-paper shadow-3"
      onPointerEnter={() => pause('pointer')}
      onPointerLeave={() => resume('pointer')}
      onFocus={({ relatedTarget, currentTarget }) => {
        pause('focus');
        if (!currentTarget.contains(relatedTarget)) previousFocus.current = relatedTarget;
      }}
      onBlur={() => resume('focus')}
    >
      <Icon className="size-4 shrink-0" />
      <span className="min-w-0 wrap-break-word">{message.text}</span>
      {message.action && <ActionButton action={message.action} onPress={close} />}
      <IconButton
        label="Close message"
        onClick={close}
        className="text-inherit opacity-80 hover:bg-paper/16 hover:text-inherit hover:opacity-100 focus-visible:opacity-100 focus-visible:outline-current"
      >
        <X />
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
      {/* `aria-keyshortcuts` already exposes it to assistive technology. */}
      <span aria-hidden="true" className="pointer-coarse:hidden">
        <Kbd tone="inverted">{ACTION_KEY}</Kbd>
      </span>
    </button>
  );
}

type PauseReason = 'pointer' | 'focus';

/** Runs `onEnd` after {@link DURATION_MS}, not counting the time while hover or focus pauses it. */
function useCountdown(onEnd: () => void) {
  const end = useRef(onEnd);
  const left = useRef(DURATION_MS);
  const startedAt = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pauseReasons = useRef(new Set<PauseReason>());
  end.current = onEnd;

  const stop = useCallback(() => {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    left.current -= performance.now() - startedAt.current;
  }, []);
  const start = useCallback(() => {
    if (timer.current !== undefined || pauseReasons.current.size > 0) return;
    startedAt.current = performance.now();
    timer.current = setTimeout(() => end.current(), left.current);
  }, []);
  useEffect(() => {
    start();
    return stop;
  }, [start, stop]);

  const pause = (reason: PauseReason) => {
    pauseReasons.current.add(reason);
    stop();
  };
  const resume = (reason: PauseReason) => {
    pauseReasons.current.delete(reason);
    start();
  };
  return { pause, resume };
}
