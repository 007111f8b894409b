import { binLabels } from '../../domain/statistics.ts';
import { type Column, Table, TableContainer } from '../ui/table.tsx';
import { type BinCount, toPercent, totalCount } from './axis.ts';

/** The values of a histogram as a table. */
export function BucketTable({ bins, caption }: { bins: readonly BinCount[]; caption: string }) {
  const labels = binLabels(bins.map(({ bin }) => bin));
  const all = totalCount(bins);
  const most = Math.max(...bins.map(({ count }) => count), 1);
  const columns: readonly Column<BinCount>[] = [
    { head: 'Marks', className: 'strong', cell: (row) => labels[bins.indexOf(row)] },
    { head: 'Students', isNumber: true, cell: ({ count }) => count },
    {
      head: 'Share',
      className: 'w-[48%]',
      cell: ({ count }) => (
        <>
          <span
            aria-hidden="true"
            className="me-1 inline-block h-1.5 rounded-[1px] bg-plot-1 align-middle"
            style={{ width: `${(count / most) * 58}%` }}
          />
          <span className="text-fg-3 text-label">{toPercent(count, all)}%</span>
        </>
      ),
    },
  ];
  return (
    <TableContainer>
      <Table label={caption} columns={columns} rows={bins} rowKey={({ bin }) => bin} isCompact />
    </TableContainer>
  );
}
