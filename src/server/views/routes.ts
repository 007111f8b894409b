import { z } from 'zod';
import { errorReply, invalidReply, messageReply, staleReply } from '../../contract/errors.ts';
import { numberedPath } from '../../contract/fields.ts';
import { viewInput, viewListReply, viewSavedReply } from '../../contract/saved-views.ts';
import type { App, Deps } from '../app-types.ts';
import { transact } from '../db/transact.ts';
import { actorOf } from '../http/authentication.ts';
import { createOnce } from '../http/idempotency.ts';
import { listViews } from './queries.ts';
import { createView, deleteView, updateView } from './write-view.ts';

const tags = ['Views'];
const viewPath = z.object({ id: numberedPath });
/** Views concern nobody but the person who keeps them, so everybody may. */
const config = { ownAccount: true } as const;

export function viewRoutes(app: App, { db }: Deps): void {
  app.get(
    '/api/views',
    {
      schema: {
        tags,
        summary: 'Your own views of the list of students, by name',
        response: { 200: viewListReply, 401: errorReply },
      },
    },
    (request) => listViews(db.read, actorOf(request).id),
  );

  app.post(
    '/api/views',
    {
      config,
      schema: {
        tags,
        summary: 'Save a view of the list of students under a name',
        body: viewInput,
        response: { 201: viewSavedReply, 401: errorReply, 422: invalidReply },
      },
    },
    async (request, reply) =>
      createOnce(db.write, request, reply, async (tx) => {
        const view = await createView(tx, actorOf(request), request.body);
        return { etag: view.etag, reply: { message: 'View saved', view } };
      }),
  );

  app.put(
    '/api/views/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Change the name or the filters of a view of your own',
        params: viewPath,
        body: viewInput,
        response: {
          200: viewSavedReply,
          401: errorReply,
          404: errorReply,
          412: staleReply,
          422: invalidReply,
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const view = await transact(db.write, (tx) =>
        updateView(tx, actorOf(request), id, request.body, request.headers['if-match']),
      );
      reply.header('etag', view.etag);
      return { message: 'View saved', view };
    },
  );

  app.delete(
    '/api/views/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Remove a view of your own',
        params: viewPath,
        response: { 200: messageReply, 401: errorReply, 404: errorReply, 412: staleReply },
      },
    },
    async (request) => {
      const { id } = request.params;
      await transact(db.write, (tx) => deleteView(tx, actorOf(request), id, request.headers['if-match']));
      return { message: 'View removed' };
    },
  );
}
