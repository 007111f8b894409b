import type { ImportKind, ImportRowState, ImportRowsQuery, ImportState } from '../../contract/imports.ts';
import { useSearchParams } from '../lib/navigation/use-search-params.ts';
import { oneOf } from '../lib/one-of.ts';
import { IMPORT_KINDS } from './import-words.ts';

type Search = Readonly<Record<string, unknown>>;

const STATES = ['open', 'applying', 'applied', 'undone', 'cancelled'] as const;
/** `open` is an import that has not been applied, whether it has been previewed or not. */
export type StateFilter = (typeof STATES)[number];
const ROW_STATES = ['create', 'update', 'unchanged', 'refused'] as const satisfies readonly ImportRowState[];
const ORDERS = ['line', 'refused-first'] as const satisfies readonly ImportRowsQuery['order'][];

const shortText = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, 100) : undefined;

const withoutMissing = <Params extends object>(read: Params): Partial<Params> =>
  Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)) as Partial<Params>;

/** The search parameters of the list of imports. Absent means all. */
interface ImportsSearchParams {
  /** In the file name and the name of the person. */
  q?: string | undefined;
  kind?: ImportKind | undefined;
  state?: StateFilter | undefined;
}

const parseImportsSearchParams = (search: Search): ImportsSearchParams =>
  withoutMissing({
    q: shortText(search.q),
    kind: oneOf(IMPORT_KINDS, search.kind),
    state: oneOf(STATES, search.state),
  });

export const useImportsSearchParams = () => useSearchParams(parseImportsSearchParams);

export const filterOfState = (state: ImportState): StateFilter =>
  state === 'uploaded' || state === 'previewed' ? 'open' : state;

/** The search parameters of a new import. */
interface NewImportSearchParams {
  kind?: ImportKind | undefined;
  /** ID of the course whose marks are imported. */
  course?: string | undefined;
}

const parseNewImportSearchParams = (search: Search): NewImportSearchParams =>
  withoutMissing({
    kind: oneOf(IMPORT_KINDS, search.kind),
    course: typeof search.course === 'string' && /^\d{1,15}$/.test(search.course) ? search.course : undefined,
  });

export const useNewImportSearchParams = () => useSearchParams(parseNewImportSearchParams);

/** The search parameters of an import: which rows of its preview are shown, or that its columns are. */
export interface ImportSearchParams {
  step?: 'columns' | undefined;
  q?: string | undefined;
  state?: ImportRowState | undefined;
  /** Refused rows first without it. */
  order?: ImportRowsQuery['order'] | undefined;
}

const parseImportSearchParams = (search: Search): ImportSearchParams =>
  withoutMissing({
    step: oneOf(['columns'], search.step),
    q: shortText(search.q),
    state: oneOf(ROW_STATES, search.state),
    order: oneOf(ORDERS, search.order),
  });

export const useImportSearchParams = () => useSearchParams(parseImportSearchParams);
