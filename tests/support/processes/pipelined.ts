import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Server } from './server.ts';

/** A request without sign-in. */
export interface PublicCall {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
}

/** Every route, page and file served without a session; one file of the built application as an example. */
export async function publicCalls(url: string): Promise<PublicCall[]> {
  const page = await (await fetch(`${url}/login`)).text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
  if (script === undefined) throw new Error('The page names no script.');
  const email = 'nobody@faculty.example';
  const passwords = { password: 'seven wet umbrellas', password_confirmation: 'seven wet umbrellas' };
  return [
    { method: 'GET', path: '/api/health' },
    { method: 'GET', path: '/api/docs' },
    { method: 'GET', path: '/api/docs/style.css' },
    { method: 'GET', path: '/api/openapi.json' },
    { method: 'GET', path: '/metrics' },
    { method: 'POST', path: '/api/login', body: { email, password: 'wrong' } },
    { method: 'POST', path: '/api/register', body: { name: '', email, ...passwords } },
    { method: 'POST', path: '/api/forgot-password', body: { email } },
    { method: 'POST', path: '/api/reset-password', body: { token: 'x'.repeat(43), ...passwords } },
    { method: 'POST', path: '/api/provider/begin' },
    { method: 'GET', path: '/api/provider/callback?state=x&code=x' },
    { method: 'POST', path: '/api/provider/finish', body: { ticket: 'x'.repeat(43) } },
    { method: 'POST', path: '/api/verify', body: { code: '2026-000001.0000000000000000' } },
    { method: 'GET', path: '/api/nothing' },
    { method: 'GET', path: '/api/users' },
    { method: 'GET', path: '/' },
    { method: 'GET', path: script },
    { method: 'GET', path: '/mark.svg' },
  ];
}

/** The bytes of a request, short enough that the server reads 1,800 without a body in one chunk. */
export function requestText({ method, path, body }: PublicCall): string {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const content =
    json === undefined
      ? method === 'POST'
        ? ['content-length: 0']
        : []
      : ['content-type: application/json', `content-length: ${json.length}`];
  return `${[`${method} ${path} HTTP/1.1`, 'host: x', ...content].join('\r\n')}\r\n\r\n${json ?? ''}`;
}

const STATUS_LINE = Buffer.from('HTTP/1.1 ');

/** A connection that sends requests without waiting, and counts the replies without storing them. */
export class Pipeline {
  readonly #socket;
  #answers = 0;
  #changed = () => {};
  #tail = Buffer.alloc(0);

  private constructor(server: Server, localAddress: string) {
    const { hostname, port } = new URL(server.url);
    this.#socket = connect({ host: hostname, port: Number(port), localAddress });
    this.#socket.on('error', () => {});
    this.#socket.on('data', (piece: Buffer) => {
      // A status line may be split across two chunks.
      const text = Buffer.concat([this.#tail, piece]);
      for (let at = text.indexOf(STATUS_LINE); at !== -1; at = text.indexOf(STATUS_LINE, at + 1)) {
        this.#answers += 1;
      }
      this.#tail = text.subarray(Math.max(0, text.length - STATUS_LINE.length + 1));
      this.#changed();
    });
    this.#socket.on('close', () => this.#changed());
  }

  /** @param from the client address, which the server logs */
  static async open(server: Server, from = '127.0.0.1'): Promise<Pipeline> {
    const pipeline = new Pipeline(server, from);
    await once(pipeline.#socket, 'connect');
    return pipeline;
  }

  get answers(): number {
    return this.#answers;
  }

  get isClosed(): boolean {
    return this.#socket.closed;
  }

  /** Resolves when all bytes have been sent. */
  send(data: string): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.write(data, () => resolve());
    });
  }

  /** Waits until the total number of replies is reached or the connection ends. */
  async answered(count: number): Promise<void> {
    while (this.#answers < count && !this.isClosed) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Highest resident memory of a process since the last reset, in MiB; undefined where the system does not report it. */
export async function peakMemory(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib === undefined ? undefined : Number(kib) / 1024;
}

/** Resets the peak to the current memory of the process. */
export const resetPeakMemory = (pid: number | undefined) =>
  writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => {});
