import { Page, PageHeader } from '../../ui/page/page.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { useInsightsSearchParams } from '../search-params.ts';
import { CgpaPanel } from './cgpa-panel.tsx';
import { ClassSizesPanel } from './class-sizes-panel.tsx';
import { PassRatesPanel } from './pass-rates-panel.tsx';
import { StandingsPanel } from './standings-panel.tsx';
import { FallingSgpaPanel, LowCgpaPanel } from './threshold-panels.tsx';

const VIEWS = [
  { value: 'charts', label: 'Charts' },
  { value: 'tables', label: 'Tables' },
] as const;

/** Figures of all records; each count links to its students. */
export function InsightsPage() {
  const { address, change } = useInsightsSearchParams();
  return (
    <Page width="wide">
      <PageHeader
        title="Insights"
        sub="Only active students are counted; pass rates count every recorded result. Every figure leads to the students it counts."
        actions={
          <SegmentedControl
            label="Show as"
            options={VIEWS}
            value={address.view ?? 'charts'}
            onChange={(view) => change({ view: view === 'charts' ? '' : view })}
          />
        }
      />
      <CgpaPanel />
      <div className="grid gap-x-8 lg:grid-cols-2">
        <LowCgpaPanel />
        <FallingSgpaPanel />
      </div>
      <StandingsPanel />
      <PassRatesPanel />
      <ClassSizesPanel />
    </Page>
  );
}
