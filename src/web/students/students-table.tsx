import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { ROW_GROUP, TABLE } from '../ui/table-roles.ts';
import type { StudentOrder } from './student-order.ts';
import type { StudentRow } from './student-row.ts';
import { StudentsColumns, StudentsTableHead } from './students-table-head.tsx';
import { StudentsTableRow } from './students-table-row.tsx';

/** Up to here every row is drawn, so that the browser's own search finds them all. */
const DRAW_ALL_UP_TO = 200;

interface StudentsTableProps {
  rows: readonly StudentRow[];
  terms: readonly string[];
  order: StudentOrder;
  onOrder: (order: StudentOrder) => void;
}

export function StudentsTable({ rows, terms, order, onOrder }: StudentsTableProps) {
  const isLong = rows.length > DRAW_ALL_UP_TO;
  return (
    <div className="tbl-box">
      <table
        {...TABLE}
        aria-label="Students"
        aria-rowcount={rows.length + 1}
        className="tbl tbl-link table-fixed max-md:block"
      >
        <StudentsColumns />
        <StudentsTableHead order={order} onOrder={onOrder} />
        {isLong ? (
          <RowsInView rows={rows} terms={terms} />
        ) : (
          <tbody {...ROW_GROUP} className="max-md:block">
            {rows.map((student, index) => (
              <StudentsTableRow key={student.id} student={student} index={index} terms={terms} />
            ))}
          </tbody>
        )}
      </table>
    </div>
  );
}

/** Draws the rows near the window only; an empty row above and below stands for the others' height. */
function RowsInView({ rows, terms }: Pick<StudentsTableProps, 'rows' | 'terms'>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (body.current) setTop(body.current.getBoundingClientRect().top + window.scrollY);
  }, []);
  // A new function would have every row measured anew, at each frame of scrolling.
  const getItemKey = useCallback((index: number) => rows[index]?.id ?? index, [rows]);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => (window.innerWidth < 768 ? 62 : 44),
    getItemKey,
    scrollMargin: top,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const above = (items[0]?.start ?? top) - top;
  const below = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top);
  return (
    <tbody ref={body} {...ROW_GROUP} className="max-md:block">
      <Gap height={above} />
      {items.map(({ key, index }) => {
        const student = rows[index];
        return student === undefined ? null : (
          <StudentsTableRow
            key={key}
            ref={virtualizer.measureElement}
            student={student}
            index={index}
            terms={terms}
          />
        );
      })}
      <Gap height={below} />
    </tbody>
  );
}

/** One cell only: a span over columns that are hidden would bring them back, empty. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden className="max-md:block" style={{ height }}>
      <td className="h-0 border-0 p-0" />
    </tr>
  );
}
