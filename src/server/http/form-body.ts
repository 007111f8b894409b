import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { InvalidFields } from '../errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes multipart forms beside JSON: at most this many bytes a file (0 for none) and a text field (1 MiB). */
    form?: { fileBytes: number; fieldBytes?: number };
  }
}

/** A file of a multipart form, as it stands in the body beside the text fields. */
export interface UploadedFile {
  filename: string;
  data: Buffer;
}

export const isUploadedFile = (value: unknown): value is UploadedFile =>
  typeof value === 'object' && value !== null && 'data' in value && Buffer.isBuffer(value.data);

class RefusedForm extends Error {
  readonly statusCode: 413 | 415;
  constructor(statusCode: 413 | 415) {
    super('refused form');
    this.statusCode = statusCode;
  }
}

/** Lets routes that say so take multipart forms: text fields become the body's texts, files {@link UploadedFile}s. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    limits: { fields: 100, parts: 110, headerPairs: 20 },
  });
  app.addHook('preValidation', async (request) => {
    if (!request.isMultipart()) return;
    const { form } = request.routeOptions.config;
    if (form === undefined) throw new RefusedForm(415);
    request.body = await readForm(request, form.fileBytes, form.fieldBytes ?? 1024 * 1024);
  });
}

async function readForm(
  request: FastifyRequest,
  fileBytes: number,
  fieldBytes: number,
): Promise<Record<string, unknown>> {
  const body = new Map<string, unknown>();
  for await (const part of request.parts({
    limits: { fileSize: Math.max(fileBytes, 1), fieldSize: fieldBytes, files: 2 },
  })) {
    if (part.type === 'field') {
      if (part.valueTruncated) throw new RefusedForm(413);
      body.set(part.fieldname, part.value);
      continue;
    }
    const data = await part.toBuffer();
    const isEmptyInput = part.filename === '' && data.length === 0;
    if (isEmptyInput) continue;
    if (fileBytes === 0)
      throw new InvalidFields({ [part.fieldname]: [`The ${part.fieldname} must be text.`] });
    body.set(part.fieldname, { filename: part.filename, data });
  }
  return Object.fromEntries(body);
}
