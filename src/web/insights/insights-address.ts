import type { CgpaSplit } from '../../contract/insights.ts';
import type { SortDirection } from '../ui/data-table.tsx';

const SPLITS = ['department', 'degree', 'syn'] as const satisfies readonly CgpaSplit[];
const VIEWS = ['charts', 'tables'] as const;
export type View = (typeof VIEWS)[number];
const RATE_COLUMNS = ['course', 'results', 'failed', 'rate'] as const;
export type RateColumn = (typeof RATE_COLUMNS)[number];

/** What the address says beside its path: how the figures are split, limited and shown. Absent is as usual. */
export interface InsightsAddress {
  view?: View;
  split?: CgpaSplit;
  /** As typed; the server says what is wrong with it. */
  cgpa_below?: string;
  fell_by?: string;
  min_results?: string;
  sort?: RateColumn;
  direction?: SortDirection;
}

const oneOf = <const Value extends string>(values: readonly Value[], value: unknown) =>
  values.find((known) => known === value);

const short = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 20 ? value : undefined;

/** Reads an address that anybody may have typed: what means nothing here is as if it were not there. */
export function readInsightsAddress(search: Readonly<Record<string, unknown>>): InsightsAddress {
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
