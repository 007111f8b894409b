import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  batchCancelledReply,
  type DocumentsInput,
  type DocumentsPreview,
  documentBatch,
  documentRevokedReply,
  documentsCreatedReply,
  documentsInput,
  documentsPreview,
  documentsPreviewInput,
  MAX_BATCH_STUDENTS,
  registerQuery,
  registerReply,
  revokeInput,
  serialPath,
} from '../../../contract/documents/documents.ts';
import { numberedPath } from '../../../contract/fields.ts';
import type { Institution } from '../../../contract/institution.ts';
import { DOCUMENT_TITLES } from '../../../domain/documents/kinds.ts';
import { isInternalAddress } from '../../../domain/documents/public-address.ts';
import { formatCount } from '../../../domain/format-count.ts';
import type { App, Deps } from '../../app-types.ts';
import type { Tx } from '../../db/schema.ts';
import { invalidField } from '../../errors.ts';
import { type Actor, requireActor, requireAdmin, requireStaff } from '../../http/actor.ts';
import { backgroundTasks } from '../../http/background-tasks.ts';
import { answerRepeated, createIdempotently } from '../../http/idempotency.ts';
import { refusals } from '../../http/refusals.ts';
import { transactAs } from '../../http/transact-as.ts';
import { getInstitution } from '../../institution/institution.ts';
import { findOwnAddress, getSite } from '../../institution/site.ts';
import type { Printer } from '../pdf/printer.ts';
import { findSigningKey, getSigningKey, type SigningKey } from '../verification/signing-keys.ts';
import { batchPdf, batchZip, readFileName } from './batch-file.ts';
import { addBatch, cancelBatch, presentBatch, requireBatch } from './batches.ts';
import { listDocuments, presentDocuments, readFile, requireDocument, revokeDocument } from './documents.ts';
import { DOCUMENTS_AT_ONCE, Issuer } from './issuer.ts';
import type { DocumentOrder } from './make-documents.ts';
import { selectStudents } from './selection.ts';

const tags = ['Documents'];
const batchPath = z.object({ batch_id: numberedPath });
/** Bytes bypass the serializer. */
const file = z.unknown().meta({ type: 'string', format: 'binary' });
const TYPES = { pdf: 'application/pdf', zip: 'application/zip' } as const;
const FORMATS = { pdf: 'one PDF with an index', zip: 'a ZIP of single PDFs' } as const;

