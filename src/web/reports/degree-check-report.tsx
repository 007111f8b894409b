import { useQuery } from '@tanstack/react-query';
import type { DegreeChecks } from '../../contract/grading/reports.ts';
import { DEGREE_RULE_TITLES, DEGREE_RULES, type DegreeLine } from '../../domain/grading/degree.ts';
import { Panel } from '../insights/panel.tsx';
import { formatCount, formatStudentCount } from '../lib/format.ts';
import type { Column } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { ReportFiles } from './report-files.tsx';
import { ReportSkeleton, ReportTable, STUDENT_COLUMNS } from './report-table.tsx';
import { degreeChecksQuery } from './reports-queries.ts';
import { type ChosenClass, className } from './search-params.ts';

type CheckedStudent = DegreeChecks['students'][number];

function Result({ passed, lines }: Pick<CheckedStudent, 'passed' | 'lines'>) {
  if (passed === null) return <Tag tone="warn">Unknown</Tag>;
  // Who has a semester to come has not failed the degree.
  if (lines.some(({ rule, state }) => rule === 'semesters' && state === 'fail')) return <Tag>Not yet</Tag>;
  return passed ? <Tag tone="ok">Passed</Tag> : <Tag tone="danger">Failed</Tag>;
}

/** A condition; what is missing for it stands below. */
function Condition({ line }: { line: DegreeLine | undefined }) {
  if (line === undefined || line.state === 'pass') return 'Yes';
  return (
    <>
      {line.state === 'fail' ? <Tag tone="danger">No</Tag> : <Tag tone="warn">Unknown</Tag>}
      <span className="mt-1 block min-w-40 text-caption text-fg-3">{line.text}</span>
    </>
  );
}

const COLUMNS: readonly Column<CheckedStudent>[] = [
  ...STUDENT_COLUMNS,
  { head: 'Result', cell: (student) => <Result {...student} /> },
  ...DEGREE_RULES.map(
    (rule): Column<CheckedStudent> => ({
      head: DEGREE_RULE_TITLES[rule],
      cell: ({ lines }) => <Condition line={lines.find((one) => one.rule === rule)} />,
    }),
  ),
];

/** Whether the students in the last semester fulfil the conditions of the degree. */
export function DegreeCheckReport({ chosen }: { chosen: ChosenClass }) {
  return (
    <Panel
      title={`Degree check of ${className(chosen)}`}
      text="Students in the last semester, by the policy of the batch. A condition is unknown where the record does not say."
      controls={<ReportFiles report="degree-check" chosen={chosen} />}
      query={useQuery(degreeChecksQuery(chosen))}
      skeleton={<ReportSkeleton />}
      none="No student of this class is in the last semester."
      isNone={({ students }) => students.length === 0}
    >
      {({ passed, students }) => (
        <div className="grid gap-6">
          <p role="status" className="text-fg-2">
            {formatCount(passed)} of {formatStudentCount(students.length)} passed.
          </p>
          <ReportTable label="Degree check" columns={COLUMNS} rows={students} />
        </div>
      )}
    </Panel>
  );
}
