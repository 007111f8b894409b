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
