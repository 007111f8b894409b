import { Page, PageHead } from '../ui/page.tsx';
import { Segments } from '../ui/segments.tsx';
import { CgpaPanel } from './cgpa-panel.tsx';
import { ClassSizesPanel } from './class-sizes-panel.tsx';
import { FallsPanel, LowCgpasPanel } from './limit-panels.tsx';
import { PassRatesPanel } from './pass-rates-panel.tsx';
import { useInsightsAddress } from './use-insights-address.ts';
import './insights.css';

const VIEWS = [
  { value: 'charts', label: 'Charts' },
  { value: 'tables', label: 'Tables' },
] as const;

/** Figures of all records at once, each of which leads to the students it counts. */
export function InsightsPage() {
  const { address, change } = useInsightsAddress();
  return (
    <Page width="wide">
      <PageHead
        title="Insights"
        sub="Every figure leads to the students it counts."
        actions={
          <Segments
            label="Show as"
            options={VIEWS}
            value={address.view ?? 'charts'}
            onChange={(view) => change({ view: view === 'charts' ? '' : view })}
          />
        }
      />
      <CgpaPanel />
      <div className="grid gap-x-8 lg:grid-cols-2">
        <LowCgpasPanel />
        <FallsPanel />
      </div>
      <PassRatesPanel />
      <ClassSizesPanel />
    </Page>
  );
}
