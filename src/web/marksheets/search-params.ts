import type { SheetState } from '../../contract/marksheets/sheets.ts';
import {
  searchParamsParser,
  shortText,
  typedText,
  wholeNumber,
} from '../lib/navigation/parse-search-params.ts';
import { useSearchParams } from '../lib/navigation/use-search-params.ts';
import { oneOf } from '../lib/one-of.ts';
import { SHEET_STATES } from './sheet-labels.ts';

/** The search parameters of the list of mark sheets. Absent means all, but for the term. */
interface SheetsSearchParams {
  /** In course and class. */
  q?: string;
  /** ID of a term, or `all`; the current one when absent. */
  term?: string;
  state?: SheetState;
  /** Those that have no teacher and are not confirmed. */
  teacher?: 'none';
}

const parseSheetsSearchParams = searchParamsParser<SheetsSearchParams>({
  q: typedText(100),
  term: (value) => (typeof value === 'string' && /^(all|[1-9]\d{0,9})$/.test(value) ? value : undefined),
  state: (value) => oneOf(SHEET_STATES, value),
  teacher: (value) => oneOf(['none'], value),
});

export const useSheetsSearchParams = () => useSearchParams(parseSheetsSearchParams);

/** A cell of the marks of a sheet. */
interface CellSearchParams {
  /** ID. */
  student?: string;
  /** Number. */
  component?: string;
}

export const parseCellSearch = searchParamsParser<CellSearchParams>({
  student: shortText(20),
  component: wholeNumber(2 ** 31 - 1),
});

/** The search parameters of the address of a cell. */
export const cellSearch = (studentId: string, componentId: number): CellSearchParams => ({
  student: studentId,
  component: String(componentId),
});
