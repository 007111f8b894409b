import { viewCalls } from '../../contract/students/saved-views.ts';
import type { App, Deps } from '../app-types.ts';
import { bindCalls } from '../http/handle.ts';
import { transactAs } from '../http/transact-as.ts';
import { createView, deleteView, listViews, updateView } from './saved-views.ts';

export function savedViewRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, viewCalls);

  handle('GET /api/views', ({ actor }) => listViews(db.read, actor.id));

  handle('POST /api/views', ({ body, create }) =>
    create(db.write, async (tx, author) => {
      const view = await createView(tx, author, body);
      return { etag: view.etag, reply: { message: 'View saved', view } };
    }),
  );

  handle('PUT /api/views/:id', async ({ params, body, ifMatch, actor, reply }) => {
    const view = await transactAs(db.write, actor, (tx, author) =>
      updateView(tx, author, params.id, body, ifMatch),
    );
    reply.header('etag', view.etag);
    return { message: 'View saved', view };
  });

  handle('DELETE /api/views/:id', async ({ params, ifMatch, actor }) => {
    await transactAs(db.write, actor, (tx, author) => deleteView(tx, author, params.id, ifMatch));
    return { message: 'View removed' };
  });
}
