import { TableContainer } from './table.tsx';

/** The placeholder of a text that is loading; `width` in pixels. */
export function Skeleton({ width }: { width: number }) {
  return <span className="skeleton max-w-full" style={{ width }} aria-hidden="true" />;
}

const ROW_WIDTHS = [150, 190, 120, 165, 140];

/** The placeholder of a table that is loading. */
export function TableSkeleton() {
  return (
    <TableContainer>
      <div className="grid gap-7 p-5" aria-hidden="true">
        {ROW_WIDTHS.map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
    </TableContainer>
  );
}
