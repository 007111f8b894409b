import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { IconButton } from '../ui/button.tsx';

const DURATION = 5000;

interface Message {
  id: number;
  text: string;
  tone: 'done' | 'warning';
}

let current: Message | null = null;
let lastId = 0;
const listeners = new Set<() => void>();

function show(message: Message | null): void {
  current = message;
  for (const listener of listeners) listener();
}

/** Tells something in one line at the bottom, for five seconds. A new one takes the place of the old. */
export function flash(text: string, tone: Message['tone'] = 'done'): void {
  lastId += 1;
  show({ id: lastId, text, tone });
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
  const { hold, release } = useCountdown(() => {
    if (current === message) show(null);
  });
  const Icon = message.tone === 'done' ? CircleCheck : TriangleAlert;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: being read or reached holds the message, nothing is triggered.
    <div
      className="flash flex min-h-11 items-center gap-2.5 overflow-hidden rounded-panel bg-fg py-1.25 ps-3.5 pe-1.5 font-[520] text-paper shadow-3"
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <Icon className="size-4 shrink-0" strokeWidth={1.75} aria-hidden="true" />
      <span className="min-w-0 wrap-break-word">{message.text}</span>
      <IconButton
        label="Close message"
        onClick={() => show(null)}
        className="text-inherit opacity-80 hover:bg-paper/16 hover:text-inherit hover:opacity-100"
      >
        <X strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
    </div>
  );
}

/** Runs `onEnd` after {@link DURATION}; the time during which it is held does not count. */
function useCountdown(onEnd: () => void) {
  const end = useRef(onEnd);
  const left = useRef(DURATION);
  const startedAt = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  end.current = onEnd;

  const hold = useCallback(() => {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    left.current -= performance.now() - startedAt.current;
  }, []);
  const release = useCallback(() => {
    if (timer.current !== undefined) return;
    startedAt.current = performance.now();
    timer.current = setTimeout(() => end.current(), left.current);
  }, []);
  useEffect(() => {
    release();
    return hold;
  }, [hold, release]);
  return { hold, release };
}
