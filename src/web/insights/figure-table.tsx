import type { ReactNode } from 'react';
import { TableContainer } from '../ui/table.tsx';

interface FigureTableProps {
  caption: string;
  /** Headers of the first column (row names) and of the columns with figures. */
  heads: readonly [string, ...string[]];
  rows: readonly { name: string; figures: readonly ReactNode[] }[];
}

/** The values of a chart as a table. */
export function FigureTable({ caption, heads, rows }: FigureTableProps) {
  const [first, ...others] = heads;
  return (
    <TableContainer className="overflow-x-auto">
      <table className="tbl tbl-compact">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {others.map((head) => (
              <th key={head} scope="col" className="num">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, figures }) => (
            <tr key={name}>
              <th scope="row" className="strong">
                {name}
              </th>
              {figures.map((figure, i) => (
                <td key={others[i]} className="num">
                  {figure}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableContainer>
  );
}
