import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import type { DepartmentCounts } from '../../contract/insights.ts';
import { LOW_CGPA, STEEP_FALL } from '../../domain/academic-standing.ts';
import { ApiError } from '../api.ts';
import { axisTop } from '../charts/axis.ts';
import { HistogramLoading } from '../charts/histogram-stand-ins.tsx';
import { displayText } from '../forms/error-texts.ts';
import type { ListFilters } from '../students/students-address.ts';
import { BarPlot } from './bar-plot.tsx';
import { FigureTable } from './figure-table.tsx';
import { countText, departmentName, pointsText, shareText, studentsText } from './figure-texts.ts';
import { fallsQuery, lowCgpasQuery } from './insights-queries.ts';
import { LimitField } from './limit-field.tsx';
import { Panel } from './panel.tsx';
import { CountLink, StudentsLink, studentsWith } from './students-link.tsx';
import { useInsightsAddress } from './use-insights-address.ts';

/** Students below a CGPA that staff choose. */
export function LowCgpasPanel() {
  const { address, change } = useInsightsAddress();
  const limit = address.cgpa_below ?? pointsText(LOW_CGPA);
  const low = useQuery(lowCgpasQuery(limit));
  return (
    <LimitPanel
      title="Low CGPA"
      text="Students whose CGPA is below a limit, by department."
      limit={{ name: 'cgpa_below', label: 'CGPA below', value: limit }}
      onLimit={(text) => change({ cgpa_below: text })}
      query={low}
      none="No student has a CGPA yet."
      among={{ text: 'with a CGPA', filters: studentsWith({ cgpa_from: '0' }) }}
      filters={({ cgpa_below }) => ({ cgpa_below: cgpa_below.toFixed(2) })}
    />
  );
}

/** Students whose latest results are worse than the ones before by a step that staff choose. */
export function FallsPanel() {
  const { address, change } = useInsightsAddress();
  const limit = address.fell_by ?? pointsText(STEEP_FALL);
  const falls = useQuery(fallsQuery(limit));
  return (
    <LimitPanel
      title="Falling SGPA"
      text="Students whose latest SGPA fell against the one before, by department."
      limit={{ name: 'fell_by', label: 'Fell by at least', value: limit }}
      onLimit={(text) => change({ fell_by: text })}
      query={falls}
      none="There are no students yet."
      among={{ text: 'in all', filters: {} }}
      filters={({ fell_by }) => ({ fell_by: fell_by.toFixed(2) })}
    />
  );
}

/** Among whom the students are counted. */
interface Among {
  text: string;
  filters: ListFilters;
}

interface LimitPanelProps<Figures extends { departments: DepartmentCounts }> {
  title: string;
  text: string;
  limit: { name: 'cgpa_below' | 'fell_by'; label: string; value: string };
  onLimit: (text: string) => void;
  query: UseQueryResult<Figures>;
  none: string;
  among: Among;
  /** What the list narrows to, by the limit that the figures were counted with. */
  filters: (figures: Figures) => ListFilters;
}

function LimitPanel<Figures extends { departments: DepartmentCounts }>({
  title,
  text,
  limit,
  onLimit,
  query,
  none,
  among,
  filters,
}: LimitPanelProps<Figures>) {
  const refused = query.error instanceof ApiError ? query.error.errors[limit.name]?.[0] : undefined;
  const error = refused && displayText(limit.name, refused);
  return (
    <Panel
      title={title}
      text={text}
      controls={<LimitField {...limit} error={error} onChange={onLimit} />}
      query={query}
      skeleton={<HistogramLoading />}
      none={none}
      isNone={({ departments }) => departments.length === 0}
      isRefused={error !== undefined}
    >
      {(figures) => (
        <LimitFigures title={title} counts={figures.departments} among={among} filters={filters(figures)} />
      )}
    </Panel>
  );
}

interface LimitFiguresProps {
  title: string;
  counts: DepartmentCounts;
  among: Among;
  filters: ListFilters;
}

function LimitFigures({ title, counts, among, filters }: LimitFiguresProps) {
  const { address } = useInsightsAddress();
  const students = counts.reduce((sum, one) => sum + one.students, 0);
  const of = counts.reduce((sum, one) => sum + one.of, 0);
  const inDepartment = (department: string) => studentsWith({ ...filters, department });
  return (
    <div className="grid gap-4">
      <p className="text-fg-2">
        {students === 0 ? (
          'No student'
        ) : (
          <StudentsLink filters={filters}>{studentsText(students)}</StudentsLink>
        )}{' '}
        of <StudentsLink filters={among.filters}>{countText(of)}</StudentsLink> {among.text},{' '}
        {shareText(students, of)}
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
                filters={studentsWith({ ...among.filters, department: one.department })}
              />,
              shareText(one.students, one.of),
            ],
          }))}
        />
      ) : (
        <BarPlot
          label={`${title} by department`}
          bars={counts.map((one) => ({
            label: one.department,
            title: departmentName(one.department),
            count: one.students,
            of: one.of,
            filters: inDepartment(one.department),
          }))}
          top={axisTop(Math.max(...counts.map((one) => one.students)))}
        />
      )}
    </div>
  );
}
