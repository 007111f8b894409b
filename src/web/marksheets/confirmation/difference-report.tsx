import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Difference } from '../../../contract/marksheets/confirmation.ts';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import { STANDING_LABELS } from '../../../domain/student.ts';
import { formatGradePoints, plural } from '../../lib/format.ts';
import { StudentLink } from '../../students/student-link.tsx';
import { Button } from '../../ui/button.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { differenceQuery } from './confirmation-queries.ts';

/** The changes of a rectification, before and after it is confirmed. */
export function DifferenceReport({ sheet }: { sheet: Sheet }) {
  const query = useQuery(differenceQuery(sheet.sheet_id, sheet.version));
  const rows = query.data;
  return (
    <section aria-labelledby="sheet-difference" className="mt-8">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="sheet-difference">{sheet.state === 'confirmed' ? 'What changed' : 'What changes'}</h2>
        {rows !== undefined && rows.length > 0 && (
          <Button size="sm" onClick={() => window.print()}>
            <Printer />
            Print
          </Button>
        )}
      </div>
      <LoadError query={query} />
      {rows === undefined ? (
        query.isFetching && <Skeleton width={320} />
      ) : rows.length === 0 ? (
        <p className="text-fg-2">No row differs from the sheet that this one rectifies.</p>
      ) : (
        <>
          <p className="mb-2 text-fg-2">{summaryText(rows)}</p>
          <DifferenceTable sheet={sheet} rows={rows} />
        </>
      )}
    </section>
  );
}

function summaryText(rows: Difference): string {
  const letters = rows.filter((row) => row.letter_before !== row.letter_after).length;
  const cgpas = rows.filter((row) => row.cgpa_before !== row.cgpa_after || row.later.length > 0).length;
  return `${plural(rows.length, 'row')}, ${plural(letters, 'grade')} and the CGPA of ${plural(cgpas, 'student')}.`;
}

type DifferingRow = Difference[number];

function DifferenceTable({ sheet, rows }: { sheet: Sheet; rows: Difference }) {
  const columns: readonly Column<DifferingRow>[] = [
    {
      head: 'Student',
      isRowHead: true,
      className: 'wrap-anywhere strong min-w-36',
      cell: (row) => (
        <StudentLink id={row.student_id} student={row}>
          {row.student_id}
        </StudentLink>
      ),
    },
    {
      head: 'Total',
      isNumber: true,
      cell: (row) => <Change before={row.total_before?.toFixed(2)} after={row.total_after?.toFixed(2)} />,
    },
    { head: 'Grade', cell: (row) => <Change before={row.letter_before} after={row.letter_after} /> },
    {
      head: `SGPA ${sheet.semester}`,
      isNumber: true,
      cell: (row) => <Change before={points(row.sgpa_before)} after={points(row.sgpa_after)} />,
    },
    {
      head: 'CGPA',
      isNumber: true,
      cell: (row) => <Change before={points(row.cgpa_before)} after={points(row.cgpa_after)} />,
    },
    {
      head: 'Standing',
      cell: (row) => <Change before={standing(row.standing_before)} after={standing(row.standing_after)} />,
    },
    { head: 'Later CGPA', cell: (row) => <LaterAverages row={row} /> },
  ];
  return (
    <section
      aria-label="Differences"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that it can be scrolled by keyboard.
      tabIndex={0}
      className="tbl-box overflow-x-auto"
    >
      <Table
        isCompact
        label="Rows that the rectification changes"
        columns={columns}
        rows={rows}
        rowKey={({ student_id }) => student_id}
      />
      {rows.some((row) => row.standing_before !== row.standing_after) && (
        <p className="border-line border-t px-3.5 py-2.5 text-fg-3 text-label">
          Standings are by the figures of today. The record keeps the one that was notified and shows both.
        </p>
      )}
    </section>
  );
}

function LaterAverages({ row: { later } }: { row: DifferingRow }) {
  if (later.length === 0) return <span className="text-fg-3">--</span>;
  return (
    <ul>
      {later.map(({ semester, cgpa_before, cgpa_after }) => (
        <li key={semester} className="whitespace-nowrap">
          {`Semester ${semester}: `}
          <Change before={points(cgpa_before)} after={points(cgpa_after)} />
        </li>
      ))}
    </ul>
  );
}

const points = (value: number | null) => (value === null ? null : formatGradePoints(value));
const standing = (value: DifferingRow['standing_before']) => (value === null ? null : STANDING_LABELS[value]);

interface ChangeProps {
  before: string | null | undefined;
  after: string | null | undefined;
}

/** The old value struck through and the new one; one value where nothing changes. */
function Change({ before, after }: ChangeProps): ReactNode {
  const [was, now] = [before ?? '--', after ?? '--'];
  if (was === now) return <span className="text-fg-3">{now}</span>;
  return (
    <span className="whitespace-nowrap">
      <del className="text-fg-3">
        <span className="sr-only">was </span>
        {was}
      </del>
      <span aria-hidden="true"> → </span>
      <ins className="font-[560] text-fg no-underline">
        <span className="sr-only">, now </span>
        {now}
      </ins>
    </span>
  );
}
