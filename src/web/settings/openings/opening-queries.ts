import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { OpenableClass } from '../../../contract/marksheets/openings.ts';
import { type Preview, toQueryFunction } from '../../lib/call.ts';
import { invalidateTerms } from '../term-queries.ts';

export const openableClassesQuery = (termId: number) =>
  queryOptions({
    queryKey: ['openings', 'classes', termId],
    queryFn: toQueryFunction('GET /api/terms/:term_id/openings/classes', { params: { term_id: termId } }),
  });

/** The openings of a term, the newest first. */
export const openingsQuery = (termId: number) =>
  queryOptions({
    queryKey: ['openings', 'list', termId],
    queryFn: toQueryFunction('GET /api/terms/:term_id/openings', { params: { term_id: termId } }),
    staleTime: 0,
  });

export type UndoPreview = Preview<'POST /api/openings/:opening_id/undo'>;

/** Which sheets an undo deletes and keeps. Not cached: it has to be that of now. */
export const undoOpeningQuery = (openingId: number) =>
  queryOptions({
    queryKey: ['openings', 'undo', openingId],
    queryFn: toQueryFunction('GET /api/openings/:opening_id/undo', { params: { opening_id: openingId } }),
    gcTime: 0,
    staleTime: 0,
  });

/** After an opening or its undo: lists of sheets, terms and what is waiting are others. */
export async function resetOpenings(queries: QueryClient): Promise<void> {
  queries.removeQueries({ queryKey: ['sheets', 'list'], type: 'inactive' });
  queries.removeQueries({ queryKey: ['students', 'terms'], type: 'inactive' });
  invalidateTerms(queries);
  await queries.invalidateQueries({ queryKey: ['openings', 'list'] });
}

/** `CE-46, semester 6` */
export const openedClassText = ({
  department,
  degree,
  semester,
}: Pick<OpenableClass, 'department' | 'degree' | 'semester'>) =>
  `${department}-${degree}, semester ${semester}`;
