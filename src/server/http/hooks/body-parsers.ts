import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ValidationError } from '../../errors.ts';

const MIB = 1024 * 1024;

/** A malformed (400), too large (413) or unsupported (415) body. */
class BodyError extends Error {
  readonly statusCode: 400 | 413 | 415;

  constructor(statusCode: 400 | 413 | 415) {
    super('refused body');
    this.statusCode = statusCode;
  }
}

/**
 * Accepts JSON bodies. An empty body is allowed: some clients send the content type with every call, also with a sign-out
 * or a delete.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '') done(null, undefined);
    else if (body.length > MIB && hasTooManyValues(body)) done(new BodyError(413));
    else parse(request, body, done);
  });
  // Compressed bodies are rejected (zip bombs).
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (!['identity', undefined].includes(headers['content-encoding'])) throw new BodyError(415);
    done();
  });
}

/** Most values in JSON of more than 1 MiB, where a few texts are long. The corrections of an import are 20,000 at most. */
const MAX_VALUES = 100_000;

/** Counted before they are parsed: tens of megabytes hold millions, which take gigabytes and block the event loop. */
function hasTooManyValues(json: string): boolean {
  let values = 0;
  for (let i = 0; i < json.length && values <= MAX_VALUES; i += 1) {
    const character = json[i];
    if (character === '"') i = findEndOfText(json, i + 1);
    else if (character === ',' || character === '[' || character === '{') values += 1;
  }
  return values > MAX_VALUES;
}

/** @returns the index of the closing quote; the length without one */
function findEndOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Accepts multipart forms as well as JSON, with these file fields; a text field has `fieldBytes` at most (1 MiB). */
    form?: { files: readonly string[]; fileBytes: number; fieldBytes?: number };
  }
  interface FastifyRequest {
    /** Files of a multipart form by field name; its text fields are the body. */
    uploads: ReadonlyMap<string, Buffer>;
    /** Their names, only to be shown. */
    fileNames: ReadonlyMap<string, string>;
  }
}

const NO_UPLOADS: ReadonlyMap<string, Buffer> = new Map();
const NO_NAMES: ReadonlyMap<string, string> = new Map();
const MAX_NAME_LENGTH = 255;

/** Accepts multipart forms on routes with the `form` option. No file is stored under the name that it was sent with. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    limits: { fields: 100, parts: 110, headerPairs: 20 },
    // A text field of JSON would be parsed, whatever it holds; as a file it is refused.
    isPartAFile: (_field, type, name) =>
      name !== undefined ||
      type === 'application/octet-stream' ||
      type?.startsWith('application/json') === true,
  });
  app.decorateRequest('uploads', { getter: () => NO_UPLOADS });
  app.decorateRequest('fileNames', { getter: () => NO_NAMES });
  app.addHook('preValidation', (request, reply, done) => {
    if (!request.isMultipart() || request.is404) done();
    else receiveForm(request, reply).then(() => done(), done);
  });
}

async function receiveForm(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { form } = request.routeOptions.config;
  if (form === undefined) throw new BodyError(415);
  // Of the whole form: its largest parts, and some room for small ones and the boundaries.
  const maxBytes = form.fileBytes + (form.fieldBytes ?? MIB) + MIB;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new BodyError(413);
  const tooLarge = rejectAfter(maxBytes, request).catch((error: unknown) => {
    // Otherwise Node.js would wait for the rest.
    reply.header('connection', 'close');
    throw error;
  });
  const { texts, uploads, fileNames } = await Promise.race([readForm(request, form), tooLarge]).catch(
    (error: unknown) => {
      // The parser's errors for incomplete or malformed forms have no status.
      const isKnown = error instanceof ValidationError || (error instanceof Error && 'statusCode' in error);
      throw isKnown ? error : new BodyError(400);
    },
  );
  request.body = texts;
  Object.defineProperty(request, 'uploads', { value: uploads });
  Object.defineProperty(request, 'fileNames', { value: fileNames });
}

/** Rejects after that many bytes; the parser itself would wait for the end of a part that is too large. */
function rejectAfter(maxBytes: number, request: FastifyRequest): Promise<never> {
  return new Promise((_, reject) => {
    let received = 0;
    request.raw.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > maxBytes) reject(new BodyError(413));
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
  const texts = new Map<string, string>();
  const uploads = new Map<string, Buffer>();
  const fileNames = new Map<string, string>();
  const limits = { fileSize: fileBytes, fieldSize: fieldBytes, files: 4 };
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') {
      if (part.valueTruncated) throw new BodyError(413);
      // Forms send line ends as CR LF, JSON as they were typed.
      texts.set(part.fieldname, String(part.value).replaceAll('\r\n', '\n'));
      continue;
    }
    const data = await part.toBuffer();
    // Browsers send this for an empty file field.
    if (part.filename === '' && data.length === 0) continue;
    if (!files.includes(part.fieldname)) {
      throw new ValidationError({ [part.fieldname]: [`The ${part.fieldname} must not be a file.`] });
    }
    if (uploads.has(part.fieldname)) {
      throw new ValidationError({ [part.fieldname]: [`The ${part.fieldname} must be one file.`] });
    }
    uploads.set(part.fieldname, data);
    fileNames.set(part.fieldname, toSafeName(part.filename));
  }
  return { texts: Object.fromEntries(texts), uploads, fileNames };
}

/** The last part of a path, without characters that can't be stored or would change how text around them reads. */
const toSafeName = (name: string): string =>
  name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .split(/[\\/]/)
    .at(-1)
    ?.trim()
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed() ?? '';
