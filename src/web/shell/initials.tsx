/** The initials of the first and last name, in a square. */
export function Initials({ name, className = 'size-6 text-micro' }: { name: string; className?: string }) {
  const words = name.trim().split(/\s+/u);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')][0] ?? '',
  );
  return (
    <span
      aria-hidden="true"
      className={`grid shrink-0 place-items-center rounded-chip bg-ink-soft font-[650] text-ink-text tracking-[.02em] ${className}`}
    >
      {letters.join('').toUpperCase()}
    </span>
  );
}
