import { Skeleton } from '../ui/small-parts.tsx';

const ENTRIES = ['a', 'b', 'c', 'd', 'e'] as const;

/** A day's entries, while they are on their way. */
export function HistorySkeleton() {
  return (
    <div aria-hidden="true" className="max-w-[860px]">
      <div className="border-line border-b pb-3">
        <Skeleton width={140} />
      </div>
      {ENTRIES.map((key) => (
        <div key={key} className="grid gap-2 border-line border-b py-4">
          <Skeleton width={280} />
          <Skeleton width={120} />
          <Skeleton width={360} />
        </div>
      ))}
    </div>
  );
}
