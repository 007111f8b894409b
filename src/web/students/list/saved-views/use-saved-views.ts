import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { SavedView, ViewInput } from '../../../../contract/saved-views.ts';
import { useIdempotencyKey } from '../../../forms/use-idempotency-key.ts';
import { errorMessage } from '../../../lib/api.ts';
import { call } from '../../../lib/call.ts';
import { flash } from '../../../ui/flash.tsx';

/** The user's saved views, ordered by name. */
export const savedViewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: ({ signal }) => call('GET /api/views', { signal }),
});

/** Changes of the saved views. `create` and `rename` throw a refusal; `remove` shows the result itself. */
export function useSavedViews() {
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
  const restore =
    ({ id, name, view }: SavedView) =>
    async () => {
      const body = { name, view };
      try {
        // The key makes two clicks restore it once.
        await call('POST /api/views', {
          body,
          idempotencyKey: idempotencyKey({ id, ...body }),
        });
        await refetch();
        flash('View restored');
      } catch (error) {
        flash(errorMessage(error, 'The view could not be restored. Try again.'), 'warning');
      }
    };
  /** @returns whether it is removed */
  const remove = async (view: SavedView): Promise<boolean> => {
    try {
      const { message } = await call('DELETE /api/views/:id', {
        params: { id: view.id },
        ifMatch: view.etag,
      });
      const run = restore(view);
      flash(message, 'done', { label: 'Undo', run: () => void run() });
      return true;
    } catch (error) {
      flash(errorMessage(error, 'The view could not be removed. Try again.'), 'warning');
      return false;
    } finally {
      await refetch();
    }
  };
  return { create, rename, remove };
}
