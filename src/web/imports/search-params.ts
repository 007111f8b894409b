import type { ImportKind, ImportRowState, ImportRowsQuery, ImportState } from '../../contract/imports.ts';
import { searchParamsParser, typedText, wholeNumber } from '../lib/navigation/parse-search-params.ts';
import { useSearchParams } from '../lib/navigation/use-search-params.ts';
import { oneOf } from '../lib/one-of.ts';
import { IMPORT_KINDS } from './import-labels.ts';

const STATES = ['open', 'applying', 'applied', 'undone', 'cancelled'] as const;
/** `open` is an import that has not been applied, whether it has been previewed or not. */
export type StateFilter = (typeof STATES)[number];
const ROW_STATES = ['create', 'update', 'unchanged', 'refused'] as const satisfies readonly ImportRowState[];
const ORDERS = ['line', 'refused-first'] as const satisfies readonly ImportRowsQuery['order'][];

/** Characters of a search. */
const MAX_LENGTH = 100;

/** The search parameters of the list of imports. Absent means all. */
interface ImportsSearchParams {
  /** In the file name and the name of the person. */
  q?: string;
  kind?: ImportKind;
  state?: StateFilter;
}

const parseImportsSearchParams = searchParamsParser<ImportsSearchParams>({
  q: typedText(MAX_LENGTH),
  kind: (value) => oneOf(IMPORT_KINDS, value),
  state: (value) => oneOf(STATES, value),
});

export const useImportsSearchParams = () => useSearchParams(parseImportsSearchParams);

export const toStateFilter = (state: ImportState): StateFilter =>
  state === 'uploaded' || state === 'previewed' ? 'open' : state;

/** The search parameters of a new import. */
interface NewImportSearchParams {
  kind?: ImportKind;
  /** ID of the course whose marks are imported. */
  course?: string;
  /** ID of the draft whose rows are imported. */
  scheme?: string;
}

const parseNewImportSearchParams = searchParamsParser<NewImportSearchParams>({
  kind: (value) => oneOf(IMPORT_KINDS, value),
  course: wholeNumber(Number.MAX_SAFE_INTEGER),
  scheme: wholeNumber(Number.MAX_SAFE_INTEGER),
});

export const useNewImportSearchParams = () => useSearchParams(parseNewImportSearchParams);

/** The search parameters of an import: which rows of its preview are shown, or that its columns are. */
export interface ImportSearchParams {
  step?: 'columns';
  q?: string;
  state?: ImportRowState;
  /** Refused rows first without it. */
  order?: ImportRowsQuery['order'];
}

const parseImportSearchParams = searchParamsParser<ImportSearchParams>({
  step: (value) => oneOf(['columns'], value),
  q: typedText(MAX_LENGTH),
  state: (value) => oneOf(ROW_STATES, value),
  order: (value) => oneOf(ORDERS, value),
});

export const useImportSearchParams = () => useSearchParams(parseImportSearchParams);
