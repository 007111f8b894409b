import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The HTTP server below Fastify. Node.js parses everything that one read of a connection returns and emits all its requests
 * together: 64 KiB can contain some 1,800 pipelined requests, which would be handled before those of any other connection.
 * Here the requests of a connection are handled one after the other.
 */
export function createHttpServer(handle: Handler): Server {
  return createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 120_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16 * 1024,
    },
    (request, response) => {
      const { socket } = request;
      let connection = connections.get(socket);
      if (connection === undefined) {
        connection = new Connection(socket, handle);
        connections.set(socket, connection);
      }
      connection.enqueue(request, response);
    },
  );
}

const connections = new WeakMap<Socket, Connection>();

/**
 * Runs `end` when all requests that have arrived on the connection are answered, and handles none after them: the rest is
 * malformed or came too late.
 */
export function endAfterPending(socket: Socket, end: () => void): void {
  const connection = connections.get(socket);
  if (connection === undefined) end();
  else connection.endWith(end);
}

/** Handles a request of a connection when the response to the one before has been written. */
class Connection {
  readonly #socket: Socket;
  readonly #handle: Handler;
  #waiting: [IncomingMessage, ServerResponse][] = [];
  #current: IncomingMessage | undefined;
  #end: (() => void) | undefined;

  constructor(socket: Socket, handle: Handler) {
    this.#socket = socket;
    this.#handle = handle;
    // Node.js resumes a socket by itself, for example after a response.
    socket.on('resume', () => {
      if (this.#waiting.length > 0) socket.pause();
    });
    socket.once('close', () => {
      this.#waiting = [];
    });
  }

  enqueue(request: IncomingMessage, response: ServerResponse): void {
    if (this.#end !== undefined) return;
    if (this.#current === undefined) {
      this.#begin(request, response);
      return;
    }
    this.#waiting.push([request, response]);
    // Reads nothing more until the last waiting request is handled; its body may still have to arrive.
    this.#socket.pause();
  }

  endWith(end: () => void): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    // An incomplete request is the one that is malformed or late.
    if (!this.#current?.complete) end();
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    if (this.#end !== undefined && !request.complete) {
      this.#end();
      return;
    }
    this.#current = request;
    response.once('close', () => {
      // Lets the event loop serve other connections first.
      if (this.#waiting.length > 0) {
        setImmediate(() => this.#next());
      } else {
        this.#current = undefined;
        this.#end?.();
      }
    });
    this.#handle(request, response);
  }

  #next(): void {
    this.#current = undefined;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    if (this.#waiting.length === 0 && this.#end === undefined) this.#socket.resume();
    this.#begin(...next);
  }
}
