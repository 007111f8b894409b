import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test as base } from 'vitest';
import { ListeningApp } from '../app/listening-app.ts';
import { type Answer, type Call, People } from '../app/people.ts';
import { type Engine, engines, type TestDatabase } from '../database/engines.ts';
import { Server } from './server.ts';

type Attacked = Pick<Server, 'url' | 'dataDir' | 'restart' | 'dispose'>;

/** What serves on a real database, for attacks over real connections. */
export class Target<Kind extends Attacked = Attacked> extends People {
  readonly server: Kind;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(server: Kind) {
    super();
    this.server = server;
  }

  get #address(): { host: string; port: number } {
    const { hostname, port } = new URL(this.server.url);
    return { host: hostname, port: Number(port) };
  }

  /** The path is sent as is, neither resolved nor escaped. */
  async call(method: string, path: string, call: Call = {}): Promise<Answer> {
    const { token, body, form, headers = {}, from } = call;
    const encoded = form === undefined ? undefined : new Response(form);
    const payload =
      encoded !== undefined
        ? Buffer.from(await encoded.arrayBuffer())
        : body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
          ? body
          : JSON.stringify(body);
    const type =
      encoded?.headers.get('content-type') ?? (body === undefined ? undefined : 'application/json');
    return new Promise((resolve, reject) => {
      const outgoing = request({
        ...this.#address,
        method,
        path,
        ...(from === undefined ? { agent: this.#agent } : { agent: false, localAddress: from }),
        headers: {
          accept: 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(type === undefined ? {} : { 'content-type': type }),
          ...(payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }),
          ...headers,
        },
      });
      outgoing.once('error', reject).once('response', (incoming) => {
        const pieces: Buffer[] = [];
        incoming
          .on('data', (piece: Buffer) => pieces.push(piece))
          .once('error', reject)
          .once('end', () => {
            const text = Buffer.concat(pieces).toString('utf8');
            const isJson = (incoming.headers['content-type'] ?? '').startsWith('application/json');
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text,
              body: isJson && text !== '' ? (JSON.parse(text) as unknown) : undefined,
            });
          });
      });
      outgoing.end(payload);
    });
  }

  async dispose(): Promise<void> {
    this.#agent.destroy();
    await this.server.dispose();
  }

  /** A raw connection, for requests that no HTTP client sends. */
  connect(): Connection {
    return Connection.to(new URL(this.server.url));
  }
}

export class Connection {
  readonly #socket: Socket;
  readonly #closed: Promise<void>;
  #received = '';
  #isClosed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1').on('data', (text: string) => {
      this.#received += text;
    });
    // The server may reset the connection after its reply; only the reply matters.
    socket.on('error', () => {});
    this.#closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#isClosed = true;
        resolve();
      });
    });
  }

  static to({ hostname, port }: URL): Connection {
    return new Connection(connect(Number(port), hostname));
  }

  /** The reply so far. */
  get received(): string {
    return this.#received;
  }

  /** All bytes written to the connection. */
  get sent(): number {
    return this.#socket.bytesWritten;
  }

  /** Sends as fast as the peer reads; returns false when the connection is closed. */
  async send(data: string | Buffer): Promise<boolean> {
    if (this.#isClosed || !this.#socket.writable) return false;
    if (!this.#socket.write(data)) {
      await Promise.race([new Promise((resolve) => this.#socket.once('drain', resolve)), this.#closed]);
    }
    return !this.#isClosed;
  }

  /** Everything received until the server closed the connection. */
  async answers(): Promise<string> {
    await this.#closed;
    return this.#received;
  }

  close(): void {
    this.#socket.destroy();
  }
}

/**
 * For each engine, `test` with the application of this process, which listens for all tests of the file; `admin`, `staff` and
 * `viewer` are created when a test uses them. Called at the top of a file:
 * `describe.each(targets())('…, on $name', ({ test }) => …)`.
 */
export const targets = (settings: Settings = {}) =>
  engines.map((engine) => testsOn(engine, (database) => ListeningApp.start(engine, database, settings)));

/** The same with the built product in its own process, for attacks on what only a process has: signals, memory, output. */
export const processTargets = (settings: Settings = {}) =>
  engines.map((engine) =>
    testsOn(engine, (database) => Server.start({ ...database.setting, ...settings }, database.folder)),
  );

type Settings = Record<string, string>;

function testsOn<Kind extends Attacked>(engine: Engine, start: (database: TestDatabase) => Promise<Kind>) {
  const test = base
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
    .extend('target', { scope: 'file' }, async ({}, { onCleanup }) => {
      const database = await engine.prepare({ isMade: true });
      const target = new Target(await start(database));
      onCleanup(async () => {
        await target.dispose();
        await database.remove();
      });
      return target;
    })
    .extend('admin', { scope: 'file' }, ({ target }) => target.register({ name: 'Asad Admin' }))
    // The first account becomes administrator, so that must exist before these.
    .extend('staff', { scope: 'file' }, ({ target, admin: _ }) => target.register())
    .extend('viewer', { scope: 'file' }, async ({ target, admin }) => {
      const viewer = await target.register({ name: 'Vera Viewer' });
      await target.giveRole(admin, viewer, 'viewer');
      return viewer;
    });
  return { name: engine.name, test: engine.isMissing ? test.skip : test };
}
