import type { ReactNode } from 'react';
import { type Column, Table, TableContainer } from '../ui/table.tsx';

interface FigureRow {
  name: string;
  figures: readonly ReactNode[];
}

interface FigureTableProps {
  caption: string;
  /** Headers of the first column (row names) and of the columns with figures. */
  heads: readonly [string, ...string[]];
  rows: readonly FigureRow[];
}

/** The values of a chart as a table. */
export function FigureTable({ caption, heads, rows }: FigureTableProps) {
  const [first, ...others] = heads;
  const columns: Column<FigureRow>[] = [
    { head: first, isRowHead: true, className: 'strong', cell: ({ name }) => name },
    ...others.map(
      (head, i): Column<FigureRow> => ({ head, isNumber: true, cell: ({ figures }) => figures[i] }),
    ),
  ];
  return (
    <TableContainer className="overflow-x-auto">
      <Table label={caption} isCompact columns={columns} rows={rows} rowKey={({ name }) => name} />
    </TableContainer>
  );
}
