import { queryOptions, skipToken } from '@tanstack/react-query';
import type { BulkPreview, BulkPreviewInput } from '../../contract/bulk.ts';
import type { StudentFilter } from '../../contract/student-list.ts';
import type { Department } from '../../domain/student.ts';
import { ApiError, call } from '../api.ts';
import type { ListSelection } from './list-selection.ts';

/** What is to be done to the students that are chosen. */
export type BulkChange =
  | { action: 'next-semester' }
  | { action: 'syndicate'; syn: NonNullable<BulkPreviewInput['syn']> }
  | { action: 'department'; department: Department }
  | { action: 'delete' };

/** The chosen students in the server's words. */
export function chosenOf(
  selection: ListSelection,
  filter: StudentFilter,
): Pick<BulkPreviewInput, 'ids' | 'filter' | 'except'> {
  if (selection.kind === 'some') return { ids: [...selection.ids] };
  return { filter, except: [...selection.except] };
}

/** Not asked for until it is clear what is to be done. */
export const bulkPreviewQuery = (asked: BulkPreviewInput | undefined) =>
  queryOptions<BulkPreview>({
    queryKey: ['bulk-preview', asked],
    queryFn:
      asked === undefined
        ? skipToken
        : ({ signal }) => call('POST', '/api/students/bulk/preview', { body: asked, signal, isRead: true }),
    // What was true when the dialog was open before is of no use.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Why the server would not, in its own words. */
export function refusalText(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The students could not be changed. Try again.';
  return Object.values(error.errors)[0]?.[0] ?? error.message;
}
