import type { SheetState } from '../../contract/marksheets/sheets.ts';
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

function parseSheetsSearchParams(search: Readonly<Record<string, unknown>>): SheetsSearchParams {
  const { q, term } = search;
  const state = oneOf(SHEET_STATES, search.state);
  return {
    ...(typeof q === 'string' && q.trim() !== '' && { q: q.slice(0, 100) }),
    ...(typeof term === 'string' && /^(all|[1-9]\d{0,9})$/.test(term) && { term }),
    ...(state !== undefined && { state }),
  };
}

export const useSheetsSearchParams = () => useSearchParams(parseSheetsSearchParams);
