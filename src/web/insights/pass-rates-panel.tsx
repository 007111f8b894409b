import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CourseResults } from '../../contract/insights.ts';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/small-parts.tsx';
import { countText } from './figure-texts.ts';
import type { RateColumn } from './insights-address.ts';
import { passRatesQuery } from './insights-queries.ts';
import { LimitField } from './limit-field.tsx';
import { Panel } from './panel.tsx';
import { PassRatesTable } from './pass-rates-table.tsx';
import { coursesInOrder, type RateOrder } from './rate-order.ts';
import { useInsightsAddress } from './use-insights-address.ts';

/** One result says nothing about a course. */
const FEWEST_RESULTS = 5;
/** Rows that are drawn at first, and that each press adds. */
const ROWS = { first: 12, more: 100 } as const;

/** The courses that most students fail. */
export function PassRatesPanel() {
  const { address, change } = useInsightsAddress();
  const least = address.min_results ?? String(FEWEST_RESULTS);
  const isRefused = !/^\d{1,9}$/.test(least.trim());
  return (
    <Panel
      title="Pass rates"
      text="Graded results of each course; an F is a fail. A student who failed a course twice has two results here and is one in the list."
      controls={
        <LimitField
          name="min_results"
          label="Results at least"
          value={least}
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
      {(courses) => <PassRates courses={courses} least={isRefused ? FEWEST_RESULTS : Number(least)} />}
    </Panel>
  );
}

function PassRates({ courses, least }: { courses: readonly CourseResults[]; least: number }) {
  const { address, change } = useInsightsAddress();
  const [drawn, setDrawn] = useState<number>(ROWS.first);
  const order: RateOrder = {
    column: address.sort ?? 'rate',
    direction: address.direction ?? 'ascending',
  };
  const sort = (column: RateColumn) => {
    const turns = column === order.column && order.direction === 'ascending';
    change({ sort: column, direction: turns ? 'descending' : 'ascending' });
  };
  const found = coursesInOrder(courses, least, order);
  if (found.length === 0) {
    return (
      <p className="text-fg-2">
        No course has {countText(least)} results. The most that one has is{' '}
        {countText(Math.max(...courses.map(({ results }) => results)))}.
      </p>
    );
  }
  return (
    <>
      <PassRatesTable courses={found.slice(0, drawn)} order={order} onSort={sort} />
      <div className="mt-3 flex flex-wrap items-center gap-3 text-fg-3 text-label">
        <span role="status">
          {countText(Math.min(drawn, found.length))} of {countText(found.length)} courses
        </span>
        {drawn < found.length && (
          <Button size="sm" onClick={() => setDrawn(drawn + ROWS.more)}>
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
