import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { SavedView, ViewInput } from '../../../../contract/students/saved-views.ts';
import { useIdempotencyKey } from '../../../forms/use-idempotency-key.ts';
import { useTask } from '../../../forms/use-task.ts';
import { call } from '../../../lib/call.ts';

/** The user's saved views, ordered by name. */
export const savedViewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: ({ signal }) => call('GET /api/views', { signal }),
});

/** Changes of the saved views. `create` and `rename` throw a refusal; `remove` shows the result itself. */
export function useSavedViews({ onRemoved }: { onRemoved: (view: SavedView) => void }) {
  const queries = useQueryClient();
  const idempotencyKey = useIdempotencyKey();
  const refetch = () => queries.invalidateQueries({ queryKey: savedViewsQuery.queryKey });

  const create = async (body: ViewInput) => {
    await call('POST /api/views', { body, idempotencyKey: idempotencyKey(body) });
    await refetch();
  };
  const rename = async ({ id, view, etag }: SavedView, name: string) => {
    try {
      await call('PUT /api/views/:id', { params: { id }, body: { name, view }, ifMatch: etag });
    } finally {
      // After a refusal too: another tab may have changed the view.
      await refetch();
    }
  };
  const restore = useTask({
    run: async ({ id, name, view }: SavedView) => {
      const body = { name, view };
      // The key makes two clicks restore it once.
      await call('POST /api/views', { body, idempotencyKey: idempotencyKey({ id, ...body }) });
      return { message: 'View restored' };
    },
    failure: 'The view could not be restored. Try again.',
    flashesProblem: true,
    invalidates: [savedViewsQuery.queryKey],
  });
  const remove = useTask({
    run: async (view: SavedView) => {
      const params = { id: view.id };
      return { view, ...(await call('DELETE /api/views/:id', { params, ifMatch: view.etag })) };
    },
    failure: 'The view could not be removed. Try again.',
    flashesProblem: true,
    onDone: ({ view }) => onRemoved(view),
    undo: ({ view }) => restore.start(view),
    onSettled: refetch,
  });
  return { create, rename, remove: remove.start };
}
