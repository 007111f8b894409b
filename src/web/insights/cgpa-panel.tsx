import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CgpaGroup, CgpaSplit, Cgpas } from '../../contract/insights.ts';
import { axisTop } from '../charts/axis.ts';
import { Button } from '../ui/button.tsx';
import { Segments } from '../ui/segments.tsx';
import { BarPlot } from './bar-plot.tsx';
import { cgpaBars, groupName, medianText, showAllText, total } from './cgpa-bars.ts';
import { FigureTable } from './figure-table.tsx';
import { countText, shareText, studentsText } from './figure-texts.ts';
import { cgpasQuery } from './insights-queries.ts';
import { Panel } from './panel.tsx';
import { PlotGrid, PlotGridLoading, PlotGroup } from './plot-grid.tsx';
import { CountLink, StudentsLink, studentsWith } from './students-link.tsx';
import { useInsightsAddress } from './use-insights-address.ts';
import { useIsNarrow } from './use-is-narrow.ts';

const OPTIONS = [
  { value: 'department', label: 'Department' },
  { value: 'degree', label: 'Degree' },
  { value: 'syn', label: 'Syndicate' },
] as const satisfies readonly { value: CgpaSplit; label: string }[];

/** The others follow when they are asked for. */
const DRAWN_FIRST = 8;

/** How the CGPAs of each department, degree or syndicate are distributed. */
export function CgpaPanel() {
  const { address, change } = useInsightsAddress();
  const split = address.split ?? 'department';
  const cgpas = useQuery(cgpasQuery(split));
  return (
    <Panel
      title="CGPA"
      text="Students by their CGPA. Each bar counts those from its number up to the next; all have the same height scale."
      controls={
        <Segments label="Split by" options={OPTIONS} value={split} onChange={(to) => change({ split: to })} />
      }
      query={cgpas}
      skeleton={<PlotGridLoading />}
      none="No student has a CGPA yet."
      isNone={({ groups }) => groups.every(({ bins }) => total(bins) === 0)}
    >
      {(figures) => <CgpaGroups key={figures.split} {...figures} />}
    </Panel>
  );
}

function CgpaGroups({ split, groups }: Cgpas) {
  const [showsAll, setShowsAll] = useState(false);
  const isNarrow = useIsNarrow();
  // The latest degrees first.
  const inOrder = split === 'degree' ? groups.toReversed() : groups;
  const shown = showsAll ? inOrder : inOrder.slice(0, DRAWN_FIRST);
  const barsOf = (group: CgpaGroup) => cgpaBars(split, group, isNarrow ? 2 : 1);
  const top = axisTop(Math.max(...shown.flatMap(barsOf).map(({ count }) => count)));
  return (
    <>
      <PlotGrid>
        {shown.map((group) => (
          <CgpaGroupFigures key={group.value} split={split} group={group} isNarrow={isNarrow} top={top} />
        ))}
      </PlotGrid>
      {shown.length < groups.length && (
        <Button className="mt-6" onClick={() => setShowsAll(true)}>
          {showAllText(groups.length)}
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
  const { address } = useInsightsAddress();
  const all = total(group.bins);
  const name = groupName(split, group.value);
  return (
    <PlotGroup
      title={name}
      sub={
        <>
          <StudentsLink filters={studentsWith({ [split]: group.value })}>
            {studentsText(group.students)}
          </StudentsLink>
          {', '}
          {all === 0 ? (
            'none of them with a CGPA'
          ) : (
            <StudentsLink filters={studentsWith({ [split]: group.value, cgpa_from: '0' })}>
              {countText(all)} with a CGPA
            </StudentsLink>
          )}
          {group.median_tenth !== null && `, median within ${medianText(group.median_tenth)}`}
        </>
      }
    >
      {address.view === 'tables' ? (
        <FigureTable
          caption={`CGPA, ${name}`}
          heads={['CGPA', 'Students', 'Share']}
          rows={cgpaBars(split, group, 1).map(({ title, count, filters }) => ({
            name: title.replace('CGPA ', ''),
            figures: [<CountLink key="count" count={count} filters={filters} />, shareText(count, all)],
          }))}
        />
      ) : (
        <BarPlot label={`CGPA, ${name}`} bars={cgpaBars(split, group, isNarrow ? 2 : 1)} top={top} />
      )}
    </PlotGroup>
  );
}
