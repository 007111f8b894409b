import { BINS } from '../../domain/histogram.ts';
import { Histogram } from '../charts/histogram.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { Page, PageHead } from '../ui/page.tsx';
import { HomeCard } from './home-card.tsx';
import { SAMPLE_COUNT, SAMPLE_GPAS, SAMPLE_MARKS, SAMPLE_TOP } from './sample-data.ts';
import { useCycle } from './use-cycle.ts';
import { useGliding } from './use-gliding.ts';

const REFRESH = 2000;
const NONE: readonly number[] = [];

export function HomePage() {
  const { index, isPaused, setIsPaused } = useCycle(SAMPLE_COUNT, REFRESH);
  const marks = useGliding(SAMPLE_MARKS[index] ?? NONE);
  const gpas = useGliding(SAMPLE_GPAS[index] ?? NONE);
  const card = { sample: index, isPaused, onPause: setIsPaused };
  return (
    <Page>
      <PageHead title="Home" />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[repeat(2,minmax(0,1fr))]">
        <HomeCard
          {...card}
          index={0}
          to="/courses"
          title="Manage Courses"
          text="Catalogue, marks and distributions"
          axes="students per marks bucket"
        >
          <Histogram
            label="Sample marks"
            bins={BINS.map((bin, i) => ({ bin, count: marks[i] ?? 0 }))}
            top={SAMPLE_TOP}
            areaClass="home-plot"
          />
        </HomeCard>
        <HomeCard
          {...card}
          index={1}
          to="/students"
          title="Manage Students"
          text="Records, family details and results"
          axes="GPA by semester"
        >
          <LineChart label="Sample GPA over eight semesters" values={gpas} areaClass="home-plot" />
        </HomeCard>
      </div>
    </Page>
  );
}
