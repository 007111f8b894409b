/** A key of the keyboard, drawn as a key cap. */
export function Kbd({ tone = 'neutral', children }: { tone?: 'neutral' | 'inverted'; children: string }) {
  const look = tone === 'neutral' ? 'border-line-2 bg-paper text-fg-3' : 'border-paper/40';
  return (
    <kbd
      className={`inline-block min-w-4.5 rounded-chip border px-1 text-center font-medium font-sans text-micro leading-4 ${look}`}
    >
      {children}
    </kbd>
  );
}
