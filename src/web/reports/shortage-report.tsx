import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Shortage } from '../../contract/marksheets/attendance.ts';
import { ATTENDANCE_PARTS, attendanceText } from '../../domain/marksheets/attendance.ts';
import { Panel } from '../insights/panel.tsx';
import { formatCount } from '../lib/format.ts';
import { ROW_STATUS_NAMES } from '../students/student-format.ts';
import { StudentLink } from '../students/student-link.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { hasLoadError, LoadError } from '../ui/page/load-error.tsx';
import { type Column, Table, TableContainer } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { ReportFiles } from './report-files.tsx';
import { ReportSkeleton } from './report-table.tsx';
import { shortageQuery } from './reports-queries.ts';
import { type ChosenClass, className } from './search-params.ts';
import { useReportedTerm } from './use-reported-term.ts';

/** Who of a class is short of attendance on the mark sheets of a term, or was condoned. */
export function ShortageReport({ chosen }: { chosen: ChosenClass }) {
  const { query, termId, name = '' } = useReportedTerm();
  if (hasLoadError({ query })) return <LoadError query={query} />;
  if (query.data === undefined) return <ReportSkeleton />;
  if (termId === undefined) {
    return <EmptyState title="There are no terms" text="Attendance belongs to the mark sheets of a term." />;
  }
  return <TermShortage chosen={chosen} termId={termId} termName={name} />;
}

interface TermShortageProps {
  chosen: ChosenClass;
  termId: number;
  termName: string;
}

function TermShortage({ chosen, termId, termName }: TermShortageProps) {
  return (
    <Panel
      title={`Short of attendance, ${className(chosen)}, ${termName}`}
      text="Theory and lab as the policy of each mark sheet asks. A mark sheet proposes a status and sets none by itself."
      controls={<ReportFiles report="shortage" chosen={chosen} termId={termId} />}
      query={useQuery(shortageQuery(chosen, termId))}
      skeleton={<ReportSkeleton />}
      none="Nobody of this class is short of attendance in this term."
      isNone={(rows) => rows.length === 0}
    >
      {(rows) => <ShortageTable rows={rows} />}
    </Panel>
  );
}

type ShortRow = Shortage[number];

function ShortageTable({ rows }: { rows: readonly ShortRow[] }) {
  const byCourse = rows.toSorted(
    (a, b) => a.course_code.localeCompare(b.course_code, 'en') || a.sheet_id - b.sheet_id,
  );
  return (
    <TableContainer className="overflow-x-auto">
      <Table
        label="Short of attendance"
        columns={COLUMNS}
        rows={byCourse}
        rowKey={({ sheet_id, student_id }) => `${sheet_id} ${student_id}`}
        group={{ key: ({ sheet_id }) => sheet_id, head: (own) => <SheetHead rows={own} /> }}
        isCompact
      />
    </TableContainer>
  );
}

/** A mark sheet with how many are short and how many were condoned. */
function SheetHead({ rows }: { rows: readonly ShortRow[] }) {
  const [first] = rows;
  if (first === undefined) return null;
  const condoned = rows.filter((row) => row.condoned !== null).length;
  const counts = [
    `${formatCount(rows.length - condoned)} short`,
    ...(condoned === 0 ? [] : [`${formatCount(condoned)} condoned`]),
  ];
  return (
    <span className="wrap-anywhere">
      <Link
        to="/marksheets/$sheetId/class"
        params={{ sheetId: String(first.sheet_id) }}
        className="link link-quiet"
      >
        {`${first.course_code} ${first.title}`}
      </Link>
      <span className="ms-3 font-normal text-fg-2">{counts.join(', ')}</span>
    </span>
  );
}

const partColumn = (name: (typeof ATTENDANCE_PARTS)[number], head: string): Column<ShortRow> => ({
  head,
  className: 'whitespace-nowrap',
  cell: (row) => {
    const figure = row[name];
    return figure === null ? <span className="text-fg-3">--</span> : attendanceText(figure);
  },
});

const COLUMNS: readonly Column<ShortRow>[] = [
  {
    head: 'Name',
    isRowHead: true,
    className: 'strong wrap-anywhere min-w-36',
    cell: (row) => (
      <StudentLink id={row.student_id} student={row} lineClass="sm:hidden">
        {row.student_id}, {row.syn ?? '--'}
      </StudentLink>
    ),
  },
  { head: 'CMS ID', columnClass: 'max-sm:hidden', cell: ({ student_id }) => student_id },
  { head: 'Syndicate', columnClass: 'max-sm:hidden', cell: ({ syn }) => syn ?? '--' },
  partColumn('theory', 'Theory'),
  partColumn('lab', 'Lab'),
  {
    head: 'Why',
    className: 'wrap-anywhere min-w-48',
    cell: (row) => (
      <>
        {row.status !== 'graded' && (
          <span className="me-2">
            <Tag tone="warn">{ROW_STATUS_NAMES[row.status]}</Tag>
          </span>
        )}
        {row.condoned === null
          ? whyText(row)
          : `Condoned by ${row.condoned.by.name}: “${row.condoned.reason}”`}
      </>
    ),
  },
];

/** Which counts would reach the minimum. */
function whyText(row: ShortRow): string {
  const texts = ATTENDANCE_PARTS.flatMap((name) => {
    const [figure, needed] = [row[name], row.needed[name]];
    const isBelow = needed !== null && figure?.attended != null && figure.attended < needed;
    return isBelow ? `${name} ${formatCount(needed)} of ${formatCount(figure.held ?? 0)}` : [];
  });
  if (texts.length === 0) return 'Below the minimum';
  const text = texts.join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} are needed`;
}
