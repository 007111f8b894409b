import { DOCUMENT_STATES, type DocumentState } from '../../../domain/documents/kinds.ts';
import { useSearchParams } from '../../lib/navigation/use-search-params.ts';
import { oneOf } from '../../lib/one-of.ts';

/** The search parameters of the register. Absent means all. */
export interface RegisterSearchParams {
  student_id?: string;
  serial?: string;
  state?: DocumentState;
}

/** Longer texts are no IDs and no serials. */
const MAX_LENGTH = 20;

const shortText = (value: unknown) =>
  typeof value === 'string' ? value.trim().slice(0, MAX_LENGTH) || undefined : undefined;

function parseRegisterSearchParams(search: Readonly<Record<string, unknown>>): RegisterSearchParams {
  const student_id = shortText(search.student_id);
  const serial = shortText(search.serial);
  const state = oneOf(DOCUMENT_STATES, search.state);
  return {
    ...(student_id !== undefined && { student_id }),
    ...(serial !== undefined && { serial }),
    ...(state !== undefined && { state }),
  };
}

export const useRegisterSearchParams = () => useSearchParams(parseRegisterSearchParams);
