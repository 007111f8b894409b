/** Saves of many clients at once, as at a grade deadline, on both engines, compared with the least that any server must do. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { z } from 'zod';
import { sheetShowReply } from '../../src/contract/marksheets/sheets.ts';
import { recordReply, type StudentInput } from '../../src/contract/students/students.ts';
import { SYNDICATES } from '../../src/domain/student.ts';
import { Api, registerUser } from '../../tests/support/api.ts';
import { PostgresServer } from '../../tests/support/database/postgres.ts';
import { quantile } from '../../tests/support/load/closed-loop.ts';
import { computedMs } from '../../tests/support/load/resident.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { aCourse, aFamily, aSemester, aStudent, aTerm } from '../../tests/support/records.ts';
import { holdToShare } from '../support/processor-share.ts';

const listed = (name: string, all: string) => (process.env[name] ?? all).split(',');
const ENGINES = listed('SIMS_BENCH_ENGINES', 'sqlite,postgres');
const CLIENTS = listed('SIMS_BENCH_CLIENTS', '1,16,300').map(Number);
/** Product and baseline take turns, this often each, after turns that are not counted: a new process compiles its code first. */
const ROUNDS = 3;
const WARM_UP = 3;
/** Saves of a turn: of one client alone, and of many together. */
const SAVES = { alone: 300, together: 1_500 };
/** Saves a second, relative to the baseline; p99 of reads, relative to that without saves; saves of two processes, to one. */
const LIMITS = { ratio: 0.5, delay: 2, gain: 1.6 };
/**
 * CPU share of each process while the gain of a second one is measured: the database server and the clients run on the same
 * machine, and would compete with the two for it.
 */
const SHARE = 0.25;
const PACED_PROCESS = fileURLToPath(new URL('../support/paced-process.ts', import.meta.url));
/** How records are read beside the saves. */
const READERS = { users: 4, aSecond: 25, seconds: 5 };
/** Students who are edited: one for each client. They are spread over this many classes, each with a mark sheet. */
const STUDENTS = Math.max(...CLIENTS);
const CLASSES = 20;
/** Semesters of a newcomer: as many creations. */
const SEMESTERS = 8;
const NEWCOMERS =
  Math.ceil((SAVES.together * (WARM_UP + CLIENTS.length * ROUNDS)) / SEMESTERS) +
  CLIENTS.reduce((sum, one) => sum + one, 0);

const GRADES = ['A', 'B', 'C', 'D'] as const;
const subjects = (turn: number) => {
  const grade = GRADES[turn % GRADES.length] ?? 'A';
  return ['Statics', 'Calculus', 'Physics', 'Drawing', 'Programming'].map((title) => ({
    title,
    credits: 3,
    grade,
  }));
};

interface Cell {
  sheetId: number;
  componentId: number;
}
/** A student with two semesters, on the class list of a mark sheet. */
interface Edited extends Cell {
  base: StudentInput;
  academicId: number;
}
/** Students and sheets that the clients save. */
interface Papers {
  edited: readonly Edited[];
  newcomers: readonly string[];
}

