import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbedded } from '../../../../src/server/db/sqlite/open-sqlite.ts';
import { fillFaculty } from '../../../../src/server/seed/fill-faculty.ts';
import { Api } from '../../../support/api.ts';
import { quantile } from '../../../support/load/closed-loop.ts';
import { residentMib } from '../../../support/load/resident.ts';
import { Server } from '../../../support/processes/server.ts';
import { waitFor } from '../../support/ledger.ts';
import type { Scenario } from '../../support/scenario.ts';
import { registerPatiently } from '../../support/stored.ts';

const CLIENTS = { silent: 500, header: 50, body: 50, halfSent: 100 };
/** So many that the list does not fit into the kernel's send buffers (up to four megabytes per connection). */
const STUDENTS = 12_000;
/** Seconds within which the head and the whole request must arrive, with a few added until the server notices. */
const LIMITS_S = { header: 10 + 5, body: 120 + 8 };
/**
 * Seconds within which clients that read nothing must be disconnected: twice the idle limit, since Node.js checks again before it ends
 * a connection, and the time in which the kernel buffers megabytes of each of hundreds of responses.
 */
const DISCONNECT_TIMEOUT_S = 2 * 60 + 120;
/** MiB of additional memory allowed for all these clients. */
const MAX_MEMORY_MIB = 100;

