import { useQuery } from '@tanstack/react-query';
import type { RankedBy, Ranking } from '../../contract/grading/reports.ts';
import { Panel } from '../insights/panel.tsx';
import { formatCount, formatGradePoints, formatStudentCount } from '../lib/format.ts';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import type { Column } from '../ui/table.tsx';
import { ReportFiles } from './report-files.tsx';
import { ReportSkeleton, ReportTable, STUDENT_COLUMNS } from './report-table.tsx';
import { rankingQuery } from './reports-queries.ts';
import { type ChosenClass, className, useReportsSearchParams } from './search-params.ts';

const OPTIONS = [
  { value: 'cgpa', label: 'By CGPA' },
  { value: 'sgpa', label: 'By SGPA' },
] as const satisfies readonly { value: RankedBy; label: string }[];

type RankedStudent = Ranking['ranked'][number];
type UnrankedStudent = Ranking['unranked'][number];

/** The class in the order of an average, and who can't be ranked. */
export function RankingReport({ chosen }: { chosen: ChosenClass }) {
  const { address, change } = useReportsSearchParams();
  const { by = 'cgpa', semester } = address;
  return (
    <Panel
      title={`Ranking of ${className(chosen)}`}
      text="Students with equal averages share a rank. The percentile is the share of the ranked students below, with half of the equal ones."
      controls={
        <div className="flex flex-wrap gap-2">
          <SegmentedControl
            label="Order"
            options={OPTIONS}
            value={by}
            onChange={(to) => change({ by: to === 'cgpa' ? '' : to })}
          />
          <ReportFiles report="ranking" chosen={chosen} />
        </div>
      }
      query={useQuery(rankingQuery(chosen, semester, by))}
      skeleton={<ReportSkeleton />}
      none="There are no students in this class."
      isNone={({ ranked, unranked }) => ranked.length + unranked.length === 0}
    >
      {(ranking) => <RankedAndOthers {...ranking} />}
    </Panel>
  );
}

function RankedAndOthers({ semester, by, of, ranked, unranked }: Ranking) {
  const average = by === 'cgpa' ? 'CGPA' : 'SGPA';
  const columns: readonly Column<RankedStudent>[] = [
    { head: 'Rank', isNumber: true, className: 'w-px', cell: ({ rank }) => formatCount(rank) },
    ...STUDENT_COLUMNS,
    { head: average, isNumber: true, cell: ({ value }) => formatGradePoints(value) },
    { head: 'Percentile', isNumber: true, cell: ({ percentile }) => percentile.toFixed(2) },
  ];
  const others: readonly Column<UnrankedStudent>[] = [
    ...STUDENT_COLUMNS,
    { head: 'Why not', cell: ({ reason }) => reason },
  ];
  return (
    <div className="grid gap-6">
      <p role="status" className="text-fg-2">
        {semester === null
          ? 'No semester has been recorded yet.'
          : `${average} ${by === 'cgpa' ? 'after' : 'of'} semester ${semester}: ${formatStudentCount(of)} ranked, ${formatCount(unranked.length)} not ranked.`}
      </p>
      {ranked.length > 0 && <ReportTable label="Ranked students" columns={columns} rows={ranked} />}
      {unranked.length > 0 && (
        <section aria-label="Not ranked" className="grid gap-3">
          <h3 className="font-[620]">Not ranked</h3>
          <ReportTable label="Students who are not ranked" columns={others} rows={unranked} />
        </section>
      )}
    </div>
  );
}
