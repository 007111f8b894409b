import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { InvalidFields } from '../errors.ts';
import { RefusedBody } from './refused-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes multipart forms beside JSON, with these files; a text field may have `fieldBytes` (1 MiB). */
    form?: { files: readonly string[]; fileBytes: number; fieldBytes?: number };
  }
  interface FastifyRequest {
    /** Files of a multipart form by the name of their field; the text fields are the body. */
    uploads: ReadonlyMap<string, Buffer>;
  }
}

const NO_UPLOADS: ReadonlyMap<string, Buffer> = new Map();
const MIB = 1024 * 1024;

/** Lets routes that say so take multipart forms beside JSON. File names are never used. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  await app.register(multipart, { limits: { fields: 100, parts: 110, headerPairs: 20 } });
  app.decorateRequest('uploads', { getter: () => NO_UPLOADS });
  app.addHook('preValidation', async (request, reply) => {
    if (!request.isMultipart() || request.is404) return;
    const { form } = request.routeOptions.config;
    if (form === undefined) throw new RefusedBody(415);
    // Of the whole form: its greatest parts and some room for small ones and what stands between them.
    const most = form.fileBytes + (form.fieldBytes ?? MIB) + MIB;
    if (Number(request.headers['content-length'] ?? 0) > most) throw new RefusedBody(413);
    const endless = moreThan(most, request).catch((error: unknown) => {
      // Or the rest would be waited for.
      reply.header('connection', 'close');
      throw error;
    });
    const { texts, uploads } = await Promise.race([readForm(request, form), endless]).catch(
      (error: unknown) => {
        // What the parser says of a form that is broken off or no form at all has no status of its own.
        const isKnown = error instanceof InvalidFields || (error instanceof Error && 'statusCode' in error);
        throw isKnown ? error : new RefusedBody(400);
      },
    );
    request.body = texts;
    Object.defineProperty(request, 'uploads', { value: uploads });
  });
}

/** Fails when more bytes have come than that; the parser itself would wait for the end of a part that is too large. */
function moreThan(most: number, request: FastifyRequest): Promise<never> {
  return new Promise((_, reject) => {
    let received = 0;
    request.raw.on('data', (piece: Buffer) => {
      received += piece.length;
      if (received > most) reject(new RefusedBody(413));
    });
  });
}

async function readForm(
  request: FastifyRequest,
  {
    files,
    fileBytes,
    fieldBytes = MIB,
  }: { files: readonly string[]; fileBytes: number; fieldBytes?: number },
) {
  const texts = new Map<string, unknown>();
  const uploads = new Map<string, Buffer>();
  const limits = { fileSize: fileBytes, fieldSize: fieldBytes, files: 4 };
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') {
      if (part.valueTruncated) throw new RefusedBody(413);
      // Forms turn every line end into CR LF; as JSON the same text comes as it was typed.
      const isText = typeof part.value === 'string';
      texts.set(part.fieldname, isText ? String(part.value).replaceAll('\r\n', '\n') : part.value);
      continue;
    }
    const data = await part.toBuffer();
    // What a browser sends for a file field that was left alone.
    if (part.filename === '' && data.length === 0) continue;
    if (!files.includes(part.fieldname)) {
      throw new InvalidFields({ [part.fieldname]: [`The ${part.fieldname} must not be a file.`] });
    }
    if (uploads.has(part.fieldname)) {
      throw new InvalidFields({ [part.fieldname]: [`The ${part.fieldname} must be one file.`] });
    }
    uploads.set(part.fieldname, data);
  }
  return { texts: Object.fromEntries(texts), uploads };
}
