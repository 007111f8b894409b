import { useQuery } from '@tanstack/react-query';
import { calendarDate } from '../../domain/age.ts';
import { currentTerm } from '../settings/current-term.ts';
import { termsQuery } from '../settings/term-queries.ts';
import { useReportsSearchParams } from './search-params.ts';

/** The terms, and the one that a report is of; undefined until they are read, and without any. */
export function useReportedTerm() {
  const { address } = useReportsSearchParams();
  const query = useQuery(termsQuery);
  const terms = query.data ?? [];
  const termId = address.term_id ?? currentTerm(terms, calendarDate(new Date()))?.term_id;
  return { query, terms, termId, name: terms.find(({ term_id }) => term_id === termId)?.name };
}