/** Documents: issuing, register and files. For those who may write; viewers see none of it. */
export function registerRoutes(
  app: App,
  { db, settings, secrets, printer }: Pick<Deps, 'db' | 'settings' | 'secrets'> & { printer: Printer },
): void {
  const runInBackground = backgroundTasks(app);
  const issuer = new Issuer(db, printer);
  app.addHook('preClose', (done) => {
    issuer.stop();
    done();
  });

  app.post(
    '/api/documents/preview',
    {
      schema: {
        tags,
        summary: 'Who would get a document, and who would not and why',
        description:
          'Issues nothing. The students are named by `ids`, or are all that match `filter` but for `except`. `warnings` of official documents: the institution has no name, or nobody outside reaches the address in their codes.',
        body: documentsPreviewInput,
        response: { 200: documentsPreview, ...refusals(403, 422) },
      },
    },
    async (request) => {
      requireStaff(request);
      const { students, refused } = await selectStudents(db.read, request.body);
      const institution = await getInstitution(db.read);
      const warnings = request.body.official
        ? findWarnings(institution, getSite(findOwnAddress(app, settings), institution))
        : [];
      return { students: students.length, refused, warnings };
    },
  );

  app.post(
    '/api/documents',
    {
      schema: {
        tags,
        summary: 'Issue transcripts or result cards',
        description: `The students are named by \`ids\`, or are all that match \`filter\` but for \`except\`, ${formatCount(MAX_BATCH_STUDENTS)} at most. Up to ${DOCUMENTS_AT_ONCE} documents are issued at once, more of them afterwards: ask for the batch. Official documents need the name of the institution. Unofficial documents have a watermark, no serial and no code, and may have provisional results.`,
        body: documentsInput,
        response: { 201: documentsCreatedReply, ...refusals(403, 422, 503) },
      },
    },
    async (request, reply) => issue(request, reply, request.body),
  );

  async function issue(
    request: FastifyRequest,
    reply: FastifyReply,
    input: DocumentsInput,
  ): Promise<FastifyReply> {
    const actor = requireStaff(request);
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
      return createIdempotently(db.write, request, reply, async (tx, author) => {
        const { batch_id } = await addBatch(tx, author, order, selection);
        return created(tx, batch_id);
      });
    }
    const key = await requireSigningKey(actor);
    const { students } = selection;
    if (students.length <= DOCUMENTS_AT_ONCE) {
      return issuer.issue(students, { order, key, institution }, (store, unprintable) =>
        createIdempotently(db.write, request, reply, async (tx, author) => {
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
    await createIdempotently(db.write, request, reply, async (tx, author) => {
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
  }

  async function requireSigningKey(actor: Actor): Promise<SigningKey> {
    return (
      (await findSigningKey(db.write, secrets)) ??
      transactAs(db.write, actor, (tx, author) => getSigningKey(tx, secrets, author))
    );
  }

  app.get(
    '/api/documents',
    {
      schema: {
        tags,
        summary: 'The register of issued documents, the latest first',
        description: 'A page; the next one comes with `before`, the last serial of this one.',
        querystring: registerQuery,
        response: { 200: registerReply, ...refusals(403, 422) },
      },
    },
    (request) => {
      requireStaff(request);
      return listDocuments(db.read, request.query);
    },
  );

  app.get(
    '/api/documents/batches/:batch_id',
    {
      schema: {
        tags,
        summary: 'How far a batch of documents has come',
        params: batchPath,
        response: { 200: documentBatch, ...refusals(403, 404) },
      },
    },
    async (request) => {
      requireStaff(request);
      return presentBatch(db.read, await requireBatch(db.read, request.params.batch_id));
    },
  );

  app.post(
    '/api/documents/batches/:batch_id/cancel',
    {
      schema: {
        tags,
        summary: 'Issue no further documents of a batch; those issued stay',
        params: batchPath,
        response: { 200: batchCancelledReply, ...refusals(403, 404, 409) },
      },
    },
    async (request) => {
      const batchId = request.params.batch_id;
      await transactAs(db.write, requireActor(request), (tx) => cancelBatch(tx, batchId));
      const batch = await presentBatch(db.write, await requireBatch(db.write, batchId));
      const message = `Stopped. ${documentsText(batch, batch.documents)} issued before that stay valid.`;
      return { message, batch };
    },
  );

  for (const format of ['pdf', 'zip'] as const) {
    app.get(
      `/api/documents/batches/:batch_id.${format}`,
      {
        config: { heavy: 'batch' },
        // A HEAD request would build the whole file and discard it.
        exposeHeadRoute: false,
        schema: {
          tags,
          summary: `The documents of a batch as ${FORMATS[format]}`,
          description: '409 while documents are being issued.',
          params: batchPath,
          response: { 200: file, ...refusals(403, 404, 409) },
        },
      },
      async (request, reply) => {
        requireStaff(request);
        const batch = await requireBatch(db.read, request.params.batch_id);
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

  app.get(
    '/api/documents/:serial.pdf',
    {
      schema: {
        tags,
        summary: 'A document: the bytes that were issued',
        params: serialPath,
        response: { 200: file, ...refusals(403, 404) },
      },
    },
    async (request, reply) => {
      requireStaff(request);
      const { pdf, name } = await readFile(db.read, request.params.serial);
      return reply
        .headers({ 'content-type': TYPES.pdf, 'content-disposition': `inline; filename="${name}"` })
        .send(pdf);
    },
  );

  app.post(
    '/api/documents/:serial/revoke',
    {
      schema: {
        tags,
        summary: 'Declare a document invalid',
        description: 'For administrators. Whoever checks it is told so; it stays in the register.',
        params: serialPath,
        body: revokeInput,
        response: { 200: documentRevokedReply, ...refusals(403, 404, 409, 422) },
      },
    },
    async (request) => {
      const actor = requireAdmin(request);
      const { serial } = request.params;
      await requireDocument(db.read, serial);
      const document = await transactAs(db.write, actor, (tx, author) =>
        revokeDocument(tx, author, serial, request.body.reason),
      );
      return { message: `${serial} was revoked.`, document };
    },
  );
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

type Refused = z.infer<typeof documentsPreview>['refused'];

/** Why there is no document at all, on the field that named the students. */
function noStudentsError({ ids }: DocumentsInput, refused: Refused) {
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
  return `${formatCount(count)} ${official ? '' : 'unofficial '}${name}${count === 1 ? '' : 's'}`;
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
