import type { ReactNode } from 'react';
import { TableBox } from '../ui/data-table.tsx';

interface FigureTableProps {
  caption: string;
  /** Of the first column, which names the rows, and of the others, which hold figures. */
  heads: readonly [string, ...string[]];
  rows: readonly { name: string; figures: readonly ReactNode[] }[];
}

/** The figures of a chart. */
export function FigureTable({ caption, heads, rows }: FigureTableProps) {
  const [first, ...others] = heads;
  return (
    <TableBox className="overflow-x-auto">
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
    </TableBox>
  );
}
