import type { ReactNode } from 'react';

/** A bar where a text will stand; `width` in pixels is that of the text. */
export function Skeleton({ width }: { width: number }) {
  return <span className="skeleton max-w-full" style={{ width }} aria-hidden="true" />;
}

type Tone = 'neutral' | 'ok' | 'warn' | 'danger';

const TONE: Record<Tone, string> = {
  neutral: 'bg-press text-fg-2',
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-danger-soft text-danger-text',
};

export function Tag({
  tone = 'neutral',
  icon,
  children,
}: {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <span
      className={`inline-flex min-h-5 items-center gap-1.25 rounded-chip px-1.75 font-[540] text-caption [&_svg]:size-3 ${TONE[tone]}`}
    >
      {icon}
      {children}
    </span>
  );
}

/** A key of the keyboard. */
export function Key({ tone = 'neutral', children }: { tone?: 'neutral' | 'inverted'; children: string }) {
  const look = tone === 'neutral' ? 'border-line-2 bg-paper text-fg-3' : 'border-paper/40';
  return (
    <kbd
      className={`inline-block min-w-4.5 rounded-chip border px-1 text-center font-medium font-sans text-micro leading-4 ${look}`}
    >
      {children}
    </kbd>
  );
}

/** The letter of a grade; only F stands out. */
export function GradeBox({ letter }: { letter: string }) {
  const look = letter === 'F' ? 'border-danger-line bg-danger-soft text-danger-text' : 'border-line-2';
  return (
    <span
      className={`inline-grid min-h-7 min-w-8.5 place-items-center rounded-chip border px-1.75 font-[640] text-section ${look}`}
    >
      <span className="sr-only">Grade </span>
      {letter}
    </span>
  );
}