export const slowClients: Scenario = {
  name: 'slow-clients',
  fault: `${CLIENTS.silent} clients read nothing; others send a byte at a time or disconnect during an upload`,
  run: async (findings) => {
    const scratch = mkdtempSync(path.join(tmpdir(), 'sims-slow-'));
    const folder = path.join(scratch, 'data');
    const uploads = path.join(scratch, 'tmp');
    mkdirSync(uploads);
    const database = await openEmbedded(folder);
    await fillFaculty(database.write, { students: STUDENTS, seed: 3, intakes: 1 });
    await database.close();
    const server = await Server.start({ LOG_LEVEL: 'silent', TMPDIR: uploads }, folder);
    const sockets: SlowClient[] = [];
    try {
      const { token } = await registerPatiently(server);
      const api = new Api(server.url, token);
      const countOpenFiles = () => readdirSync(`/proc/${server.pid}/fd`).length;
      const timeRead = async () => {
        const before = performance.now();
        await (await api.send('GET', '/api/students?limit=20')).arrayBuffer();
        return performance.now() - before;
      };
      for (let i = 0; i < 50; i += 1) await timeRead();
      const filesBefore = readdirSync(server.dataDir).sort().join();
      const [base, memory] = [countOpenFiles(), residentMib(server.pid) ?? Number.NaN];

      const open = (count: number, head: string, rest = '') => {
        const opened = Array.from({ length: count }, () => new SlowClient(server.url, head, rest));
        sockets.push(...opened);
        return opened;
      };
      const authorization = `Host: sims\r\nAuthorization: Bearer ${token}\r\n`;
      const upload = `POST /api/students HTTP/1.1\r\n${authorization}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 400000\r\n\r\n`;
      const part = `--b\r\nContent-Disposition: form-data; name="img"; filename="i.png"\r\nContent-Type: image/png\r\n\r\n${'x'.repeat(200_000)}`;
      const silent = open(CLIENTS.silent, `GET /api HTTP/1.1\r\n${authorization}\r\n`);
      for (const one of silent) one.readNothing();
      const header = open(CLIENTS.header, 'GET /api HTTP/1.1\r\n', `${authorization}\r\n`);
      const body = open(CLIENTS.body, upload, part);
      // Half of them end the connection properly, the others just drop it.
      for (const [i, one] of open(CLIENTS.halfSent, upload + part).entries()) one.disconnect(i % 2 === 0);

      const times: number[] = [];
      const memories: number[] = [];
      let mostFiles = 0;
      const startedAt = performance.now();
      const elapsed = () => (performance.now() - startedAt) / 1_000;
      const getLastEnd = (some: readonly SlowClient[]) =>
        Math.max(...some.map(({ endedAt }) => (endedAt - startedAt) / 1_000));
      const haveEnded = (some: readonly SlowClient[]) => some.every(({ hasEnded }) => hasEnded);
      let disconnectedAfter = Number.NaN;
      while (elapsed() < DISCONNECT_TIMEOUT_S && !haveEnded([...header, ...body, ...silent])) {
        for (const one of [...header, ...body]) one.sendByte();
        if (haveEnded([...header, ...body]) && countOpenFiles() <= base + 5) {
          if (Number.isNaN(disconnectedAfter)) disconnectedAfter = elapsed();
          // By reading again, a disconnected client notices the end; a client still connected would get the complete response.
          for (const one of silent) one.resumeReading();
        }
        times.push(await timeRead());
        mostFiles = Math.max(mostFiles, countOpenFiles());
        memories.push((residentMib(server.pid) ?? Number.NaN) - memory);
        await sleep(250);
      }
      const duration = (some: readonly SlowClient[]) =>
        haveEnded(some) ? `${getLastEnd(some).toFixed(0)} s` : 'never';
      findings.must(
        haveEnded(header) && getLastEnd(header) <= LIMITS_S.header,
        `a slow head is aborted within ${LIMITS_S.header} s: ${duration(header)}`,
      );
      findings.must(
        haveEnded(body) && getLastEnd(body) <= LIMITS_S.body,
        `a slow body is aborted within ${LIMITS_S.body} s: ${duration(body)}`,
      );
      // An immediate 503 is acceptable too: the machine was busy.
      const accepted = silent.filter(({ status }) => status !== '503');
      const stillConnected = accepted.filter(({ hasEnded, isWhole }) => isWhole || !hasEnded).length;
      findings.must(
        stillConnected === 0,
        `clients that read nothing are disconnected, but ${stillConnected} were not`,
      );
      // While the kernel buffers fill, hundreds of lists are produced at full speed, with as much garbage as for clients that read. The
      // maximum is therefore only reported; the median over the whole time is the cost of keeping these clients connected.
      const medianMemory = quantile(memories, 0.5);
      findings.must(
        medianMemory < MAX_MEMORY_MIB,
        `less than ${MAX_MEMORY_MIB} MiB more memory, not ${medianMemory.toFixed(0)}`,
      );
      const filesClosed = await waitFor(async () => countOpenFiles() <= base + 5, 10_000);
      findings.must(
        filesClosed !== undefined,
        `as many open files as before: ${base}, not ${countOpenFiles()}`,
      );
      const leftFiles = [
        ...readdirSync(uploads),
        ...(readdirSync(server.dataDir).sort().join() === filesBefore ? [] : ['in the data folder']),
      ];
      findings.must(leftFiles.length === 0, `aborted uploads leave no files: ${leftFiles.join()}`);
      const statuses = [...new Set([...header, ...body].map(({ status }) => status))].sort().join(', ');
      findings.report(
        `heads aborted after ${duration(header)}, bodies ${duration(body)} (${statuses}), ${accepted.length - stillConnected} of ${accepted.length} silent readers disconnected within ${disconnectedAfter.toFixed(0)} s`,
      );
      findings.report(
        `reads of other clients p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms of ${times.length}; memory +${medianMemory.toFixed(0)} MiB, at most +${Math.max(...memories).toFixed(0)} while the buffers filled; open files ${base}, most ${mostFiles}, afterwards ${countOpenFiles()}; no file left`,
      );
    } finally {
      for (const one of sockets) one.destroy();
      await server.dispose();
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

/** A client that sends slowly or does not read. */
class SlowClient {
  endedAt = Number.POSITIVE_INFINITY;
  /** The status of the response; 'cut off' without one. */
  status = 'cut off';
  readonly #socket: Socket;
  #rest: string;
  #last = '';

  constructor(url: string, head: string, rest: string) {
    const { port, hostname } = new URL(url);
    this.#rest = rest;
    this.#socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    this.#socket
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        this.status = /^HTTP\/1\.1 (\d+)/.exec(chunk)?.[1] ?? this.status;
        this.#last = (this.#last + chunk).slice(-5);
      })
      .on('error', () => this.#end())
      .on('end', () => this.#end())
      .on('close', () => this.#end());
    this.#socket.write(head);
  }

  get hasEnded(): boolean {
    return Number.isFinite(this.endedAt);
  }

  /** Whether a chunked response has arrived completely. */
  get isWhole(): boolean {
    return this.#last === '0\r\n\r\n';
  }

  resumeReading(): void {
    this.#socket.resume();
  }

  readNothing(): void {
    this.#socket.pause();
  }

  sendByte(): void {
    if (this.hasEnded || !this.#socket.writable) return;
    this.#socket.write(this.#rest.slice(0, 1));
    this.#rest = this.#rest.slice(1);
  }

  /** Disconnects during the upload: ends the connection if `politely`, otherwise destroys it half a second later. */
  disconnect(politely: boolean): void {
    this.#socket.once('connect', () => {
      if (politely) this.#socket.end();
      else setTimeout(() => this.#socket.destroy(), 500);
    });
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #end(): void {
    if (!this.hasEnded) this.endedAt = performance.now();
    this.#socket.destroy();
  }
}
