import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../../../bench/support/closed-loop.ts';
import { residentMib } from '../../../bench/support/resident.ts';
import { openEmbedded } from '../../../src/server/db/open.ts';
import { fillFaculty } from '../../../src/server/seed/fill-faculty.ts';
import { Api } from '../../support/api.ts';
import { Server } from '../../support/server.ts';
import { waitFor } from '../support/ledger.ts';
import type { Row } from '../support/row.ts';
import { registerPatiently } from '../support/stored.ts';

const CLIENTS = { silent: 500, header: 50, body: 50, halfSent: 100 };
/** So many that the kernel, which takes up to four megabytes for a connection, can't take the whole list. */
const STUDENTS = 12_000;
/** Seconds in which a head and a whole call have to be there, with a few until it is noticed. */
const LIMITS = { header: 10 + 5, body: 120 + 8 };
/**
 * Seconds after which whoever still reads nothing has to be gone: those of the limit, twice, since the engine looks again before it
 * believes that nothing is taken, and those in which the kernel takes megabytes of each of hundreds of answers.
 */
const GONE = 2 * 60 + 120;
const MEMORY = 100;

export const slowClients: Row = {
  name: 'slow-clients',
  fault: `${CLIENTS.silent} clients read nothing, others send a byte a second, or go away in the midst of an upload`,
  run: async (see) => {
    const scratch = mkdtempSync(path.join(tmpdir(), 'sims-slow-'));
    const folder = path.join(scratch, 'data');
    const uploads = path.join(scratch, 'tmp');
    mkdirSync(uploads);
    const filled = await openEmbedded(folder);
    await fillFaculty(filled.write, { students: STUDENTS, seed: 3, intakes: 1 });
    await filled.close();
    const server = await Server.start({ LOG_LEVEL: 'silent', TMPDIR: uploads }, folder);
    const sockets: Slow[] = [];
    try {
      const { token } = await registerPatiently(server);
      const api = new Api(server.url, token);
      const files = () => readdirSync(`/proc/${server.pid}/fd`).length;
      const read = async () => {
        const before = performance.now();
        await (await api.send('GET', '/api/students?limit=20')).arrayBuffer();
        return performance.now() - before;
      };
      for (let i = 0; i < 50; i += 1) await read();
      const kept = readdirSync(server.dataDir).sort().join();
      const [base, memory] = [files(), residentMib(server.pid) ?? Number.NaN];

      const open = (count: number, head: string, rest = '') => {
        const opened = Array.from({ length: count }, () => new Slow(server.url, head, rest));
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
      // Half of them say that they are done, the others are gone.
      for (const [i, one] of open(CLIENTS.halfSent, upload + part).entries()) one.leave(i % 2 === 0);

      const times: number[] = [];
      const memories: number[] = [];
      let mostFiles = 0;
      const begin = performance.now();
      const since = () => (performance.now() - begin) / 1_000;
      const ended = (some: readonly Slow[]) =>
        Math.max(...some.map(({ endedAt }) => (endedAt - begin) / 1_000));
      const areOver = (some: readonly Slow[]) => some.every(({ isOver }) => isOver);
      let gone = Number.NaN;
      while (since() < GONE && !areOver([...header, ...body, ...silent])) {
        for (const one of [...header, ...body]) one.sendByte();
        if (areOver([...header, ...body]) && files() <= base + 5) {
          if (Number.isNaN(gone)) gone = since();
          // One that was cut off finds that out by reading on; one that was not would get all of it.
          for (const one of silent) one.readOn();
        }
        times.push(await read());
        mostFiles = Math.max(mostFiles, files());
        memories.push((residentMib(server.pid) ?? Number.NaN) - memory);
        await sleep(250);
      }
      const told = (some: readonly Slow[]) => (areOver(some) ? `${ended(some).toFixed(0)} s` : 'never');
      see.must(
        areOver(header) && ended(header) <= LIMITS.header,
        `a slow head is given up after ${LIMITS.header} s: ${told(header)}`,
      );
      see.must(
        areOver(body) && ended(body) <= LIMITS.body,
        `a slow body is given up after ${LIMITS.body} s: ${told(body)}`,
      );
      // Turned away at once is as good: then the machine was busy with other things as well.
      const asked = silent.filter(({ status }) => status !== '503');
      const served = asked.filter(({ isOver, isWhole }) => isWhole || !isOver).length;
      see.must(served === 0, `who reads nothing is cut off, not ${served} of them served`);
      // While the kernel still takes what is sent, hundreds of lists are read at full speed, and leave as much garbage as they would to
      // clients that do read: the most is told, and what holding the clients costs is the middle of the whole time.
      const held = quantile(memories, 0.5);
      see.must(held < MEMORY, `less than ${MEMORY} MiB more memory, not ${held.toFixed(0)}`);
      const back = await waitFor(async () => files() <= base + 5, 10_000);
      see.must(back !== undefined, `as many open files as before: ${base}, not ${files()}`);
      const left = [
        ...readdirSync(uploads),
        ...(readdirSync(server.dataDir).sort().join() === kept ? [] : ['in the data folder']),
      ];
      see.must(left.length === 0, `no file is left of an upload that was broken off: ${left.join()}`);
      const statuses = [...new Set([...header, ...body].map(({ status }) => status))].sort().join(', ');
      see.tell(
        `heads given up after ${told(header)}, bodies ${told(body)} (${statuses}), ${asked.length - served} of ${asked.length} silent readers cut off within ${gone.toFixed(0)} s`,
      );
      see.tell(
        `others’ reads p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms of ${times.length}; memory +${held.toFixed(0)} MiB, at most +${Math.max(...memories).toFixed(0)} while they are sent to; open files ${base}, most ${mostFiles}, then ${files()}; no file left`,
      );
    } finally {
      for (const one of sockets) one.destroy();
      await server.dispose();
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

/** A client that takes its time. */
class Slow {
  endedAt = Number.POSITIVE_INFINITY;
  /** What it was answered; 'cut off' without an answer. */
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

  get isOver(): boolean {
    return Number.isFinite(this.endedAt);
  }

  /** Whether the whole of an answer in pieces has come. */
  get isWhole(): boolean {
    return this.#last === '0\r\n\r\n';
  }

  readOn(): void {
    this.#socket.resume();
  }

  readNothing(): void {
    this.#socket.pause();
  }

  sendByte(): void {
    if (this.isOver || !this.#socket.writable) return;
    this.#socket.write(this.#rest.slice(0, 1));
    this.#rest = this.#rest.slice(1);
  }

  /** In the midst of it: saying so, or not. */
  leave(politely: boolean): void {
    this.#socket.once('connect', () => {
      if (politely) this.#socket.end();
      else setTimeout(() => this.#socket.destroy(), 500);
    });
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #end(): void {
    if (!this.isOver) this.endedAt = performance.now();
    this.#socket.destroy();
  }
}
