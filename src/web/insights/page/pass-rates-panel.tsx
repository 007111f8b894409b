import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CourseResults } from '../../../contract/insights.ts';
import { formatCount } from '../../lib/format.ts';
import { useIsPrinting } from '../../lib/printing/use-is-printing.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { passRatesQuery } from '../insights-queries.ts';
import { Panel } from '../panel.tsx';
import type { RateColumn } from '../search-params.ts';
import { useInsightsSearchParams } from '../search-params.ts';
import { type PassRateSort, sortCourses } from './pass-rate-sort.ts';
import { PassRatesTable } from './pass-rates-table.tsx';
import { ThresholdField } from './threshold-field.tsx';

/** Default minimum: a pass rate of very few results says little. */
const DEFAULT_MIN_RESULTS = 5;
/** Rows shown at first, and added by each click. */
const ROWS_PER_STEP = { first: 12, more: 100 } as const;

/** Pass rates by course. */
export function PassRatesPanel() {
  const { address, change } = useInsightsSearchParams();
  const minResults = address.min_results ?? String(DEFAULT_MIN_RESULTS);
  const isRefused = !/^\d{1,9}$/.test(minResults.trim());
  return (
    <Panel
      title="Pass rates"
      text="Graded results of each course; an F is a fail. A student who failed a course twice has two results here and is one in the list."
      controls={
        <ThresholdField
          name="min_results"
          label="Results at least"
          value={minResults}
          onChange={(text) => change({ min_results: text })}
          error={isRefused ? 'A whole number from 0 on.' : undefined}
          max={999_999_999}
          step={1}
        />
      }
      query={useQuery(passRatesQuery)}
      skeleton={<RowsLoading />}
      none="No course of the catalogue has results yet."
      isNone={(courses) => courses.length === 0}
    >
      {(courses) => (
        <PassRates courses={courses} minResults={isRefused ? DEFAULT_MIN_RESULTS : Number(minResults)} />
      )}
    </Panel>
  );
}

function PassRates({ courses, minResults }: { courses: readonly CourseResults[]; minResults: number }) {
  const { address, change } = useInsightsSearchParams();
  const [drawn, setDrawn] = useState<number>(ROWS_PER_STEP.first);
  const isPrinting = useIsPrinting();
  const order: PassRateSort = {
    column: address.sort ?? 'rate',
    direction: address.direction ?? 'ascending',
  };
  const sort = (column: RateColumn) => {
    const isAscending = column === order.column && order.direction === 'ascending';
    change({ sort: column, direction: isAscending ? 'descending' : 'ascending' });
  };
  const found = sortCourses(courses, minResults, order);
  const rowCount = isPrinting ? found.length : drawn;
  if (found.length === 0) {
    return (
      <p className="text-fg-2">
        No course has {formatCount(minResults)} results. The most that one has is{' '}
        {formatCount(Math.max(...courses.map(({ results }) => results)))}.
      </p>
    );
  }
  return (
    <>
      <PassRatesTable courses={found.slice(0, rowCount)} order={order} onSort={sort} />
      <div className="mt-3 flex flex-wrap items-center gap-3 text-fg-3 text-label">
        <span role="status">
          {formatCount(Math.min(rowCount, found.length))} of {formatCount(found.length)} courses
        </span>
        {rowCount < found.length && (
          <Button size="sm" onClick={() => setDrawn(drawn + ROWS_PER_STEP.more)}>
            Show more
          </Button>
        )}
      </div>
    </>
  );
}

const NAME_WIDTHS = [168, 232, 146, 190, 204, 128, 176, 220];

function RowsLoading() {
  return (
    <div className="tbl-box">
      {NAME_WIDTHS.map((width) => (
        <div
          key={width}
          className="flex h-11 items-center justify-between gap-4 border-line border-b px-4 last:border-0"
        >
          <Skeleton width={width} />
          <Skeleton width={96} />
        </div>
      ))}
    </div>
  );
}
