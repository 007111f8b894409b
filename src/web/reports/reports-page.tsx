import { EmptyState } from '../ui/page/empty-state.tsx';
import { Page, PageHeader } from '../ui/page/page.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { AuditReport } from './audit-report.tsx';
import { ClassFields } from './class-fields.tsx';
import { DeansListReport } from './deans-list-report.tsx';
import { DegreeCheckReport } from './degree-check-report.tsx';
import { RankingReport } from './ranking-report.tsx';
import { ResultSummaryReport } from './result-summary-report.tsx';
import {
  type ChosenClass,
  type ShownReport,
  toChosenClass,
  useReportsSearchParams,
} from './search-params.ts';
import { ShortageReport } from './shortage-report.tsx';

const OPTIONS = [
  { value: 'ranking', label: 'Ranking' },
  { value: 'result-summary', label: 'Result summary' },
  { value: 'deans-list', label: 'Dean’s list' },
  { value: 'degree-check', label: 'Degree check' },
  { value: 'audit', label: 'Audit' },
  { value: 'shortage', label: 'Shortage' },
] as const satisfies readonly { value: ShownReport; label: string }[];

/** Lists and figures of one class. */
export function ReportsPage() {
  const { address, change } = useReportsSearchParams();
  const { report = 'ranking' } = address;
  const chosen = toChosenClass(address);
  return (
    <Page width="wide">
      <PageHeader
        title="Reports"
        sub="Active and graduated students of one class. Averages as on transcripts."
      />
      <div className="screen-only mb-6 grid gap-4">
        <div>
          <SegmentedControl
            label="Report"
            options={OPTIONS}
            value={report}
            onChange={(to) => change({ report: to === 'ranking' ? '' : to })}
          />
        </div>
        <ClassFields />
      </div>
      {chosen === null ? (
        <EmptyState title="Choose a class" text="A report is of one department and batch." />
      ) : (
        <ChosenReport key={JSON.stringify([report, chosen])} report={report} chosen={chosen} />
      )}
    </Page>
  );
}

function ChosenReport({ report, chosen }: { report: ShownReport; chosen: ChosenClass }) {
  switch (report) {
    case 'ranking':
      return <RankingReport chosen={chosen} />;
    case 'result-summary':
      return <ResultSummaryReport chosen={chosen} />;
    case 'deans-list':
      return <DeansListReport chosen={chosen} />;
    case 'degree-check':
      return <DegreeCheckReport chosen={chosen} />;
    case 'audit':
      return <AuditReport chosen={chosen} />;
    case 'shortage':
      return <ShortageReport chosen={chosen} />;
  }
}
