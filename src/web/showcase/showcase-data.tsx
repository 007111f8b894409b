import { Check, CircleAlert, Minus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { GRADE_LETTERS } from '../../domain/grading/gpa.ts';
import { BINS } from '../../domain/statistics.ts';
import { BucketTable } from '../charts/bucket-table.tsx';
import { Histogram } from '../charts/histogram-chart.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { Ruler } from '../charts/ruler.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { DescriptionList } from '../ui/page/facts.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { type Column, type SortDirection, Table, TableContainer } from '../ui/table.tsx';
import { GradeBadge, Tag } from '../ui/tag.tsx';
import { Row, Sample, ShowcaseSection } from './showcase-section.tsx';

interface SampleRow {
  id: string;
  name: string;
  marks: number;
}

const ROWS: readonly (SampleRow | null)[] = [
  { id: '409318', name: 'Karim Hunzai', marks: 921 },
  { id: '408877', name: 'Hareem Lodhi', marks: 990 },
  {
    id: '404870',
    name: 'Syed Muhammad Abdullah Makhdoom Gardezi-Bukhari ibn Mushtaq Hussain al-Mashhadi of Rahim Yar Khan',
    marks: 1031,
  },
  null,
];

export function ShowcaseRows() {
  const [direction, setDirection] = useState<SortDirection>('descending');
  const onSort = () => setDirection(direction === 'ascending' ? 'descending' : 'ascending');
  const columns: readonly Column<SampleRow | null>[] = [
    { head: 'ID', sort: { direction, onSort }, cell: (row) => row?.id ?? <Skeleton width={52} /> },
    {
      head: 'Name',
      sort: { direction: undefined, onSort },
      className: 'strong',
      cell: (row) => (row === null ? <Skeleton width={160} /> : <a href="#main">{row.name}</a>),
    },
    {
      head: 'FSC',
      isNumber: true,
      sort: { direction: undefined, onSort },
      cell: (row) => row?.marks ?? <Skeleton width={34} />,
    },
  ];
  return (
    <ShowcaseSection title="Rows">
      <TableContainer className="mb-5">
        <Table label="Rows" columns={columns} rows={ROWS} rowKey={(row) => row?.id ?? ''} hasRowLinks />
      </TableContainer>
      <DescriptionList
        items={[
          { title: 'CMS ID', value: '408877' },
          { title: 'Date of birth', value: '14 March 2005 (20 years)' },
          { title: 'Phone number', value: null },
        ]}
      />
      <EmptyState title="No courses have been created yet" text="What is created appears here." />
    </ShowcaseSection>
  );
}

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

export function ShowcaseBadges() {
  return (
    <ShowcaseSection title="Small parts">
      <Row>
        {GRADE_LETTERS.map((letter) => (
          <Sample key={letter} name={letter === 'F' ? 'Fail' : 'Grade'}>
            <GradeBadge letter={letter} />
          </Sample>
        ))}
        <Sample name="Check">
          <Tag tone="ok" icon={<Check />}>
            Ready
          </Tag>
        </Sample>
        <Sample name="Check">
          <Tag tone="warn" icon={<Minus />}>
            Already in the list
          </Tag>
        </Sample>
        <Sample name="Check">
          <Tag tone="danger" icon={<CircleAlert />}>
            Required
          </Tag>
        </Sample>
        <Sample name="Neutral">
          <Tag>You</Tag>
        </Sample>
      </Row>
    </ShowcaseSection>
  );
}
