import { useQuery } from '@tanstack/react-query';
import type { DeansList } from '../../contract/grading/reports.ts';
import { Panel } from '../insights/panel.tsx';
import { formatCount, formatGradePoints, formatStudentCount } from '../lib/format.ts';
import type { Column } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { ReportFiles } from './report-files.tsx';
import { ReportSkeleton, ReportTable, STUDENT_COLUMNS } from './report-table.tsx';
import { deansListQuery } from './reports-queries.ts';
import { type ChosenClass, className, useReportsSearchParams } from './search-params.ts';

type CheckedStudent = DeansList['students'][number];

const condition = (isMet: boolean) => (isMet ? 'Yes' : <Tag tone="warn">No</Tag>);

const columns = (least: number): readonly Column<CheckedStudent>[] => [
  ...STUDENT_COLUMNS,
  { head: 'SGPA', isNumber: true, cell: ({ sgpa }) => formatGradePoints(sgpa) },
  { head: `SGPA from ${formatGradePoints(least)}`, cell: ({ has_sgpa }) => condition(has_sgpa) },
  { head: 'All graded', cell: ({ is_complete }) => condition(is_complete) },
  { head: 'No F', cell: ({ has_no_fails }) => condition(has_no_fails) },
  { head: 'On the list', cell: ({ is_listed }) => (is_listed ? <Tag tone="ok">Yes</Tag> : 'No') },
];

/** The students on the dean's list, with a column for each condition. */
export function DeansListReport({ chosen }: { chosen: ChosenClass }) {
  const { address } = useReportsSearchParams();
  return (
    <Panel
      title={`Dean’s list of ${className(chosen)}`}
      text="The SGPA limit is that of the policy of the batch; every subject must have a grade and credit hours, and none an F. Each condition has a column, so that it shows why somebody is not on the list."
      controls={<ReportFiles report="deans-list" chosen={chosen} />}
      query={useQuery(deansListQuery(chosen, address.semester))}
      skeleton={<ReportSkeleton />}
      none="No results have been recorded for this semester."
      isNone={({ students }) => students.length === 0}
    >
      {({ semester, listed, students, least_sgpa }) => (
        <div className="grid gap-6">
          <p role="status" className="text-fg-2">
            Semester {semester}: {formatCount(listed)} of {formatStudentCount(students.length)} on the list.
          </p>
          <ReportTable label="Dean’s list" columns={columns(least_sgpa)} rows={students} />
        </div>
      )}
    </Panel>
  );
}
