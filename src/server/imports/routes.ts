import { Readable } from 'node:stream';
import { importCalls } from '../../contract/import-calls.ts';
import { MAX_IMPORT_BYTES } from '../../contract/imports.ts';
import type { App, Deps } from '../app-types.ts';
import { backgroundTasks } from '../http/background-tasks.ts';
import { bindCalls } from '../http/handle.ts';
import { transactAs } from '../http/transact-as.ts';
import { FILE_TYPES } from '../students/export/send-export.ts';
import { applyImport, cancelImport } from './apply.ts';
import { personImporter } from './importer.ts';
import {
  findImport,
  listImports,
  noSuchImport,
  presentFor,
  presentImport,
  requireKindRight,
  requireOwnImport,
} from './imports.ts';
import { previewImport } from './preview.ts';
import { importTemplate } from './reading/templates.ts';
import { listRows, refusedCsv, requirePreview } from './rows.ts';
import { RunningImports } from './running.ts';
import { previewUndo, undoImport } from './undo.ts';
import { completeUpload, deleteExpiredImports, deleteImport, storeUpload } from './upload.ts';

const MIB = 1024 * 1024;
const EXPIRY_INTERVAL_MS = 60 * 60_000;

/** Imports of files: upload, preview, apply, undo. */
export function importRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, importCalls);
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

  handle('GET /api/imports/templates/:kind.:format', ({ params: { kind, format }, reply }) =>
    reply
      .headers({
        'content-type': FILE_TYPES[format],
        'content-disposition': `attachment; filename="${kind}.${format}"`,
      })
      .send(Readable.from(importTemplate(kind, format))),
  );

  handle(
    'POST /api/imports',
    {
      // JSON escapes make text longer.
      bodyLimit: 2 * MAX_IMPORT_BYTES,
      config: {
        heavy: 'upload',
        form: { files: ['file'], fileBytes: MAX_IMPORT_BYTES + MIB, fieldBytes: MAX_IMPORT_BYTES + MIB },
      },
      consumes: ['application/json', 'multipart/form-data'],
    },
    async ({ body, actor, request, reply, create }) => {
      requireKindRight(body.kind, actor.role);
      const bytes = request.uploads.get('file');
      const upload = bytes && { bytes, name: request.fileNames.get('file') ?? '' };
      const stored = await storeUpload(db, body, { upload, userId: actor.id, signal: request.left });
      try {
        let isKept = false;
        await create(db.write, async (tx) => {
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

  handle('GET /api/imports', () => listImports(db.read, running));

  handle('GET /api/imports/:import_id', async ({ params, actor }) => {
    const row = await findImport(db.read, params.import_id);
    if (row === undefined) throw noSuchImport();
    return presentFor(actor, row, await presentImport(db.read, row, running));
  });

  handle(
    'POST /api/imports/:import_id/preview',
    { bodyLimit: 8 * MIB, config: { heavy: 'preview' } },
    ({ params, body, actor }) =>
      previewImport(db, running, personImporter(actor), { importId: params.import_id, input: body }),
  );

  handle('GET /api/imports/:import_id/rows', async ({ params, query, actor }) =>
    listRows(db.read, await requireOwnImport(db.read, params.import_id, actor), query),
  );

  handle(
    'GET /api/imports/:import_id/refused.csv',
    { exposeHeadRoute: false },
    async ({ params, actor, reply }) => {
      const row = await requireOwnImport(db.read, params.import_id, actor);
      requirePreview(row);
      return reply
        .headers({
          'content-type': FILE_TYPES.csv,
          'content-disposition': 'attachment; filename="refused-rows.csv"',
        })
        .send(Readable.from(refusedCsv(db.read, row)));
    },
  );

  handle('POST /api/imports/:import_id/apply', async ({ params, body, actor }) => {
    const importId = params.import_id;
    const message = await applyImport(db, running, personImporter(actor), { importId, input: body });
    return { message, import: await requirePresented(importId) };
  });

  handle('POST /api/imports/:import_id/cancel', async ({ params, actor }) => {
    const importId = params.import_id;
    await requireOwnImport(db.read, importId, actor);
    // Before the transaction: on SQLite it waits for the one that applies the import.
    running.cancel(importId);
    await transactAs(db.write, actor, (tx) => cancelImport(tx, actor, importId));
    return {
      message: 'The import was cancelled. Nothing was stored.',
      import: await requirePresented(importId),
    };
  });

  handle('GET /api/imports/:import_id/undo', async ({ params, actor }) =>
    previewUndo(db.read, await requireOwnImport(db.read, params.import_id, actor)),
  );

  handle('POST /api/imports/:import_id/undo', async ({ params, body, actor }) => {
    const importId = params.import_id;
    const undone = await transactAs(db.write, actor, (tx, author) =>
      undoImport(tx, author, { importId, ...body }),
    );
    return { ...undone, import: await requirePresented(importId) };
  });

  const requirePresented = async (importId: number) => {
    const row = await findImport(db.read, importId);
    if (row === undefined) throw noSuchImport();
    return presentImport(db.read, row, running);
  };
}
