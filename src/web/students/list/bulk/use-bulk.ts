import { hashKey, queryOptions, skipToken, useQueryClient } from '@tanstack/react-query';
import type { BulkPreview, BulkPreviewInput } from '../../../../contract/students/bulk.ts';
import type { StudentFilter } from '../../../../contract/students/student-list.ts';
import type { Department, Status } from '../../../../domain/student.ts';
import { type TaskOptions, useTask } from '../../../forms/use-task.ts';
import { call } from '../../../lib/call.ts';
import type { ListSelection } from '../model/selection.ts';

/** A change of all selected students. */
export type BulkChange =
  | { action: 'next-semester' }
  | { action: 'syndicate'; syn: NonNullable<BulkPreviewInput['syn']> }
  | { action: 'department'; department: Department }
  | { action: 'status'; status: Status; date: string | null; reason: string }
  | { action: 'delete' };

/** The selection as the API takes it. */
export function toBulkSelection(
  selection: ListSelection,
  filter: StudentFilter,
): Pick<BulkPreviewInput, 'ids' | 'filter' | 'except'> {
  if (selection.kind === 'some') return { ids: [...selection.ids] };
  return { filter, except: [...selection.except] };
}

/**
 * The effect of a change; not fetched while the change is incomplete. The preview stays as a placeholder while the same change
 * is previewed with another reason.
 */
export function bulkPreviewQuery(request: BulkPreviewInput | undefined) {
  const { reason, ...change } = request ?? {};
  return queryOptions<BulkPreview>({
    queryKey: ['bulk-preview', change, reason],
    queryFn:
      request === undefined
        ? skipToken
        : ({ signal }) =>
            call('POST /api/students/bulk/preview', { body: request, signal, hasOverlay: false }),
    placeholderData: (preview, before) =>
      hashKey(['bulk-preview', change]) === hashKey(before?.queryKey.slice(0, 2) ?? []) ? preview : undefined,
    // Each opening of the dialog shows a new preview.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const BULK_FAILURE = 'The students could not be changed. Try again.';

/** The latest changes of many students that the user may undo. */
export const bulkChangesQuery = queryOptions({
  queryKey: ['bulk-changes'],
  queryFn: ({ signal }) => call('GET /api/bulk-changes', { signal }),
  gcTime: 0,
});

/** The latest deletions of single students and courses that the user may undo. */
export const deletionsQuery = queryOptions({
  queryKey: ['deletions'],
  queryFn: ({ signal }) => call('GET /api/deletions', { signal }),
  gcTime: 0,
});

/** Undoes a change of many students and shows the result. */
export function useUndoBulkChange(
  options: Pick<TaskOptions<number, unknown>, 'invalidates' | 'onSettled'> = {},
) {
  const queries = useQueryClient();
  return useTask({
    run: (id: number) => call('POST /api/students/bulk/:id/undo', { params: { id } }),
    // A change may affect any cached student.
    onDone: () => void queries.resetQueries({ queryKey: ['students'] }),
    isWarning: ({ left }) => left > 0,
    failure: BULK_FAILURE,
    flashesProblem: true,
    ...options,
  });
}
