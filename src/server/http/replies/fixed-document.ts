import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesEtag } from '../etags.ts';

interface TaggedContent {
  etag: string;
  type: string;
  body: Buffer;
}

/** Answers 304 to a client that has the content already. */
export function sendUnlessKnown(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, type, body }: TaggedContent,
): FastifyReply {
  reply.header('etag', etag);
  return matchesEtag(etag, request.headers['if-none-match'])
    ? reply.code(304).send()
    : reply.type(type).send(body);
}

/** Content that stays the same while the process runs: made once, and answered 304 to a client that has it. */
export class FixedDocument {
  readonly #type: string;
  readonly #make: () => string | Buffer;
  readonly #headers: Record<string, string>;
  #document: { body: Buffer; etag: string } | undefined;

  /**
   * @param make called once, for the first request
   * @param headers sent with the content and with a 304
   */
  constructor(type: string, make: () => string | Buffer, headers = { 'cache-control': 'no-cache' }) {
    this.#type = type;
    this.#make = make;
    this.#headers = headers;
  }

  send(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { body, etag } = this.#getDocument();
    return sendUnlessKnown(request, reply.headers(this.#headers), { etag, type: this.#type, body });
  }

  #getDocument(): { body: Buffer; etag: string } {
    if (this.#document === undefined) {
      const made = this.#make();
      const body = typeof made === 'string' ? Buffer.from(made) : made;
      const hash = createHash('sha256').update(body).digest('base64url');
      this.#document = { body, etag: `"${hash.slice(0, 22)}"` };
    }
    return this.#document;
  }
}
