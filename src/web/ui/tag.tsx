import type { ReactNode } from 'react';

type Tone = 'neutral' | 'ink' | 'ok' | 'warn' | 'danger';

const TONE: Record<Tone, string> = {
  neutral: 'bg-press text-fg-2',
  ink: 'bg-ink-soft text-ink-text',
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
      className={`inline-flex min-h-5 items-center gap-1.25 rounded-chip px-1.75 font-[540] text-caption [&_svg]:size-3 [&_svg]:stroke-2 ${TONE[tone]}`}
    >
      {icon}
      {children}
    </span>
  );
}

/** The letter of a grade; only F is highlighted. */
export function GradeBadge({ letter }: { letter: string }) {
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
