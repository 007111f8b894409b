import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CgpaGroup, CgpaSplit, Cgpas } from '../../../contract/insights.ts';
import { tenthRange } from '../../../domain/grading/cgpa-bins.ts';
import { axisMax } from '../../charts/axis.ts';
import {
  departmentName,
  formatCount,
  formatGradePoints,
  formatPercent,
  formatStudentCount,
} from '../../lib/format.ts';
import { useMediaQuery } from '../../lib/page/use-media-query.ts';
import { Button } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { type Bar, BarChart } from '../bar-chart.tsx';
import { FigureTable } from '../figure-table.tsx';
import { cgpasQuery } from '../insights-queries.ts';
import { Panel } from '../panel.tsx';
import { PlotGrid, PlotGridSkeleton, PlotGroup } from '../plot-grid.tsx';
import { useInsightsSearchParams } from '../search-params.ts';
import { CountLink, StudentsLink, toListFilters } from '../students-link.tsx';

const OPTIONS = [
  { value: 'department', label: 'Department' },
  { value: 'degree', label: 'Degree' },
  { value: 'syn', label: 'Syndicate' },
] as const satisfies readonly { value: CgpaSplit; label: string }[];

/** Below this width, twenty bars are too narrow to be clicked. */
const TOO_NARROW = '(width < 40rem)';

/** How many groups are shown at first. */
const INITIAL_GROUP_COUNT = 8;

/** The distribution of CGPAs by department, degree or syndicate. */
export function CgpaPanel() {
  const { address, change } = useInsightsSearchParams();
  const split = address.split ?? 'department';
  const cgpas = useQuery(cgpasQuery(split));
  return (
    <Panel
      title="CGPA"
      text="Active students by the CGPA that their record shows, which is that after the semester before the current one. Each bar counts those from its number up to the next; all have the same height scale."
      controls={
        <SegmentedControl
          label="Split by"
          options={OPTIONS}
          value={split}
          onChange={(to) => change({ split: to })}
        />
      }
      query={cgpas}
      skeleton={<PlotGridSkeleton />}
      none="No student has a CGPA yet."
      isNone={({ groups }) => groups.every(({ bins }) => sumBins(bins) === 0)}
    >
      {(figures) => <CgpaGroups key={figures.split} {...figures} />}
    </Panel>
  );
}

function CgpaGroups({ split, groups }: Cgpas) {
  const [showsAll, setShowsAll] = useState(false);
  const isNarrow = useMediaQuery(TOO_NARROW);
  // The latest degrees first.
  const sorted = split === 'degree' ? groups.toReversed() : groups;
  const shown = showsAll ? sorted : sorted.slice(0, INITIAL_GROUP_COUNT);
  const getBars = (group: CgpaGroup) => cgpaBars(split, group, isNarrow ? 2 : 1);
  const top = axisMax(Math.max(...shown.flatMap(getBars).map(({ count }) => count)));
  return (
    <>
      <PlotGrid>
        {shown.map((group) => (
          <CgpaGroupFigures key={group.value} split={split} group={group} isNarrow={isNarrow} top={top} />
        ))}
      </PlotGrid>
      {shown.length < groups.length && (
        <Button className="mt-6" onClick={() => setShowsAll(true)}>
          {showAllLabel(groups.length)}
        </Button>
      )}
    </>
  );
}

interface CgpaGroupFiguresProps {
  split: CgpaSplit;
  group: CgpaGroup;
  isNarrow: boolean;
  top: number;
}

function CgpaGroupFigures({ split, group, isNarrow, top }: CgpaGroupFiguresProps) {
  const { address } = useInsightsSearchParams();
  const all = sumBins(group.bins);
  const name = groupName(split, group.value);
  return (
    <PlotGroup
      title={name}
      sub={
        <>
          <StudentsLink filters={toListFilters({ [split]: group.value })}>
            {formatStudentCount(group.students)}
          </StudentsLink>
          {', '}
          {all === 0 ? (
            'none of them with a CGPA'
          ) : (
            <StudentsLink filters={toListFilters({ [split]: group.value, cgpa_from: '0' })}>
              {formatCount(all)} with a CGPA
            </StudentsLink>
          )}
          {group.median_tenth !== null && `, median within ${formatMedian(group.median_tenth)}`}
          {group.final.median_tenth !== null &&
            `; ${formatCount(group.final.students)} with a final CGPA, median within ${formatMedian(group.final.median_tenth)}`}
        </>
      }
    >
      {address.view === 'tables' ? (
        <FigureTable
          caption={`CGPA, ${name}`}
          heads={['CGPA', 'Students', 'Share']}
          rows={cgpaBars(split, group, 1).map(({ title, count, filters }) => ({
            name: title.replace('CGPA ', ''),
            figures: [<CountLink key="count" count={count} filters={filters} />, formatPercent(count, all)],
          }))}
        />
      ) : (
        <BarChart label={`CGPA, ${name}`} bars={cgpaBars(split, group, isNarrow ? 2 : 1)} top={top} />
      )}
    </PlotGroup>
  );
}

const sumBins = (bins: readonly number[]) => bins.reduce((sum, students) => sum + students, 0);

function groupName(split: CgpaSplit, value: string): string {
  if (split === 'department') return departmentName(value);
  return split === 'degree' ? `Degree ${value}` : `Syndicate ${value}`;
}

/** Bars of `merged` bins of 0.2 grade points each; the last one includes 4.00. */
function cgpaBars(split: CgpaSplit, { value, bins }: CgpaGroup, merged: 1 | 2): Bar[] {
  return bins.flatMap((_, bin) => {
    if (bin % merged !== 0) return [];
    const from = bin / 5;
    const below = (bin + merged) / 5;
    const isLast = bin + merged >= bins.length;
    return {
      label: from.toFixed(1),
      title: `CGPA ${formatGradePoints(from)} to ${formatGradePoints(isLast ? 4 : below - 0.01)}`,
      count: sumBins(bins.slice(bin, bin + merged)),
      of: sumBins(bins),
      filters: toListFilters({
        [split]: value,
        cgpa_from: from.toFixed(2),
        ...(!isLast && { cgpa_below: below.toFixed(2) }),
      }),
    };
  });
}

function formatMedian(tenth: number): string {
  const { from, to } = tenthRange(tenth);
  return from === to ? formatGradePoints(from) : `${formatGradePoints(from)} to ${formatGradePoints(to)}`;
}

/** The label of the button for the other groups, e.g. 'Show all 48 degrees'. */
const showAllLabel = (count: number) => `Show all ${formatCount(count)} degrees`;
