import type { CgpaSplit } from '../../contract/insights.ts';
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
  /** As typed; validated by the server. */
  cgpa_below?: string;
  fell_by?: string;
  min_results?: string;
  sort?: RateColumn;
  direction?: SortDirection;
}

const short = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 20 ? value : undefined;

export const useInsightsSearchParams = () => useSearchParams(parseInsightsSearchParams);

/** Parses search parameters; unknown and invalid ones are dropped. */
function parseInsightsSearchParams(search: Readonly<Record<string, unknown>>): InsightsSearchParams {
  const read = {
    view: oneOf(VIEWS, search.view),
    split: oneOf(SPLITS, search.split),
    cgpa_below: short(search.cgpa_below),
    fell_by: short(search.fell_by),
    min_results: short(search.min_results),
    sort: oneOf(RATE_COLUMNS, search.sort),
    direction: oneOf(['ascending', 'descending'], search.direction),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}
