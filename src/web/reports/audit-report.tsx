import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AuditReport as AuditReportReply } from '../../contract/grading/reports.ts';
import { Panel } from '../insights/panel.tsx';
import { formatCount, formatStudentCount } from '../lib/format.ts';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { type Column, Table, TableContainer } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { ReportFiles } from './report-files.tsx';
import { ReportSkeleton, ReportTable, STUDENT_COLUMNS } from './report-table.tsx';
import { auditReportQuery } from './reports-queries.ts';
import {
  AUDIT_GROUPS,
  type AuditGroup,
  type AuditState,
  type ChosenClass,
  className,
  parseReportsSearchParams,
  useReportsSearchParams,
} from './search-params.ts';

type AuditedStudent = AuditReportReply['students'][number];
type AuditedRow = AuditReportReply['rows'][number];

const GROUPS: Readonly<
  Record<
    AuditGroup,
    { name: string; has: (student: Pick<AuditedStudent, 'lacking' | 'in_progress'>) => boolean }
  >
> = {
  all: { name: 'All', has: () => true },
  complete: { name: 'Complete', has: ({ lacking }) => lacking.length === 0 },
  'in-progress': {
    name: 'Only in progress',
    has: ({ lacking, in_progress }) => lacking.length > 0 && lacking.length === in_progress.length,
  },
  lacking: {
    name: 'Lack more',
    has: ({ lacking, in_progress }) => lacking.length > in_progress.length,
  },
};

const STATE_NAMES: Readonly<Record<AuditState, string>> = {
  passed: 'passed, substituted or waived',
  'in-progress': 'in progress',
  failed: 'failed',
  open: 'open',
};

/** Whether a student has come so far with a row. */
function isAt({ id, lacking, in_progress }: AuditedStudent, row: AuditedRow, state: AuditState): boolean {
  if (!lacking.includes(row.key)) return state === 'passed';
  if (in_progress.includes(row.key)) return state === 'in-progress';
  return state === (row.failing.includes(id) ? 'failed' : 'open');
}

const VIEWS = [
  { value: 'students', label: 'By student' },
  { value: 'rows', label: 'By row' },
] as const;

/** Which rows of the scheme the students of a class lack. */
export function AuditReport({ chosen }: { chosen: ChosenClass }) {
  return (
    <Panel
      title={`Audit of ${className(chosen)}`}
      text="By the scheme in force for the class. Rows whose course is on a mark sheet that is not confirmed are in progress, and still lacking."
      controls={<ReportFiles report="audit" chosen={chosen} />}
      query={useQuery(auditReportQuery(chosen))}
      skeleton={<ReportSkeleton />}
      none="No scheme of studies is in force for this class, or it has no students."
      isNone={({ scheme_id, students }) => scheme_id === null || students.length === 0}
    >
      {(report) => <Audited report={report} />}
    </Panel>
  );
}

