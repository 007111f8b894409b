import type { CgpaSplit } from '../../contract/insights.ts';
import { searchParamsParser, shortText } from '../lib/navigation/parse-search-params.ts';
import { useSearchParams } from '../lib/navigation/use-search-params.ts';
import { oneOf } from '../lib/one-of.ts';
import type { SortDirection } from '../ui/table.tsx';

const SPLITS = ['department', 'degree', 'syn'] as const satisfies readonly CgpaSplit[];
const VIEWS = ['charts', 'tables'] as const;
type FigureView = (typeof VIEWS)[number];
const RATE_COLUMNS = ['course', 'results', 'failed', 'rate'] as const;
export type RateColumn = (typeof RATE_COLUMNS)[number];

/** The search parameters of Insights. Absent means the default. */
export interface InsightsSearchParams {
  view?: FigureView;
  split?: CgpaSplit;
  /** The typed text; validated by the server. */
  cgpa_below?: string;
  fell_by?: string;
  min_results?: string;
  sort?: RateColumn;
  direction?: SortDirection;
}

const parseInsightsSearchParams = searchParamsParser<InsightsSearchParams>({
  view: (value) => oneOf(VIEWS, value),
  split: (value) => oneOf(SPLITS, value),
  cgpa_below: shortText(20),
  fell_by: shortText(20),
  min_results: shortText(20),
  sort: (value) => oneOf(RATE_COLUMNS, value),
  direction: (value) => oneOf(['ascending', 'descending'], value),
});

export const useInsightsSearchParams = () => useSearchParams(parseInsightsSearchParams);
