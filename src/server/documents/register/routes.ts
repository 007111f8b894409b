import { Readable } from 'node:stream';
import {
  DOCUMENTS_AT_ONCE,
  type DocumentsInput,
  type DocumentsPreview,
  documentCalls,
  type RefusedStudent,
} from '../../../contract/documents/documents.ts';
import type { Institution } from '../../../contract/institution.ts';
import { DOCUMENT_TITLES } from '../../../domain/documents/kinds.ts';
import { isInternalAddress } from '../../../domain/documents/public-address.ts';
import { plural } from '../../../domain/format-count.ts';
import type { App, Deps } from '../../app-types.ts';
import type { Tx } from '../../db/schema.ts';
import { invalidField } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { backgroundTasks } from '../../http/background-tasks.ts';
import { bindCalls } from '../../http/handle.ts';
import { answerRepeated } from '../../http/idempotency.ts';
import { transactAs } from '../../http/transact-as.ts';
import { getInstitution } from '../../institution/institution.ts';
import { findOwnAddress, getSite } from '../../institution/site.ts';
import type { Printer } from '../pdf/printer.ts';
import { findSigningKey, getSigningKey, type SigningKey } from '../verification/signing-keys.ts';
import { batchPdf, batchZip, readFileName } from './batch-file.ts';
import { addBatch, cancelBatch, presentBatch, requireBatch } from './batches.ts';
import { listDocuments, presentDocuments, readFile, requireDocument, revokeDocument } from './documents.ts';
import { Issuer } from './issuer.ts';
import type { DocumentOrder } from './make-documents.ts';
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

  handle('POST /api/documents', async ({ body: input, actor, request, reply, create }) => {
    if (await answerRepeated(db.write, request, reply)) return reply;
    const institution = await getInstitution(db.read);
    if (input.official && institution.name === null) throw invalidField('official', UNNAMED_TEXT);
    const selection = await selectStudents(db.read, input);
    const order: DocumentOrder = {
      ...{ kind: input.kind, semester: input.semester ?? null, official: input.official },
      ...{ portrait: input.portrait ?? false, purpose: input.purpose, to: input.to },
      site: getSite(findOwnAddress(app, settings), institution),
      printedBy: actor.name,
    };
    if (selection.students.length === 0) throw noStudentsError(input, selection.refused);
    const created = async (tx: Tx, batchId: number) => {
      const batch = await presentBatch(tx, await requireBatch(tx, batchId));
      const rows = await tx
        .selectFrom('documents')
        .selectAll()
        .where('batch_id', '=', batchId)
        .orderBy('serial')
        .execute();
      const documents = await presentDocuments(tx, rows);
      const message = createdText(order, { documents: documents.length, students: batch.progress.of });
      return { etag: `"batch${batchId}"`, reply: { message, batch_id: batchId, documents, batch } };
    };
    if (!order.official) {
      return create(db.write, async (tx, author) => {
        const { batch_id } = await addBatch(tx, author, order, selection);
        return created(tx, batch_id);
      });
    }
    const key = await requireSigningKey(actor);
    const { students } = selection;
    if (students.length <= DOCUMENTS_AT_ONCE) {
      return issuer.issue(students, { order, key, institution }, (store, unprintable) =>
        create(db.write, async (tx, author) => {
          const refused = [...selection.refused, ...unprintable];
          const printable = students.filter((id) => !unprintable.some(({ student_id }) => student_id === id));
          if (printable.length === 0) throw noStudentsError(input, refused);
          const { batch_id } = await addBatch(tx, author, order, { students: printable, refused });
          await store(tx, author, batch_id);
          await tx
            .updateTable('document_batches')
            .set({ state: 'done', done: printable.length })
            .where('batch_id', '=', batch_id)
            .execute();
          return created(tx, batch_id);
        }),
      );
    }
    let batchId: number | undefined;
    await create(db.write, async (tx, author) => {
      batchId = (await addBatch(tx, author, order, selection)).batch_id;
      return created(tx, batchId);
    });
    // Not for a repeated call: the first one issues them.
    if (batchId !== undefined) {
      const author = { id: actor.id, name: actor.name };
      runInBackground(
        issuer.run(batchId, students, { order, key, institution, author }),
        'documents were not issued',
        {
          batchId,
        },
      );
    }
    return reply;
  });

  async function requireSigningKey(actor: Actor): Promise<SigningKey> {
    return (
      (await findSigningKey(db.write, secrets)) ??
      transactAs(db.write, actor, (tx, author) => getSigningKey(tx, secrets, author))
    );
  }

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

const UNNAMED_TEXT = 'An administrator names the institution in the settings first.';

/** What should be mended before official documents are issued. */
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

/** Why there is no document at all, on the field that named the students. */
function noStudentsError({ ids }: DocumentsInput, refused: readonly RefusedStudent[]) {
  const field = ids === undefined ? 'filter' : 'ids';
  const [first] = refused;
  if (first === undefined) return invalidField(field, 'No student matches.');
  const others = refused.length > 1 ? ` The same or similar for ${refused.length - 1} more.` : '';
  return invalidField(field, `${first.student_id}: ${first.reason}${others}`, { refused });
}

const documentsText = (
  { kind, official }: Pick<DocumentOrder, 'kind' | 'official'>,
  count: number,
): string => {
  const name = DOCUMENT_TITLES[kind].split(' ').slice(1).join(' ');
  return plural(count, `${official ? '' : 'unofficial '}${name}`);
};

function createdText(
  ordered: Pick<DocumentOrder, 'kind' | 'official'>,
  { documents, students }: { documents: number; students: number },
): string {
  if (!ordered.official) return `${documentsText(ordered, students)} can be fetched.`;
  return documents > 0
    ? `${documentsText(ordered, documents)} issued.`
    : `${documentsText(ordered, students)} are being issued.`;
}
