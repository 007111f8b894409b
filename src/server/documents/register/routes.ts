import { Readable } from 'node:stream';
import { type DocumentsPreview, documentCalls } from '../../../contract/documents/documents.ts';
import type { Institution } from '../../../contract/installation/institution.ts';
import { isInternalAddress } from '../../../domain/documents/public-address.ts';
import type { App, Deps } from '../../app-types.ts';
import { backgroundTasks } from '../../http/background-tasks.ts';
import { bindCalls } from '../../http/handle.ts';
import { answerRepeated } from '../../http/idempotency.ts';
import { transactAs } from '../../http/transact-as.ts';
import { getInstitution } from '../../institution/institution.ts';
import { findOwnAddress, getSite } from '../../institution/site.ts';
import type { Printer } from '../pdf/printer.ts';
import { batchPdf, batchZip, readFileName } from './batch-file.ts';
import { cancelBatch, presentBatch, requireBatch } from './batches.ts';
import { listDocuments, readFile, requireDocument, revokeDocument } from './documents.ts';
import { documentsText, issueDocuments, UNNAMED_TEXT } from './issue-documents.ts';
import { Issuer } from './issuer.ts';
import { selectStudents } from './selection.ts';

const TYPES = { pdf: 'application/pdf', zip: 'application/zip' } as const;

/** Documents: issuing, register and files. For those who may write; viewers see none of it. */
export function registerRoutes(
  app: App,
  { db, settings, secrets, printer }: Pick<Deps, 'db' | 'settings' | 'secrets'> & { printer: Printer },
): void {
  const handle = bindCalls(app, documentCalls);
  const runInBackground = backgroundTasks(app);
  const issuer = new Issuer(db, printer);
  app.addHook('preClose', (done) => {
    issuer.stop();
    done();
  });

  handle('POST /api/documents/preview', async ({ body }) => {
    const { students, refused } = await selectStudents(db.read, body);
    const institution = await getInstitution(db.read);
    const warnings = body.official
      ? findWarnings(institution, getSite(findOwnAddress(app, settings), institution))
      : [];
    return { students: students.length, refused, warnings };
  });

  handle('POST /api/documents', async ({ body, actor, request, reply, create }) => {
    if (await answerRepeated(db.write, request, reply)) return reply;
    const institution = await getInstitution(db.read);
    const site = getSite(findOwnAddress(app, settings), institution);
    const { batchId, issueLater } = await issueDocuments(
      { db, secrets, issuer },
      { input: body, actor, institution, site },
      (act) => create(db.write, act),
    );
    if (issueLater) runInBackground(issueLater(), 'documents were not issued', { batchId });
    return reply;
  });

  handle('GET /api/documents', ({ query }) => listDocuments(db.read, query));

  handle('GET /api/documents/batches/:batch_id', async ({ params }) =>
    presentBatch(db.read, await requireBatch(db.read, params.batch_id)),
  );

  handle('POST /api/documents/batches/:batch_id/cancel', async ({ params, actor }) => {
    const batchId = params.batch_id;
    await transactAs(db.write, actor, (tx) => cancelBatch(tx, batchId));
    const batch = await presentBatch(db.write, await requireBatch(db.write, batchId));
    const message = `Stopped. ${documentsText(batch, batch.documents)} issued before that stay valid.`;
    return { message, batch };
  });

  for (const format of ['pdf', 'zip'] as const) {
    handle(
      `GET /api/documents/batches/:batch_id.${format}`,
      // A HEAD request would build the whole file and discard it.
      { config: { heavy: 'batch' }, exposeHeadRoute: false },
      async ({ params, reply }) => {
        const batch = await requireBatch(db.read, params.batch_id);
        const make = format === 'pdf' ? batchPdf : batchZip;
        const pieces = await make(db, printer, batch);
        const name = await readFileName(db.read, batch, format);
        return reply
          .headers({
            'content-type': TYPES[format],
            'content-disposition': `attachment; filename="${name}"`,
          })
          .send(Readable.from(pieces, { objectMode: false }));
      },
    );
  }

  handle('GET /api/documents/:serial.pdf', async ({ params, reply }) => {
    const { pdf, name } = await readFile(db.read, params.serial);
    return reply
      .headers({ 'content-type': TYPES.pdf, 'content-disposition': `inline; filename="${name}"` })
      .send(pdf);
  });

  handle('POST /api/documents/:serial/revoke', async ({ params, body, actor }) => {
    const { serial } = params;
    await requireDocument(db.read, serial);
    const document = await transactAs(db.write, actor, (tx, author) =>
      revokeDocument(tx, author, serial, body.reason),
    );
    return { message: `${serial} was revoked.`, document };
  });
}

/** Faults to mend before official documents are issued. */
function findWarnings({ name }: Institution, site: string): DocumentsPreview['warnings'] {
  return [
    ...(name === null ? [{ rule: 'institution' as const, text: UNNAMED_TEXT }] : []),
    ...(isInternalAddress(site)
      ? [
          {
            rule: 'address' as const,
            text: `The codes lead to ${site}, which nobody outside of this network reaches. An administrator enters the public address in the settings.`,
          },
        ]
      : []),
  ];
}
