import { useQuery } from '@tanstack/react-query';
import type { ClassSize } from '../../../contract/insights.ts';
import { DEPARTMENT_CODES, SEMESTER_COUNT, SYNDICATES } from '../../../domain/student.ts';
import { axisMax } from '../../charts/axis.ts';
import { departmentName, formatCount, formatStudentCount } from '../../lib/format.ts';
import { BarChart } from '../bar-chart.tsx';
import { FigureTable } from '../figure-table.tsx';
import { classSizesQuery } from '../insights-queries.ts';
import { Panel } from '../panel.tsx';
import { PlotGrid, PlotGridSkeleton, PlotGroup } from '../plot-grid.tsx';
import { useInsightsSearchParams } from '../search-params.ts';
import { CountLink, StudentsLink, toListFilters } from '../students-link.tsx';

const SEMESTERS = Array.from({ length: SEMESTER_COUNT }, (_, i) => i + 1);

const students = (classes: readonly ClassSize[]) => classes.reduce((sum, one) => sum + one.students, 0);
const incomplete = (classes: readonly ClassSize[]) => classes.reduce((sum, one) => sum + one.incomplete, 0);
const inSemester = (classes: readonly ClassSize[], semester: number) =>
  classes.filter(({ current_sem }) => current_sem === semester);

/** The number of students in each semester of a department. */
export function ClassSizesPanel() {
  return (
    <Panel
      title="Class sizes"
      text="Students by the semester they are in. An entry is incomplete while the family or the results of an earlier semester are missing."
      query={useQuery(classSizesQuery)}
      skeleton={<PlotGridSkeleton />}
      none="There are no students yet."
      isNone={(classes) => classes.length === 0}
    >
      {(classes) => <Departments classes={classes} />}
    </Panel>
  );
}

function Departments({ classes }: { classes: readonly ClassSize[] }) {
  const departments = DEPARTMENT_CODES.map((department) => ({
    department,
    own: classes.filter((one) => one.department === department),
  })).filter(({ own }) => own.length > 0);
  const sizes = departments.flatMap(({ own }) =>
    SEMESTERS.map((semester) => students(inSemester(own, semester))),
  );
  const top = axisMax(Math.max(...sizes));
  return (
    <PlotGrid>
      {departments.map(({ department, own }) => (
        <PlotGroup
          key={department}
          title={departmentName(department)}
          sub={
            <>
              <StudentsLink filters={toListFilters({ department })}>
                {formatStudentCount(students(own))}
              </StudentsLink>
              {', '}
              {incomplete(own) === 0 ? (
                'no entry incomplete'
              ) : (
                <StudentsLink filters={toListFilters({ department, incomplete: 'true' })}>
                  {formatCount(incomplete(own))} incomplete
                </StudentsLink>
              )}
            </>
          }
        >
          <DepartmentFigures department={department} classes={own} top={top} />
        </PlotGroup>
      ))}
    </PlotGrid>
  );
}

interface DepartmentFiguresProps {
  department: ClassSize['department'];
  classes: readonly ClassSize[];
  top: number;
}

function DepartmentFigures({ department, classes, top }: DepartmentFiguresProps) {
  const { address } = useInsightsSearchParams();
  const name = departmentName(department);
  const where = (semester: number) => ({ department, current_sem: String(semester) });
  if (address.view !== 'tables') {
    return (
      <BarChart
        label={`Students by semester, ${name}`}
        bars={SEMESTERS.map((semester) => ({
          label: String(semester),
          title: `Semester ${semester}`,
          count: students(inSemester(classes, semester)),
          of: students(classes),
          filters: toListFilters(where(semester)),
        }))}
        top={top}
      />
    );
  }
  return (
    <FigureTable
      caption={`Students by semester, ${name}`}
      heads={['Semester', ...SYNDICATES, 'All', 'Incomplete']}
      rows={SEMESTERS.map((semester) => {
        const own = inSemester(classes, semester);
        return {
          name: String(semester),
          figures: [
            ...SYNDICATES.map((syn) => (
              <CountLink
                key={syn}
                count={students(own.filter((one) => one.syn === syn))}
                filters={toListFilters({ ...where(semester), syn })}
              />
            )),
            <CountLink key="all" count={students(own)} filters={toListFilters(where(semester))} />,
            <CountLink
              key="incomplete"
              count={incomplete(own)}
              filters={toListFilters({ ...where(semester), incomplete: 'true' })}
            />,
          ],
        };
      })}
    />
  );
}
