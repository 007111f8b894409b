import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { MessageReply } from '../../../../contract/errors.ts';
import type { SavedView, ViewInput, ViewSaved } from '../../../../contract/saved-views.ts';
import { useIdempotencyKey } from '../../../forms/use-idempotency-key.ts';
import { call, errorMessage } from '../../../lib/api.ts';
import { flash } from '../../../ui/flash.tsx';

/** The user's saved views, ordered by name. */
export const savedViewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: ({ signal }) => call<SavedView[]>('GET', '/api/views', { signal }),
});

const viewPath = ({ id }: SavedView) => `/api/views/${id}`;

/** Changes of the saved views. `create` and `rename` throw a refusal; `remove` shows the result itself. */
export function useSavedViews() {
  const queries = useQueryClient();
  const idempotencyKey = useIdempotencyKey();
  const refetch = () => queries.invalidateQueries({ queryKey: savedViewsQuery.queryKey });

  const create = async (body: ViewInput) => {
    await call<ViewSaved>('POST', '/api/views', { body, idempotencyKey: idempotencyKey(body) });
    await refetch();
  };
  const rename = async (view: SavedView, name: string) => {
    try {
      await call<ViewSaved>('PUT', viewPath(view), { body: { name, view: view.view }, ifMatch: view.etag });
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
        await call<ViewSaved>('POST', '/api/views', {
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
      const { message } = await call<MessageReply>('DELETE', viewPath(view), { ifMatch: view.etag });
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
