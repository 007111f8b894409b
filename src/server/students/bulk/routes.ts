import { z } from 'zod';
import {
  bulkInput,
  bulkPreview,
  bulkPreviewInput,
  bulkReply,
  bulkStaleReply,
  bulkUndoReply,
} from '../../../contract/bulk.ts';
import { errorReply, invalidReply } from '../../../contract/errors.ts';
import { numberedPath } from '../../../contract/fields.ts';
import type { App, Deps } from '../../app-types.ts';
import { transact } from '../../db/transact.ts';
import { actorOf } from '../../http/authentication.ts';
import { createOnce } from '../../http/idempotency.ts';
import { applyBulk } from './apply.ts';
import { changeOf } from './change.ts';
import { survey } from './survey.ts';
import { undoBulk } from './undo.ts';

const tags = ['Students'];
const refusals = { 401: errorReply, 403: errorReply, 422: invalidReply };

/** Changes of many students in one go. */
export function bulkRoutes(app: App, { db }: Deps): void {
  app.post(
    '/api/students/bulk/preview',
    {
      schema: {
        tags,
        summary: 'What a change of many students would do',
        description:
          'Changes nothing. The students are named by `ids`, or are all that match `filter` but for `except`.',
        body: bulkPreviewInput,
        response: { 200: bulkPreview, ...refusals },
      },
    },
    async ({ body }) => (await survey(db.read, body, changeOf(body))).preview,
  );

  app.post(
    '/api/students/bulk',
    {
      schema: {
        tags,
        summary: 'Change many students in one go, all of them or none',
        description:
          'The same as for the preview, with its `fingerprint`. 412 with a new preview when other students match by now, or some of them have been changed.',
        body: bulkInput,
        response: { 201: bulkReply, ...refusals, 412: bulkStaleReply },
      },
    },
    async (request, reply) =>
      createOnce(db.write, request, reply, (tx) => applyBulk(tx, actorOf(request), request.body)),
  );

  app.post(
    '/api/students/bulk/:id/undo',
    {
      schema: {
        tags,
        summary: 'Undo a change of many students',
        description:
          'Students that have been changed since stay as they are. A delete is undone by administrators only. Called again, it answers the same.',
        params: z.object({ id: numberedPath }),
        response: { 200: bulkUndoReply, 401: errorReply, 403: errorReply, 404: errorReply },
      },
    },
    (request) => transact(db.write, (tx) => undoBulk(tx, actorOf(request), request.params.id)),
  );
}
