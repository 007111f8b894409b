import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { MessageReply } from '../../contract/errors.ts';
import type { SavedView, ViewInput, ViewSaved } from '../../contract/saved-views.ts';
import { ApiError, call } from '../api.ts';
import { useAttemptKey } from '../forms/use-attempt-key.ts';
import { flash } from '../shell/flash.tsx';

/** The person's own views of the list, by name. */
export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: ({ signal }) => call<SavedView[]>('GET', '/api/views', { signal }),
});

const pathOf = ({ id }: SavedView) => `/api/views/${id}`;

/** What can be done with views. A refusal to save is thrown; what became of a removal is told in the flash too. */
export function useSavedViews() {
  const queries = useQueryClient();
  const attemptKey = useAttemptKey();
  const readAgain = () => queries.invalidateQueries({ queryKey: viewsQuery.queryKey });

  const create = async (body: ViewInput) => {
    await call<ViewSaved>('POST', '/api/views', { body, idempotencyKey: attemptKey(body) });
    await readAgain();
  };
  const rename = async (view: SavedView, name: string) => {
    try {
      await call<ViewSaved>('PUT', pathOf(view), { body: { name, view: view.view }, ifMatch: view.etag });
    } finally {
      // A refusal may come of a change that this page has not seen.
      await readAgain();
    }
  };
  const bringBack =
    ({ id, name, view }: SavedView) =>
    async () => {
      const body = { name, view };
      try {
        // Pressed twice, it is brought back once.
        await call<ViewSaved>('POST', '/api/views', { body, idempotencyKey: attemptKey({ id, ...body }) });
        await readAgain();
        flash('View brought back');
      } catch (error) {
        flash(textOf(error, 'The view could not be brought back. Try again.'), 'warning');
      }
    };
  /** @returns whether it is gone */
  const remove = async (view: SavedView): Promise<boolean> => {
    try {
      const { message } = await call<MessageReply>('DELETE', pathOf(view), { ifMatch: view.etag });
      const run = bringBack(view);
      flash(message, 'done', { label: 'Undo', run: () => void run() });
      return true;
    } catch (error) {
      flash(textOf(error, 'The view could not be removed. Try again.'), 'warning');
      return false;
    } finally {
      await readAgain();
    }
  };
  return { create, rename, remove };
}

const textOf = (error: unknown, otherwise: string) => (error instanceof ApiError ? error.message : otherwise);
