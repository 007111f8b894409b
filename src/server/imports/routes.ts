import { Readable } from 'node:stream';
import { z } from 'zod';
import { invalidReply } from '../../contract/errors.ts';
import { numberedPath } from '../../contract/fields.ts';
import {
  IMPORT_KEPT_HOURS,
  IMPORT_KINDS,
  importAppliedReply,
  importApplyInput,
  importCreatedReply,
  importInput,
  importListReply,
  importPreview,
  importPreviewInput,
  importReply,
  importRowsQuery,
  importRowsReply,
  importStaleReply,
  importUndoInput,
  importUndoneReply,
  importUndoPreview,
  importUndoStaleReply,
  MAX_IMPORT_BYTES,
} from '../../contract/imports.ts';
import { EXPORT_FORMATS } from '../../contract/students/export.ts';
import type { App, Deps } from '../app-types.ts';
import { requireActor, requireStaff } from '../http/actor.ts';
import { backgroundTasks } from '../http/background-tasks.ts';
import { createIdempotently } from '../http/idempotency.ts';
import { refusals } from '../http/refusals.ts';
import { transactAs } from '../http/transact-as.ts';
import { FILE_TYPES } from '../students/export/send-export.ts';
import { applyImport, cancelImport } from './apply.ts';
import { asPerson } from './importer.ts';
import {
  findImport,
  listImports,
  noSuchImport,
  presentFor,
  presentImport,
  requireOwnImport,
} from './imports.ts';
import { previewImport } from './preview.ts';
import { importTemplate } from './reading/templates.ts';
import { listRows, refusedCsv, requirePreview } from './rows.ts';
import { RunningImports } from './running.ts';
import { previewUndo, undoImport } from './undo.ts';
import { completeUpload, deleteExpiredImports, deleteImport, storeUpload } from './upload.ts';

const tags = ['Imports'];
const path = z.object({ import_id: numberedPath });
/** Text bypasses the serializer. */
const file = z.unknown().meta({ type: 'string', format: 'binary' });
const MIB = 1024 * 1024;
const EXPIRY_INTERVAL_MS = 60 * 60_000;

/** Of a preview: what is missing in the file, beside the texts. */
const unreadableReply = invalidReply.extend({
  unmapped_required: z.array(z.string()).optional(),
  ambiguous_columns: z.array(z.int()).optional(),
});

