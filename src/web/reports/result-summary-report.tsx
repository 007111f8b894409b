import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ResultSummary } from '../../contract/grading/reports.ts';
import { isInResultGroup, RESULT_GROUPS, type ResultGroup } from '../../domain/grading/class-results.ts';
import { Histogram } from '../charts/histogram-chart.tsx';
import { Panel } from '../insights/panel.tsx';
import { formatCount, formatGradePoints, formatPercent, formatStudentCount } from '../lib/format.ts';
import { DescriptionList } from '../ui/page/facts.tsx';
import type { Column } from '../ui/table.tsx';
import { ReportFiles } from './report-files.tsx';
import { ReportSkeleton, ReportTable, STUDENT_COLUMNS } from './report-table.tsx';
import { resultSummaryQuery } from './reports-queries.ts';
import {
  type ChosenClass,
  className,
  parseReportsSearchParams,
  useReportsSearchParams,
} from './search-params.ts';

const GROUP_TITLES: Readonly<Record<ResultGroup, string>> = {
  entered: 'Entered',
  complete: 'Complete',
  incomplete: 'Incomplete',
  passed: 'Passed all subjects',
  '1': 'One F',
  '2': 'Two F',
  '3+': 'Three F or more',
};

type SummaryStudent = ResultSummary['students'][number];

const isInGroup = ({ fails, is_complete }: SummaryStudent, group: ResultGroup) =>
  isInResultGroup({ fails, isComplete: is_complete }, group);

/** The results of a class in figures; each count lists its students below. */
export function ResultSummaryReport({ chosen }: { chosen: ChosenClass }) {
  const { address } = useReportsSearchParams();
  return (
    <Panel
      title={`Result summary of ${className(chosen)}`}
      text="Results are complete without an I and without a missing grade; a withdrawn or excused course is final. Pass rate and averages are of the complete ones. Select a count to list its students."
      controls={<ReportFiles report="result-summary" chosen={chosen} />}
      query={useQuery(resultSummaryQuery(chosen, address.semester))}
      skeleton={<ReportSkeleton />}
      none="No results have been recorded for this semester."
      isNone={({ entered, provisional }) => entered + provisional === 0}
    >
      {(summary) => <Summary {...summary} />}
    </Panel>
  );
}

function Summary({ semester, students, ...figures }: ResultSummary) {
  const { address } = useReportsSearchParams();
  const { group = 'entered' } = address;
  const listed = students.filter((one) => isInGroup(one, group));
  const averaged = students.filter((one) => one.is_graded && isInGroup(one, 'complete'));
  return (
    <div className="grid gap-8">
      <p role="status" className="text-fg-2">
        Semester {semester}
        {figures.provisional > 0 &&
          `. The results of ${formatStudentCount(figures.provisional)} are provisional and in none of these figures.`}
      </p>
      <div className="grid gap-x-10 gap-y-6 lg:grid-cols-2">
        <div className="grid content-start gap-5">
          <nav aria-label="Students by result">
            <ul>
              {RESULT_GROUPS.map((one) => (
                <GroupLink key={one} group={one} isShown={one === group} students={students} />
              ))}
            </ul>
          </nav>
          <DescriptionList items={averages(figures)} />
        </div>
        {averaged.length > 0 && (
          <section aria-label="SGPA of complete results" className="grid min-w-0 content-start gap-3">
            <h3 className="font-[620]">SGPA of complete results</h3>
            <Histogram label="SGPA" bins={sgpaBins(averaged)} size="large" areaClass="h-56" />
          </section>
        )}
      </div>
      <section aria-labelledby="listed" className="grid gap-3">
        <h3 id="listed" className="font-[620]">
          {GROUP_TITLES[group]}, {formatStudentCount(listed.length)}
        </h3>
        {listed.length > 0 && <ReportTable label={GROUP_TITLES[group]} columns={COLUMNS} rows={listed} />}
      </section>
    </div>
  );
}

const COLUMNS: readonly Column<SummaryStudent>[] = [
  ...STUDENT_COLUMNS,
  {
    head: 'SGPA',
    isNumber: true,
    cell: ({ sgpa, is_graded }) => (is_graded ? formatGradePoints(sgpa) : '--'),
  },
  { head: 'CGPA', isNumber: true, cell: ({ cgpa }) => formatGradePoints(cgpa) },
  { head: 'F', isNumber: true, cell: ({ fails }) => formatCount(fails) },
  { head: 'Complete', cell: ({ is_complete }) => (is_complete ? 'Yes' : 'No') },
];

interface GroupLinkProps {
  group: ResultGroup;
  isShown: boolean;
  students: readonly SummaryStudent[];
}

/** A count that lists its students below. */
function GroupLink({ group, isShown, students }: GroupLinkProps) {
  return (
    <li className="flex min-h-8 items-center justify-between gap-4 border-line border-b">
      <span className={isShown ? 'font-[560]' : 'text-fg-2'}>{GROUP_TITLES[group]}</span>
      <Link
        to="/reports"
        search={(now) => parseReportsSearchParams({ ...now, group: group === 'entered' ? undefined : group })}
        replace
        resetScroll={false}
        aria-current={isShown ? 'true' : undefined}
        aria-label={`${GROUP_TITLES[group]}: ${formatStudentCount(students.filter((one) => isInGroup(one, group)).length)}`}
        className="link min-w-6 text-end leading-6"
      >
        {formatCount(students.filter((one) => isInGroup(one, group)).length)}
      </Link>
    </li>
  );
}

type Figures = Omit<ResultSummary, 'semester' | 'students'>;

function averages({ complete, passed_all, mean_sgpa, median_sgpa, highest_sgpa }: Figures) {
  const shown = (value: number | null) => (value === null ? 'No complete results' : formatGradePoints(value));
  return [
    {
      title: 'Pass rate',
      value: complete === 0 ? 'No complete results' : formatPercent(passed_all, complete),
    },
    { title: 'Mean SGPA', value: shown(mean_sgpa) },
    { title: 'Median SGPA', value: shown(median_sgpa) },
    { title: 'Highest SGPA', value: shown(highest_sgpa) },
  ];
}

/** Students per half grade point; the last bin includes 4.00. */
function sgpaBins(students: readonly SummaryStudent[]) {
  const toBin = ({ sgpa }: SummaryStudent) => Math.min(7, Math.floor(sgpa * 2));
  return Array.from({ length: 8 }, (_, bin) => ({
    bin: bin / 2,
    count: students.filter((one) => toBin(one) === bin).length,
  }));
}