function Audited({ report }: { report: AuditReportReply }) {
  const { address, change } = useReportsSearchParams();
  const { audit = 'all', view = 'students', state } = address;
  const { scheme_id, of, complete, students, rows } = report;
  const row = state && rows.find(({ key }) => key === address.row);
  const listed = students.filter((student) =>
    row === undefined || state === undefined ? GROUPS[audit].has(student) : isAt(student, row, state),
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <p role="status" className="text-fg-2">
        {formatCount(complete ?? 0)} of {formatStudentCount(of)} complete, by{' '}
        <Link to="/settings/schemes/$schemeId" params={{ schemeId: String(scheme_id) }} className="link">
          their scheme
        </Link>
        .
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form; these buttons filter the students. */}
      <div
        role="group"
        aria-label="Students by what they lack"
        className="screen-only grid grid-cols-2 overflow-clip rounded-panel border border-line md:grid-cols-4"
      >
        {AUDIT_GROUPS.map((group) => (
          <button
            key={group}
            type="button"
            aria-pressed={row === undefined && audit === group}
            onClick={() => change({ audit: group === 'all' ? '' : group, view: '', row: '', state: '' })}
            className="-ms-px -mt-px border-line border-s border-t px-3.5 py-2 text-start -outline-offset-2 hover:bg-hover aria-pressed:bg-ink-soft"
          >
            <span className="block text-caption text-fg-2">{GROUPS[group].name}</span>
            <b className="block font-[620] text-[1.25rem] leading-7">
              {formatCount(students.filter((student) => GROUPS[group].has(student)).length)}
            </b>
          </button>
        ))}
      </div>
      <div>
        <SegmentedControl
          label="View"
          options={VIEWS}
          value={view}
          onChange={(to) => change({ view: to === 'students' ? '' : to, row: '', state: '' })}
        />
      </div>
      {view === 'rows' ? (
        <TableContainer className="overflow-x-auto">
          <Table
            label="Rows of the scheme"
            columns={ROW_COLUMNS}
            rows={rows}
            rowKey={({ key }) => key}
            group={{ key: ({ semester }) => semester, head: (own) => `Semester ${own[0]?.semester}` }}
            isCompact
          />
        </TableContainer>
      ) : row !== undefined && state !== undefined ? (
        <section aria-labelledby="row-heading" className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <h2 id="row-heading" className="wrap-anywhere">
            {row.key} {row.title}: {STATE_NAMES[state]}
          </h2>
          <ReportTable
            label={`${row.title}: ${STATE_NAMES[state]}`}
            columns={studentColumns(rows)}
            rows={listed}
          />
        </section>
      ) : listed.length === 0 ? (
        <p className="text-fg-2">No student of the class is in this group.</p>
      ) : (
        <ReportTable label={GROUPS[audit].name} columns={studentColumns(rows)} rows={listed} />
      )}
    </div>
  );
}

const studentColumns = (rows: readonly AuditedRow[]): readonly Column<AuditedStudent>[] => {
  const titles = new Map(rows.map(({ key, title }) => [key, title]));
  return [
    ...STUDENT_COLUMNS,
    { head: 'Lacking', isNumber: true, cell: ({ lacking }) => formatCount(lacking.length) },
    {
      head: 'Rows; those in progress are grey',
      cell: ({ lacking, in_progress }) => (
        <span className="flex min-w-40 flex-wrap gap-1 py-1">
          {lacking.map((key) => (
            <span key={key} title={titles.get(key)}>
              <Tag tone={in_progress.includes(key) ? 'neutral' : 'warn'}>
                {key}
                {in_progress.includes(key) && <span className="sr-only">, in progress</span>}
              </Tag>
            </span>
          ))}
        </span>
      ),
    },
    { head: 'Credits', isNumber: true, cell: ({ credits }) => formatCount(credits) },
  ];
};

/** The students whom a figure of a row counts. */
function RowCount({ row, state, count }: { row: AuditedRow; state: AuditState; count: number }) {
  if (count === 0) return 0;
  return (
    <Link
      to="/reports"
      search={(now) =>
        parseReportsSearchParams({ ...now, view: undefined, audit: undefined, row: row.key, state })
      }
      aria-label={`${row.title}: ${count} ${STATE_NAMES[state]}`}
      className="link link-quiet"
    >
      {formatCount(count)}
    </Link>
  );
}

const ROW_COLUMNS: readonly Column<AuditedRow>[] = [
  { head: 'Key', className: 'whitespace-nowrap', cell: ({ key }) => key },
  { head: 'Row', isRowHead: true, className: 'strong wrap-anywhere min-w-36', cell: ({ title }) => title },
  {
    head: 'Passed',
    isNumber: true,
    cell: (row) => <RowCount row={row} state="passed" count={row.passed} />,
  },
  {
    head: 'In progress',
    isNumber: true,
    cell: (row) => <RowCount row={row} state="in-progress" count={row.in_progress} />,
  },
  {
    head: 'Failed',
    isNumber: true,
    cell: (row) => <RowCount row={row} state="failed" count={row.failed} />,
  },
  { head: 'Open', isNumber: true, cell: (row) => <RowCount row={row} state="open" count={row.open} /> },
];