/** Imports of files: upload, preview, apply, undo. */
export function importRoutes(app: App, { db }: Deps): void {
  const runInBackground = backgroundTasks(app);
  const running = new RunningImports(db);
  let isStopping = false;
  const deleteExpired = () =>
    runInBackground(
      deleteExpiredImports(db.write, () => isStopping),
      'expired imports were not deleted',
    );
  const timer = setInterval(deleteExpired, EXPIRY_INTERVAL_MS).unref();
  app.addHook('onReady', (done) => {
    deleteExpired();
    done();
  });
  app.addHook('preClose', (done) => {
    isStopping = true;
    clearInterval(timer);
    running.stopAll();
    done();
  });

  app.get(
    '/api/imports/templates/:kind.:format',
    {
      schema: {
        tags,
        summary: 'A file with the headings and two example rows, which can be imported as it is',
        params: z.object({ kind: z.enum(IMPORT_KINDS), format: z.enum(EXPORT_FORMATS) }),
        response: { 200: file, ...refusals(403, 404) },
      },
    },
    async (request, reply) => {
      requireStaff(request);
      const { kind, format } = request.params;
      return reply
        .headers({
          'content-type': FILE_TYPES[format],
          'content-disposition': `attachment; filename="${kind}.${format}"`,
        })
        .send(Readable.from(importTemplate(kind, format)));
    },
  );

  app.post(
    '/api/imports',
    {
      // JSON escapes make text longer.
      bodyLimit: 2 * MAX_IMPORT_BYTES,
      config: {
        heavy: 'upload',
        form: { files: ['file'], fileBytes: MAX_IMPORT_BYTES + MIB, fieldBytes: MAX_IMPORT_BYTES + MIB },
      },
      schema: {
        tags,
        summary: 'Send a file to import: CSV or XLSX in `file`, or delimited text in `text`',
        description: `Only reads the file; no record changes. Kept for ${IMPORT_KEPT_HOURS} hours unless it is applied.`,
        consumes: ['application/json', 'multipart/form-data'],
        body: importInput,
        response: { 201: importCreatedReply, ...refusals(403, 413, 422) },
      },
    },
    async (request, reply) => {
      const bytes = request.uploads.get('file');
      const upload = bytes && { bytes, name: request.fileNames.get('file') ?? '' };
      const userId = requireActor(request).id;
      const stored = await storeUpload(db, request.body, { upload, userId, signal: request.left });
      try {
        let isKept = false;
        await createIdempotently(db.write, request, reply, async (tx) => {
          isKept = true;
          const created = await completeUpload(tx, stored);
          return {
            etag: `"import${created.id}"`,
            reply: { import: await presentImport(tx, created, running) },
          };
        });
        // A repeated call: the answer is the first one's.
        if (!isKept) await deleteImport(db.write, stored.importId);
        return reply;
      } catch (error) {
        await deleteImport(db.write, stored.importId);
        throw error;
      }
    },
  );

  app.get(
    '/api/imports',
    {
      schema: {
        tags,
        summary: 'The latest 200 imports of everybody, the newest first',
        response: { 200: importListReply, ...refusals(403) },
      },
    },
    (request) => {
      requireStaff(request);
      return listImports(db.read, running);
    },
  );

  app.get(
    '/api/imports/:import_id',
    {
      schema: {
        tags,
        summary: 'An import, with its progress while it is being applied',
        params: path,
        response: { 200: importReply, ...refusals(403, 404) },
      },
    },
    async (request) => {
      const actor = requireStaff(request);
      const row = await findImport(db.read, request.params.import_id);
      if (row === undefined) throw noSuchImport();
      return presentFor(actor, row, await presentImport(db.read, row, running));
    },
  );

  app.post(
    '/api/imports/:import_id/preview',
    {
      bodyLimit: 8 * MIB,
      config: { heavy: 'preview' },
      schema: {
        tags,
        summary: 'What an import would store',
        description:
          'Changes no record. What is left out is as recognised from the headings. A later preview takes the place of an earlier one.',
        params: path,
        body: importPreviewInput,
        response: { 200: importPreview, ...refusals(403, 404, 409), 422: unreadableReply },
      },
    },
    (request) =>
      previewImport(db, running, asPerson(requireActor(request)), {
        importId: request.params.import_id,
        input: request.body,
      }),
  );

  app.get(
    '/api/imports/:import_id/rows',
    {
      schema: {
        tags,
        summary: 'The rows of the latest preview',
        params: path,
        querystring: importRowsQuery,
        response: { 200: importRowsReply, ...refusals(403, 404, 409, 422) },
      },
    },
    async (request) => {
      const row = await requireOwnImport(db.read, request.params.import_id, requireStaff(request));
      return listRows(db.read, row, request.query);
    },
  );

  app.get(
    '/api/imports/:import_id/refused.csv',
    {
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: 'The refused rows with the reasons, to correct and send again',
        params: path,
        response: { 200: file, ...refusals(403, 404, 409) },
      },
    },
    async (request, reply) => {
      const row = await requireOwnImport(db.read, request.params.import_id, requireStaff(request));
      requirePreview(row);
      return reply
        .headers({
          'content-type': FILE_TYPES.csv,
          'content-disposition': 'attachment; filename="refused-rows.csv"',
        })
        .send(Readable.from(refusedCsv(db.read, row)));
    },
  );

  app.post(
    '/api/imports/:import_id/apply',
    {
      schema: {
        tags,
        summary: 'Store all rows of an import, or with `partial` those that are not refused',
        description:
          'With the `fingerprint` of the preview; 412 with a new preview when it no longer holds. One transaction, which a lost connection does not stop.',
        params: path,
        body: importApplyInput,
        response: { 200: importAppliedReply, ...refusals(403, 404, 409, 422), 412: importStaleReply },
      },
    },
    async (request) => {
      const importId = request.params.import_id;
      const importer = asPerson(requireActor(request));
      const message = await applyImport(db, running, importer, { importId, input: request.body });
      return { message, import: await requirePresented(importId) };
    },
  );

  app.post(
    '/api/imports/:import_id/cancel',
    {
      schema: {
        tags,
        summary: 'End an import without storing anything',
        params: path,
        response: { 200: importAppliedReply, ...refusals(403, 404, 409) },
      },
    },
    async (request) => {
      const importId = request.params.import_id;
      const actor = requireActor(request);
      await requireOwnImport(db.read, importId, actor);
      // Before the transaction: on SQLite it waits for the one that applies the import.
      running.cancel(importId);
      await transactAs(db.write, actor, (tx) => cancelImport(tx, actor, importId));
      return {
        message: 'The import was cancelled. Nothing was stored.',
        import: await requirePresented(importId),
      };
    },
  );

  app.get(
    '/api/imports/:import_id/undo',
    {
      schema: {
        tags,
        summary: 'What an undo of an import would do',
        params: path,
        response: { 200: importUndoPreview, ...refusals(403, 404) },
      },
    },
    async (request) =>
      previewUndo(db.read, await requireOwnImport(db.read, request.params.import_id, requireStaff(request))),
  );

  app.post(
    '/api/imports/:import_id/undo',
    {
      schema: {
        tags,
        summary: 'Undo an import',
        description:
          'Records that were changed since stay as they are. With the `fingerprint` of the preview; 412 with a new one when records were changed meanwhile.',
        params: path,
        body: importUndoInput,
        response: { 200: importUndoneReply, ...refusals(403, 404, 409, 422), 412: importUndoStaleReply },
      },
    },
    async (request) => {
      const importId = request.params.import_id;
      const undone = await transactAs(db.write, requireActor(request), (tx, author) =>
        undoImport(tx, author, { importId, ...request.body }),
      );
      return { ...undone, import: await requirePresented(importId) };
    },
  );

  const requirePresented = async (importId: number) => {
    const row = await findImport(db.read, importId);
    if (row === undefined) throw noSuchImport();
    return presentImport(db.read, row, running);
  };
}
