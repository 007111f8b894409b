import type { ReactNode } from 'react';
import { BINS } from '../../domain/histogram.ts';
import { BucketTable } from '../charts/bucket-table.tsx';
import { Histogram } from '../charts/histogram.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { Ruler } from '../charts/ruler.tsx';
import { ShowcaseSection } from './showcase-parts.tsx';

const bins = (counts: readonly number[]) => BINS.map((bin, i) => ({ bin, count: counts[i] ?? 0 }));
const MARKS = bins([0, 1, 2, 5, 9, 16, 24, 31, 22, 9]);
const ONE = bins([0, 0, 0, 0, 0, 0, 0, 6, 0, 0]);

export function ShowcaseCharts() {
  return (
    <ShowcaseSection title="Charts">
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,320px),1fr))] gap-4">
        <Card name="Data">
          <Histogram label="Sample marks" bins={MARKS} />
        </Card>
        <Card name="Loading">
          <Histogram label="Sample marks" bins={[]} isLoading />
        </Card>
        <Card name="Not available">
          <Histogram label="Sample marks" bins={[]} />
        </Card>
        <Card name="One bucket only">
          <Histogram label="Sample marks" bins={ONE} />
        </Card>
        <Card name="GPA by semester">
          <LineChart label="Sample GPA" values={[2.1, 2.6, 2.4, 3, 2.8, 3.3, 3.5, 3.7]} />
        </Card>
        <Card name="A value on its scale">
          <div className="grid gap-5 pt-2">
            <Ruler max={4} step={0.5} value={3.41} />
            <Ruler max={4} step={0.5} />
            <Ruler max={1100} step={110} value={990} />
          </div>
        </Card>
      </div>
      <div className="mt-6 grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_320px]">
        <Histogram label="Sample marks" bins={MARKS} mean={68.36} sd={16.92} size="large" table />
        <BucketTable bins={MARKS} caption="Sample marks" />
      </div>
    </ShowcaseSection>
  );
}

function Card({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 overflow-x-clip rounded-panel border border-line px-4 py-3.5">
      <p className="mb-2.5 font-[540] text-label">{name}</p>
      {children}
    </div>
  );
}
