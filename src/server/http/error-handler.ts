import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isOutOfReach, isStorageFull } from '../db/dialect.ts';
import { AppError, InvalidFields, type Refusal } from '../errors.ts';

const STATUS: Record<Refusal, number> = {
  malformed: 400,
  'session-over': 401,
  'wrong-password': 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  stale: 412,
  'too-many-attempts': 429,
  unavailable: 503,
};

/** What the framework refuses by itself, in plain words. */
export const PLAIN_WORDS: Record<number, string> = {
  400: 'The request could not be understood.',
  404: 'There is nothing at this address.',
  405: 'This method is not known here.',
  408: 'The request took too long to arrive.',
  413: 'The request is too large.',
  414: 'The address is too long.',
  415: 'This kind of content is not accepted here.',
  431: 'The request headers are too large.',
  503: 'The service is not available right now. Try again in a moment.',
};

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply));
}

/** Answers a refusal or a failure as JSON: never a stack, a path or a query. */
export function answerError(error: Error, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof InvalidFields) {
    return reply.code(422).send({ message: error.message, errors: error.errors });
  }
  if (error instanceof AppError) {
    if (error.refusal === 'session-over') reply.header('www-authenticate', 'Bearer');
    if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
    return reply.code(STATUS[error.refusal]).send({ message: error.message, ...error.details });
  }
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  if (status < 500) {
    return reply
      .code(status)
      .send({ message: PLAIN_WORDS[status] ?? PLAIN_WORDS[400], requestId: request.id });
  }
  if (isOutOfReach(error)) {
    request.log.warn({ err: error }, 'database out of reach');
    return reply
      .code(503)
      .header('retry-after', 1)
      .send({ message: PLAIN_WORDS[503], requestId: request.id });
  }
  if (isStorageFull(error)) {
    request.log.error({ err: error }, 'storage full');
    return reply.code(507).send({ message: 'Storage is full.', requestId: request.id });
  }
  request.log.error({ err: error }, 'unexpected failure');
  return reply
    .code(500)
    .send({ message: 'Something went wrong on the server. Nothing was saved.', requestId: request.id });
}
