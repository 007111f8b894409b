import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isStorageFull, isUnavailable } from '../../db/dialect/errors.ts';
import { AppError, type ErrorCode, ValidationError } from '../../errors.ts';
import { endAfterPending } from '../http-server.ts';
import { apiHeaders } from './security-headers.ts';

const STATUS: Record<ErrorCode, number> = {
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

/** For what Fastify and Node.js refuse. */
const DEFAULT_MESSAGES: Record<number, string> = {
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
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply));
}

/** Answers an error as JSON, never with a stack, a path or a query. */
export function sendError(error: Error, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof ValidationError) {
    return reply.code(422).send({ message: error.message, errors: error.errors, ...error.details });
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
      .send({ message: DEFAULT_MESSAGES[status] ?? DEFAULT_MESSAGES[400], requestId: request.id });
  }
  if (isUnavailable(error)) {
    request.log.warn({ err: error }, 'database out of reach');
    return reply
      .code(503)
      .header('retry-after', 1)
      .send({ message: DEFAULT_MESSAGES[503], requestId: request.id });
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

/** Errors of Node.js before there is a request, by their code. All others are answered 400. */
const STATUS_BY_CODE: Record<string, number> = {
  HPE_INVALID_METHOD: 405,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers malformed or too slow requests like every other error, and ends the connection. */
export function handleClientErrors(options: { https: boolean }) {
  const headers = apiHeaders(options);
  return function answer(
    this: { log: FastifyBaseLogger },
    error: NodeJS.ErrnoException,
    socket: Socket,
  ): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const status = STATUS_BY_CODE[error.code ?? ''] ?? 400;
    const reqId = randomUUID();
    this.log.info({ reqId, status, ip: socket.remoteAddress, code: error.code }, 'malformed request');
    const body = JSON.stringify({ message: DEFAULT_MESSAGES[status], requestId: reqId });
    const lines = Object.entries({
      ...headers,
      ...(status === 405 ? { allow: 'GET, HEAD, POST, PUT, DELETE' } : {}),
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    endAfterPending(socket, () => {
      if (socket.writable) {
        socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
      }
      socket.destroySoon();
    });
  };
}
