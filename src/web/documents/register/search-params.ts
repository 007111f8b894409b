import { DOCUMENT_STATES, type DocumentState } from '../../../domain/documents/kinds.ts';
import { searchParamsParser, trimmedText } from '../../lib/navigation/parse-search-params.ts';
import { useSearchParams } from '../../lib/navigation/use-search-params.ts';
import { oneOf } from '../../lib/one-of.ts';

/** The search parameters of the register. Absent means all. */
export interface RegisterSearchParams {
  student_id?: string;
  serial?: string;
  state?: DocumentState;
}

/** Longer texts are no IDs and no serials. */
const code = trimmedText(20);

const parseRegisterSearchParams = searchParamsParser<RegisterSearchParams>({
  student_id: code,
  serial: code,
  state: (value) => oneOf(DOCUMENT_STATES, value),
});

export const useRegisterSearchParams = () => useSearchParams(parseRegisterSearchParams);