/** Runs `act` for each, sixteen at once. */
async function inParallel<One, Result>(all: readonly One[], act: (one: One, i: number) => Promise<Result>) {
  const results: Result[] = [];
  const left = all.entries();
  const work = async () => {
    for (const [i, one] of left) results[i] = await act(one, i);
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return results;
}

async function makePapers(api: Api): Promise<Papers> {
  const toClass = (i: number) => ({
    degree: `B${i % CLASSES}`,
    syn: SYNDICATES[i % SYNDICATES.length] ?? SYNDICATES[0],
  });
  const bases = Array.from({ length: STUDENTS }, (_, i) =>
    aStudent({ id: `E-${i}`, current_sem: 3, ...toClass(i) }),
  );
  const academicIds = await inParallel(bases, async (base) => {
    await api.createRecord([subjects(0), subjects(1)], base);
    const record = recordReply.parse(await api.get(`/api/students/${base.id}`));
    return record?.academics[0]?.academic_id ?? 0;
  });
  const newcomers = Array.from({ length: NEWCOMERS }, (_, i) => `N-${i}`);
  await inParallel(newcomers, async (id, i) => {
    await api.createStudent({ id, current_sem: SEMESTERS, ...toClass(i) });
    await api.post('/api/students/family', aFamily(id));
  });
  const course = aCourse();
  await api.post('/api/courses', course);
  const { term } = await api.post<{ term: { term_id: number } }>('/api/terms', aTerm());
  const part = { component_id: null, name: 'Final', max: 100 };
  const sheets: Cell[] = [];
  for (let i = 0; i < CLASSES; i += 1) {
    const ids = bases.filter(({ degree }) => degree === toClass(i).degree).map(({ id }) => id);
    if (ids.length === 0) break;
    const { sheet } = sheetShowReply.parse(
      await api.post('/api/sheets', {
        ...{ course_id: course.course_id, term_id: term.term_id, semester: 3, department: 'CE', ids },
        degree: toClass(i).degree,
        categories: [{ category_id: null, name: 'All', weight: 100, best_of: null, components: [part] }],
      }),
    );
    const componentId = sheet.categories[0]?.components[0]?.component_id ?? 0;
    sheets.push({ sheetId: sheet.sheet_id, componentId });
  }
  const edited = bases.map((base, i) => ({
    base,
    academicId: academicIds[i] ?? 0,
    ...(sheets[i % CLASSES] ?? { sheetId: 0, componentId: 0 }),
  }));
  return { edited, newcomers };
}

interface Save {
  method: 'POST' | 'PUT';
  path: string;
  body: object;
}

const KINDS = {
  create: 'Create a semester',
  edit: 'Edit a semester',
  student: 'Edit a student',
  cell: 'Marks cell',
} as const;
type Kind = keyof typeof KINDS;

/** A server with what its clients have saved so far. */
class Target {
  /** Of the processes among which the clients are spread. */
  urls: readonly string[];
  readonly pid: number | undefined;
  readonly #token: string;
  readonly #papers: Papers;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: STUDENTS });
  readonly #turns = new Map<string, number>();
  readonly #newcomers: IterableIterator<string>;
  readonly #entered = new Map<number, { id: string; semester: number }>();

  constructor(url: string, pid: number | undefined, { token, papers }: { token: string; papers: Papers }) {
    this.urls = [url];
    this.pid = pid;
    this.#token = token;
    this.#papers = papers;
    this.#newcomers = papers.newcomers.values();
  }

  /** The next save of a client. */
  #next(kind: Kind, client: number): Save {
    const key = `${kind} ${client}`;
    const turn = (this.#turns.get(key) ?? 0) + 1;
    this.#turns.set(key, turn);
    if (kind === 'create') {
      const before = this.#entered.get(client);
      const isNew = before === undefined || before.semester === SEMESTERS;
      const id = isNew ? String(this.#newcomers.next().value) : before.id;
      const semester = isNew ? 1 : before.semester + 1;
      this.#entered.set(client, { id, semester });
      return {
        method: 'POST',
        path: '/api/students/academics',
        body: aSemester(id, semester, subjects(turn)),
      };
    }
    const student = this.#papers.edited[client];
    if (student === undefined) throw new Error(`There is no student for client ${client}.`);
    const { base, academicId, sheetId, componentId } = student;
    if (kind === 'edit') {
      const body = aSemester(base.id, 1, subjects(turn));
      return { method: 'PUT', path: `/api/students/academics/${academicId}`, body };
    }
    if (kind === 'student') {
      const phone_number = `0300-${5_550_123 + turn}`;
      return { method: 'PUT', path: `/api/students/${base.id}`, body: { ...base, phone_number } };
    }
    const [value, was] = [turn % 101, turn === 1 ? null : (turn - 1) % 101];
    const cell = { student_id: base.id, component_id: componentId, value, was };
    return { method: 'PUT', path: `/api/sheets/${sheetId}/cells`, body: { cells: [cell] } };
  }

  /** Saves without pauses: each client sends the next save when it has the answer, while `goesOn`. */
  async save(kind: Kind, clients: number, goesOn: (started: number) => boolean): Promise<number[]> {
    const times: number[] = [];
    let started = 0;
    const client = async (number: number) => {
      while (goesOn(started)) {
        started += 1;
        const save = this.#next(kind, number);
        const before = performance.now();
        await this.#send(save, this.urls[number % this.urls.length]);
        times.push(performance.now() - before);
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
    return times;
  }

  async #send({ method, path, body }: Save, url: string | undefined): Promise<void> {
    const payload = JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${this.#token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(payload),
    };
    const request = http.request(`${url}${path}`, { method, agent: this.#agent, headers }).end(payload);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    if ((response.statusCode ?? 0) >= 300) {
      throw new Error(`${method} ${path} was answered ${response.statusCode}: ${await text(response)}`);
    }
    response.resume();
    await once(response, 'end');
  }

  /** Milliseconds of reads of records, at a fixed rate, by a process that doesn't wait for the saves of this one. */
  async read(): Promise<number[]> {
    const paths = this.#papers.edited.map(({ base }) => `/api/students/${base.id}`);
    const child = spawn(process.execPath, ['--import', 'tsx', PACED_PROCESS], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(
      JSON.stringify({ origin: this.urls[0], paths, options: { ...READERS, token: this.#token } }),
    );
    return z.array(z.number()).parse(JSON.parse(await text(child.stdout)));
  }
}

/** The turns of one server. */
class Turns {
  readonly rates: number[] = [];
  readonly times: number[] = [];
  #computed = 0;

  async take(target: Target, kind: Kind, clients: number): Promise<void> {
    const saves = clients === 1 ? SAVES.alone : SAVES.together;
    const computed = computedMs(target.pid);
    const start = performance.now();
    const times = await target.save(kind, clients, (started) => started < saves);
    this.rates.push(saves / ((performance.now() - start) / 1_000));
    this.#computed += computedMs(target.pid) - computed;
    this.times.push(...times);
  }

  get rate(): number {
    return quantile(this.rates, 0.5);
  }

  toString(): string {
    const [median, p99] = [quantile(this.times, 0.5), quantile(this.times, 0.99)];
    return `${this.rate.toFixed(0)}/s, median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, computed ${(this.#computed / this.times.length).toFixed(2)} ms`;
  }
}

async function warmUp(target: Target, kind: Kind, clients: number): Promise<void> {
  const turns = new Turns();
  for (let turn = 0; turn < WARM_UP; turn += 1) await turns.take(target, kind, clients);
}

const verdict = (isMet: boolean, limit: string) => `(${isMet ? 'ok' : 'MISSED'}, ${limit})`;

async function compare(own: Target, bare: Target): Promise<void> {
  for (const [kind, title] of Object.entries(KINDS) as [Kind, string][]) {
    for (const target of [own, bare]) await warmUp(target, kind, STUDENTS);
    for (const clients of CLIENTS) {
      const [product, limit] = [new Turns(), new Turns()];
      for (let round = 0; round < ROUNDS; round += 1) {
        await product.take(own, kind, clients);
        await limit.take(bare, kind, clients);
      }
      const ratio = product.rate / limit.rate;
      console.log(`${title}, ${clients} ${clients === 1 ? 'client' : 'clients'}: ${product}; bare ${limit}`);
      console.log(
        `  ratio ${ratio.toFixed(2)} ${verdict(ratio >= LIMITS.ratio, `at least ${LIMITS.ratio}`)}`,
      );
    }
  }
  const [alone, besideSaves]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(...(await own.read()));
    let isOver = false;
    const reads = own.read().finally(() => {
      isOver = true;
    });
    await own.save('edit', Math.min(16, STUDENTS), () => !isOver);
    besideSaves.push(...(await reads));
  }
  const [idle, beside] = [quantile(alone, 0.99), quantile(besideSaves, 0.99)];
  console.log(
    `Reads of records: p99 ${beside.toFixed(1)} ms beside edits by 16 clients, ${idle.toFixed(1)} ms without, ${(beside / idle).toFixed(1)} × ${verdict(beside <= LIMITS.delay * idle, `at most ${LIMITS.delay} ×`)}`,
  );
}

/** Saves through one process and through two, each with a share of a CPU. The second one is new. */
async function compareProcesses(own: Target, servers: readonly [Server, Server]): Promise<void> {
  const urls = servers.map(({ url }) => url);
  const clients = Math.min(16, STUDENTS);
  const kinds = ['edit', 'cell'] as const;
  own.urls = urls.slice(1);
  for (const kind of kinds) await warmUp(own, kind, clients);
  const release = servers.map(({ pid }) => holdToShare(pid, SHARE));
  try {
    if (release.includes(undefined)) {
      console.log('The gain of a second process needs root on Linux: not measured');
      return;
    }
    for (const kind of kinds) {
      const [one, two] = [new Turns(), new Turns()];
      for (let round = 0; round < ROUNDS; round += 1) {
        own.urls = urls.slice(0, 1);
        await one.take(own, kind, clients);
        own.urls = urls;
        await two.take(own, kind, clients);
      }
      const gain = two.rate / one.rate;
      console.log(
        `${KINDS[kind]}, ${clients} clients, ${SHARE} of a CPU each: one process ${one.rate.toFixed(0)}/s, two ${two.rate.toFixed(0)}/s, gain ${gain.toFixed(2)} ${verdict(gain >= LIMITS.gain, `at least ${LIMITS.gain}`)}`,
      );
    }
  } finally {
    for (const letGo of release) letGo?.();
  }
}

async function startBare(source: string): Promise<{ url: string; process: ChildProcess }> {
  const script = fileURLToPath(new URL('../support/bare/bare-writes.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${String(line).trim().split(' ').at(-1)}`, process: child };
}

/**
 * @param copy copies the database while the product is stopped; returns the file or URL of the copy
 * @param further what else is measured
 */
async function measure(
  server: Server,
  copy: () => Promise<string>,
  further?: (own: Target) => Promise<void>,
): Promise<void> {
  const { token } = await registerUser(server.url);
  const papers = await makePapers(new Api(server.url, token));
  await server.stop();
  const source = await copy();
  await server.restart();
  const bare = await startBare(source);
  try {
    const [own, limit] = [
      new Target(server.url, server.pid, { token, papers }),
      new Target(bare.url, bare.process.pid, { token, papers }),
    ];
    await compare(own, limit);
    await further?.(own);
  } finally {
    bare.process.kill('SIGTERM');
    await once(bare.process, 'exit');
  }
}

async function measureSqlite(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sims-bench-writes-'));
  const server = await Server.start({ LOG_LEVEL: 'warn' });
  try {
    await measure(server, async () => {
      const file = path.join(folder, 'bare.db');
      cpSync(path.join(server.dataDir, 'sims.db'), file);
      return file;
    });
  } finally {
    await server.dispose();
    await rm(folder, { recursive: true });
  }
}

async function measurePostgres(): Promise<void> {
  const postgres = await PostgresServer.start();
  try {
    const watcher = new pg.Client({ connectionString: postgres.url() });
    await watcher.connect();
    await watcher.query('create database product');
    const settings = { LOG_LEVEL: 'warn', DATABASE_URL: postgres.url('product') };
    const server = await Server.start(settings);
    try {
      const copy = async () => {
        await watcher.query('create database bare template product');
        return postgres.url('bare');
      };
      await measure(server, copy, async (own) => {
        const second = await Server.start(settings);
        await compareProcesses(own, [server, second]).finally(() => second.dispose());
      });
    } finally {
      await server.dispose();
      await watcher.end();
    }
  } finally {
    await postgres.dispose();
  }
}

for (const engine of ENGINES) {
  console.log(
    `${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, load of the machine before ${(loadavg()[0] ?? 0).toFixed(1)}`,
  );
  await (engine === 'sqlite' ? measureSqlite() : measurePostgres());
}
