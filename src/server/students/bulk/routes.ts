import { z } from 'zod';
import { numberedPath } from '../../../contract/fields.ts';
import {
  BULK_CHANGES_SHOWN,
  bulkChangesReply,
  bulkInput,
  bulkPreview,
  bulkPreviewInput,
  bulkReply,
  bulkStaleReply,
  bulkUndoReply,
} from '../../../contract/students/bulk.ts';
import type { App, Deps } from '../../app-types.ts';
import { requireActor, requireStaff } from '../../http/actor.ts';
import { createIdempotently } from '../../http/idempotency.ts';
import { refusals } from '../../http/refusals.ts';
import { transactAs } from '../../http/transact-as.ts';
import { requireDeletingRight } from '../semesters/protected-slots.ts';
import { applyBulk } from './apply.ts';
import { parseChange } from './change.ts';
import { previewChange } from './preview.ts';
import { listBulkChanges, undoBulk } from './undo.ts';

const tags = ['Students'];

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
        response: { 200: bulkPreview, ...refusals(403, 422) },
      },
    },
    async (request) => {
      const change = parseChange(request.body);
      const { preview, changing } = await previewChange(db.read, request.body, change);
      if (change.action === 'delete') await requireDeletingRight(db.read, requireStaff(request), changing);
      return preview;
    },
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
        response: { 201: bulkReply, ...refusals(403, 422), 412: bulkStaleReply },
      },
    },
    async (request, reply) =>
      createIdempotently(db.write, request, reply, (tx, author) => applyBulk(tx, author, request.body)),
  );

  app.get(
    // Not below /api/students, where it would hide a student with that ID.
    '/api/bulk-changes',
    {
      schema: {
        tags,
        summary: 'The latest changes of many students',
        description: `At most ${BULK_CHANGES_SHOWN}, the latest first: for administrators those of everybody, for staff their own.`,
        response: { 200: bulkChangesReply, ...refusals(403) },
      },
    },
    (request) => listBulkChanges(db.read, requireStaff(request)),
  );

  app.post(
    '/api/students/bulk/:id/undo',
    {
      schema: {
        tags,
        summary: 'Undo a change of many students',
        description:
          'Students that have been changed since stay as they are. A delete is undone by an administrator or whoever made it. Called again, it answers the same.',
        params: z.object({ id: numberedPath }),
        response: { 200: bulkUndoReply, ...refusals(403, 404) },
      },
    },
    (request) =>
      transactAs(db.write, requireActor(request), (tx, author) => undoBulk(tx, author, request.params.id)),
  );
}
