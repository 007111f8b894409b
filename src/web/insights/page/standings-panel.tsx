import { useQuery } from '@tanstack/react-query';
import type { StandingCounts } from '../../../contract/insights.ts';
import { DEPARTMENT_CODES, STANDING_LABELS, STANDINGS } from '../../../domain/student.ts';
import { axisMax } from '../../charts/axis.ts';
import { departmentName, formatPercent, formatStudentCount } from '../../lib/format.ts';
import { BarChart } from '../bar-chart.tsx';
import { FigureTable } from '../figure-table.tsx';
import { standingsQuery } from '../insights-queries.ts';
import { Panel } from '../panel.tsx';
import { PlotGrid, PlotGridSkeleton, PlotGroup } from '../plot-grid.tsx';
import { useInsightsSearchParams } from '../search-params.ts';
import { CountLink, StudentsLink, toListFilters } from '../students-link.tsx';

const countStudents = (counts: StandingCounts) => counts.reduce((sum, { students }) => sum + students, 0);

/** Students by academic standing. */
export function StandingsPanel() {
  return (
    <Panel
      title="Academic standing"
      text="Students by their standing after the latest semester with a grade, by the policy of their batch."
      query={useQuery(standingsQuery)}
      skeleton={<PlotGridSkeleton />}
      none="No student has a standing yet."
      isNone={(counts) => counts.length === 0}
    >
      {(counts) => <Departments counts={counts} />}
    </Panel>
  );
}

function Departments({ counts }: { counts: StandingCounts }) {
  const top = axisMax(Math.max(...counts.map(({ students }) => students)));
  const departments = DEPARTMENT_CODES.map((department) => ({
    department,
    own: counts.filter((one) => one.department === department),
  })).filter(({ own }) => own.length > 0);
  return (
    <PlotGrid>
      {departments.map(({ department, own }) => (
        <PlotGroup
          key={department}
          title={departmentName(department)}
          sub={
            <StudentsLink filters={toListFilters({ department, standing: STANDINGS.join(',') })}>
              {formatStudentCount(countStudents(own))} with a standing
            </StudentsLink>
          }
        >
          <DepartmentFigures department={department} counts={own} top={top} />
        </PlotGroup>
      ))}
    </PlotGrid>
  );
}

interface DepartmentFiguresProps {
  department: StandingCounts[number]['department'];
  counts: StandingCounts;
  top: number;
}

function DepartmentFigures({ department, counts, top }: DepartmentFiguresProps) {
  const { address } = useInsightsSearchParams();
  const label = `Academic standing, ${departmentName(department)}`;
  const all = countStudents(counts);
  const figures = STANDINGS.map((standing) => ({
    title: STANDING_LABELS[standing],
    count: countStudents(counts.filter((one) => one.standing === standing)),
    filters: toListFilters({ department, standing }),
  }));
  if (address.view !== 'tables') {
    return (
      <BarChart
        label={label}
        bars={figures.map((one) => ({ ...one, label: one.title, of: all }))}
        top={top}
      />
    );
  }
  return (
    <FigureTable
      caption={label}
      heads={['Standing', 'Students', 'Share']}
      rows={figures.map(({ title, count, filters }) => ({
        name: title,
        figures: [<CountLink key="count" count={count} filters={filters} />, formatPercent(count, all)],
      }))}
    />
  );
}
