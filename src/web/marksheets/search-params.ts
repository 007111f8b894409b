import type { SheetState } from '../../contract/marksheets/sheets.ts';
import { searchParamsParser, typedText } from '../lib/navigation/parse-search-params.ts';
import { useSearchParams } from '../lib/navigation/use-search-params.ts';
import { oneOf } from '../lib/one-of.ts';
import { SHEET_STATES } from './sheet-words.ts';

/** The search parameters of the list of mark sheets. Absent means all, but for the term. */
interface SheetsSearchParams {
  /** In course and class. */
  q?: string;
  /** ID of a term, or `all`; the current one when absent. */
  term?: string;
  state?: SheetState;
}

const parseSheetsSearchParams = searchParamsParser<SheetsSearchParams>({
  q: typedText(100),
  term: (value) => (typeof value === 'string' && /^(all|[1-9]\d{0,9})$/.test(value) ? value : undefined),
  state: (value) => oneOf(SHEET_STATES, value),
});

export const useSheetsSearchParams = () => useSearchParams(parseSheetsSearchParams);
