/** The placeholder of a text that is loading; `width` in pixels. */
export function Skeleton({ width }: { width: number }) {
  return <span className="skeleton max-w-full" style={{ width }} aria-hidden="true" />;
}
