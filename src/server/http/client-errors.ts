import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { PLAIN_WORDS } from './error-handler.ts';
import { apiHeaders } from './headers.ts';

/** What Node.js refuses before there is a request: its code of the error, and the status. Any other is a 400. */
const STATUS: Record<string, number> = {
  HPE_INVALID_METHOD: 405,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers what is no HTTP, or comes too slowly, as every other refusal is answered, and ends the connection. */
export function answerClientErrors(options: { https: boolean }) {
  const headers = apiHeaders(options);
  return function answer(
    this: { log: FastifyBaseLogger },
    error: NodeJS.ErrnoException,
    socket: Socket,
  ): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const status = STATUS[error.code ?? ''] ?? 400;
    const reqId = randomUUID();
    this.log.info({ reqId, status, ip: socket.remoteAddress, code: error.code }, 'request not understood');
    const body = JSON.stringify({ message: PLAIN_WORDS[status], requestId: reqId });
    const lines = Object.entries({
      ...headers,
      ...(status === 405 ? { allow: 'GET, HEAD, POST, PUT, DELETE' } : {}),
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    if (socket.writable) {
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    }
    socket.destroySoon();
  };
}
