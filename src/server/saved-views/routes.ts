import { z } from 'zod';
import { messageReply } from '../../contract/errors.ts';
import { numberedPath } from '../../contract/fields.ts';
import { viewInput, viewListReply, viewSavedReply } from '../../contract/saved-views.ts';
import type { App, Deps } from '../app-types.ts';
import { requireActor } from '../http/actor.ts';
import { createIdempotently } from '../http/idempotency.ts';
import { refusals } from '../http/refusals.ts';
import { transactAs } from '../http/transact-as.ts';
import { createView, deleteView, listViews, updateView } from './saved-views.ts';

const tags = ['Views'];
const viewPath = z.object({ id: numberedPath });
/** Every role may change its own views. */
const config = { ownAccount: true } as const;

export function savedViewRoutes(app: App, { db }: Deps): void {
  app.get(
    '/api/views',
    {
      schema: {
        tags,
        summary: 'Your own views of the list of students, by name',
        response: { 200: viewListReply, ...refusals() },
      },
    },
    (request) => listViews(db.read, requireActor(request).id),
  );

  app.post(
    '/api/views',
    {
      config,
      schema: {
        tags,
        summary: 'Save a view of the list of students under a name',
        body: viewInput,
        response: { 201: viewSavedReply, ...refusals(422) },
      },
    },
    async (request, reply) =>
      createIdempotently(db.write, request, reply, async (tx, author) => {
        const view = await createView(tx, author, request.body);
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
        response: { 200: viewSavedReply, ...refusals(404, 412, 422) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const view = await transactAs(db.write, requireActor(request), (tx, author) =>
        updateView(tx, author, id, request.body, request.headers['if-match']),
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
        response: { 200: messageReply, ...refusals(404, 412) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await transactAs(db.write, requireActor(request), (tx, author) =>
        deleteView(tx, author, id, request.headers['if-match']),
      );
      return { message: 'View removed' };
    },
  );
}
