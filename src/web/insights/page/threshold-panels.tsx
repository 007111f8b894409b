import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { DepartmentCounts } from '../../../contract/insights.ts';
import { LOW_CGPA, STEEP_FALL } from '../../../domain/grading/cgpa-bins.ts';
import { axisMax } from '../../charts/axis.ts';
import { HistogramSkeleton } from '../../charts/histogram-placeholders.tsx';
import { displayErrorText } from '../../forms/messages/error-texts.ts';
import { ApiError } from '../../lib/api.ts';
import {
  departmentName,
  formatCount,
  formatGradePoints,
  formatPercent,
  formatStudentCount,
} from '../../lib/format.ts';
import type { ListFilters } from '../../students/list/model/search-params.ts';
import { BarChart } from '../bar-chart.tsx';
import { FigureTable } from '../figure-table.tsx';
import { fallsQuery, lowCgpasQuery } from '../insights-queries.ts';
import { Panel } from '../panel.tsx';
import { useInsightsSearchParams } from '../search-params.ts';
import { CountLink, StudentsLink, toListFilters } from '../students-link.tsx';
import { ThresholdField } from './threshold-field.tsx';

/** Students below a chosen CGPA. */
export function LowCgpaPanel() {
  const { address, change } = useInsightsSearchParams();
  const limit = address.cgpa_below ?? formatGradePoints(LOW_CGPA);
  const low = useQuery(lowCgpasQuery(limit));
  return (
    <ThresholdPanel
      title="Low CGPA"
      text="Students whose CGPA is below a limit, by department."
      limit={{ name: 'cgpa_below', label: 'CGPA below', value: limit }}
      onLimit={(text) => change({ cgpa_below: text })}
      query={low}
      none="No student has a CGPA yet."
      among={{ text: 'with a CGPA', filters: toListFilters({ cgpa_from: '0' }) }}
      filters={({ cgpa_below }) => toListFilters({ cgpa_below: cgpa_below.toFixed(2) })}
    />
  );
}

/** Students whose latest GPA fell by at least a chosen amount. */
export function FallingSgpaPanel() {
  const { address, change } = useInsightsSearchParams();
  const limit = address.fell_by ?? formatGradePoints(STEEP_FALL);
  const falls = useQuery(fallsQuery(limit));
  return (
    <ThresholdPanel
      title="Falling SGPA"
      text="Students whose latest SGPA fell against the one before, by department."
      limit={{ name: 'fell_by', label: 'Fell by at least', value: limit }}
      onLimit={(text) => change({ fell_by: text })}
      query={falls}
      none="There are no students yet."
      among={{ text: 'in all', filters: toListFilters({}) }}
      filters={({ fell_by }) => toListFilters({ fell_by: fell_by.toFixed(2) })}
    />
  );
}

/** The total that the students are counted among. */
interface Population {
  text: string;
  filters: ListFilters;
}

interface ThresholdPanelProps<Figures extends { departments: DepartmentCounts }> {
  title: string;
  text: string;
  limit: { name: 'cgpa_below' | 'fell_by'; label: string; value: string };
  onLimit: (text: string) => void;
  query: UseQueryResult<Figures>;
  none: string;
  among: Population;
  /** The list filter for the threshold that the figures were counted with. */
  filters: (figures: Figures) => ListFilters;
}

function ThresholdPanel<Figures extends { departments: DepartmentCounts }>({
  title,
  text,
  limit,
  onLimit,
  query,
  none,
  among,
  filters,
}: ThresholdPanelProps<Figures>) {
  const refused = query.error instanceof ApiError ? query.error.errors[limit.name]?.[0] : undefined;
  const error = refused && displayErrorText(limit.name, refused);
  return (
    <Panel
      title={title}
      text={text}
      controls={<ThresholdField {...limit} error={error} onChange={onLimit} />}
      query={query}
      skeleton={<HistogramSkeleton />}
      none={none}
      isNone={({ departments }) => departments.length === 0}
      isRefused={error !== undefined}
    >
      {(figures) => (
        <ThresholdFigures
          title={title}
          counts={figures.departments}
          among={among}
          filters={filters(figures)}
        />
      )}
    </Panel>
  );
}

interface ThresholdFiguresProps {
  title: string;
  counts: DepartmentCounts;
  among: Population;
  filters: ListFilters;
}

function ThresholdFigures({ title, counts, among, filters }: ThresholdFiguresProps) {
  const { address } = useInsightsSearchParams();
  const students = counts.reduce((sum, one) => sum + one.students, 0);
  const of = counts.reduce((sum, one) => sum + one.of, 0);
  const inDepartment = (department: string) => toListFilters({ ...filters, department });
  return (
    <div className="grid gap-4">
      <p className="text-fg-2">
        {students === 0 ? (
          'No student'
        ) : (
          <StudentsLink filters={filters}>{formatStudentCount(students)}</StudentsLink>
        )}{' '}
        of <StudentsLink filters={among.filters}>{formatCount(of)}</StudentsLink> {among.text},{' '}
        {formatPercent(students, of)}
      </p>
      {address.view === 'tables' ? (
        <FigureTable
          caption={title}
          heads={['Department', 'Students', 'Of', 'Share']}
          rows={counts.map((one) => ({
            name: departmentName(one.department),
            figures: [
              <CountLink key="count" count={one.students} filters={inDepartment(one.department)} />,
              <CountLink
                key="of"
                count={one.of}
                filters={toListFilters({ ...among.filters, department: one.department })}
              />,
              formatPercent(one.students, one.of),
            ],
          }))}
        />
      ) : (
        <BarChart
          label={`${title} by department`}
          bars={counts.map((one) => ({
            label: one.department,
            title: departmentName(one.department),
            count: one.students,
            of: one.of,
            filters: inDepartment(one.department),
          }))}
          top={axisMax(Math.max(...counts.map((one) => one.students)))}
        />
      )}
    </div>
  );
}
