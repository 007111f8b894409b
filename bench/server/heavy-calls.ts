/** The heaviest calls of many people at once, on both engines: how long health is silent meanwhile, and the memory of the process. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import http from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cellsReply } from '../../src/contract/marksheets/sheets.ts';
import { hashPassword } from '../../src/server/accounts/credentials/hash.ts';
import { registerUser } from '../../src/server/accounts/registration/register.ts';
import { startSession } from '../../src/server/accounts/sessions/sessions.ts';
import { createCourse } from '../../src/server/courses/write-course.ts';
import type { Database } from '../../src/server/db/database.ts';
import { openPostgres } from '../../src/server/db/postgres/open-postgres.ts';
import { openEmbedded } from '../../src/server/db/sqlite/open-sqlite.ts';
import { transact } from '../../src/server/history/transaction.ts';
import { createSheet } from '../../src/server/marksheets/write-sheet.ts';
import { fillFaculty } from '../../src/server/seed/fill-faculty.ts';
import { createTerm } from '../../src/server/terms/terms.ts';
import { Api } from '../../tests/support/api.ts';
import { insertStudents } from '../../tests/support/app/fill-class.ts';
import { aStudentRow, toCsv } from '../../tests/support/app/import-file.ts';
import { PostgresServer, postgresPrograms } from '../../tests/support/database/postgres.ts';
import { residentMib } from '../../tests/support/load/resident.ts';
import { peakMemory, resetPeakMemory } from '../../tests/support/processes/pipelined.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { aCourse, aStudent, aTerm } from '../../tests/support/records.ts';
import type { HealthReport } from '../support/health-process.ts';

const listed = (name: string, all: string) => (process.env[name] ?? all).split(',');
const ENGINES = listed('SIMS_BENCH_ENGINES', 'sqlite,postgres');
const PARTS = listed('SIMS_BENCH_PARTS', 'files,uploads,opening,saves,together');
const LIMITS = { silenceMs: 500, mib: 512 };

/** Of the sample faculty: enough that a class of the last semester has results. */
const STUDENTS = 5_000;
const CLASS = 400;
const COMPONENTS = 5;
/** Files of the documents of a class, by as many people. */
const FILES = 10;
const UPLOADS = 8;
const UPLOAD_BYTES = 19 * 2 ** 20;
const UPLOAD_ROWS = 49_000;
/** One person may open twenty. */
const STREAMS = 1_000;
const STREAMS_EACH = 20;
const SAVES = 15;
const PAUSE_MS = 1_000;
/** For the events that belong to a part, after its end. */
const AFTERWARDS_MS = 2_000;
/** As the answer 503 says. */
const RETRY_MS = 5_000;

/** The administrator first. */
const PEOPLE = 1 + Math.max(STREAMS / STREAMS_EACH, FILES + UPLOADS + 1);

interface Installation {
  tokens: string[];
  sheetId: number;
  /** In the order of the rows. */
  componentId: number;
  studentIds: string[];
}

async function makeInstallation(db: Database): Promise<Installation> {
  await fillFaculty(db.write, { students: STUDENTS, seed: 1 });
  const password_hash = await hashPassword('seven wet umbrellas');
  const limits = { idle: 3_600_000, lifetime: 3_600_000 };
  const tokens: string[] = [];
  for (let i = 0; i < PEOPLE; i += 1) {
    const account = { name: `Person ${i}`, email: `person-${i}@faculty.example`, password_hash };
    const { user } = await transact(db.write, (tx) =>
      registerUser(tx, { kind: 'open' }, { ...account, isVerified: true }),
    );
    tokens.push(
      await startSession(db.write, user.id, limits, { address: '127.0.0.1', userAgent: undefined }),
    );
  }
  const degree = 'HEAVY';
  const studentIds = Array.from({ length: CLASS }, (_, i) => `${degree}-${String(i).padStart(4, '0')}`);
  await insertStudents(
    db.write,
    studentIds.map((id) => aStudent({ id, degree, department: 'CE', current_sem: 1 })),
  );
  const author = { id: null, name: 'Bench' };
  const course = { ...aCourse(), course_id: 1_000_000 };
  const parts = Array.from({ length: COMPONENTS }, (_, i) => ({
    ...{ component_id: null, name: `Part ${i + 1}`, max: 100 },
  }));
  const sheet = await transact(db.write, async (tx) => {
    await createCourse(tx, author, course);
    const { term_id } = await createTerm(tx, author, aTerm());
    return createSheet(tx, author, {
      ...{
        course_id: course.course_id,
        term_id,
        title: 'Heavy',
        credits: 3,
        semester: 1,
        department: 'CE',
        degree,
      },
      categories: [{ category_id: null, name: 'All', weight: 100, best_of: null, components: parts }],
    });
  });
  const componentId = sheet.categories[0]?.components[0]?.component_id ?? 0;
  return { tokens, sheetId: sheet.sheet_id, componentId, studentIds };
}

/** A form with students and families, whose addresses are so long that the file has nearly the size that is allowed. */
function importForm(): Response {
  const row = aStudentRow();
  const bytes = toCsv([row, row]).length - toCsv([row]).length;
  const address = `${row.address}${'x'.repeat(UPLOAD_BYTES / UPLOAD_ROWS - bytes)}`;
  const rows = Array.from({ length: UPLOAD_ROWS }, (_, i) => ({ ...row, id: `UP-${100_000 + i}`, address }));
  const form = new FormData();
  form.set('kind', 'students');
  form.set('file', new Blob([toCsv(rows)]), 'students.csv');
  return new Response(form);
}

/** Health as another process sees it. */
class Health {
  readonly #process: ChildProcess;

  constructor(url: string) {
    const script = fileURLToPath(new URL('../support/health-process.ts', import.meta.url));
    this.#process = fork(script, [`${url}/api/health`], { execArgv: ['--import', 'tsx'] });
  }

  /** Since the last report. */
  async report(): Promise<HealthReport> {
    const answered = once(this.#process, 'message');
    this.#process.send('report');
    const [report] = (await answered) as [HealthReport];
    return report;
  }

  stop(): void {
    this.#process.kill();
  }
}

/** What many people do at once. */
class Crowd {
  readonly #server: Server;
  readonly #installation: Installation;
  readonly #batches: number[] = [];
  #turn = 0;
  #streams: http.ClientRequest[] = [];

  constructor(server: Server, installation: Installation) {
    this.#server = server;
    this.#installation = installation;
  }

  #token = (person: number) => this.#installation.tokens[person] ?? '';
  #api = (person: number) => new Api(this.#server.url, this.#token(person));

  /** Makes the batches whose files are fetched later. */
  async prepare(): Promise<void> {
    const { students } = await this.#api(0).get<{ students: { id: string }[] }>(
      `/api/students?current_sem=8&sort=cgpa&direction=descending&limit=${CLASS}`,
    );
    const order = { kind: 'transcript', official: false, ids: students.map(({ id }) => id) };
    for (let i = 0; i < FILES; i += 1) {
      const made = await this.#api(i + 1).post<{ batch_id: number }>('/api/documents', order);
      this.#batches.push(made.batch_id);
    }
  }

  /** Sends a call until it is not refused for the moment. */
  async #insist(person: number, send: () => Promise<Response>): Promise<void> {
    for (;;) {
      // A refusal may end the connection before the body is sent.
      const response = await send().catch(() => undefined);
      if (response?.ok) {
        for await (const _ of response.body ?? []);
        return;
      }
      const answer = await response?.text();
      if (response !== undefined && response.status !== 503)
        throw new Error(`Person ${person} was answered ${response.status}: ${answer}`);
      await setTimeout(RETRY_MS);
    }
  }

  async fetchFiles(): Promise<void> {
    await Promise.all(
      this.#batches.map((id, i) =>
        this.#insist(i + 1, () => this.#api(i + 1).send('GET', `/api/documents/batches/${id}.pdf`)),
      ),
    );
  }

  async upload(): Promise<void> {
    const form = importForm();
    const type = form.headers.get('content-type') ?? '';
    const body = await form.arrayBuffer();
    const people = Array.from({ length: UPLOADS }, (_, i) => 1 + FILES + i);
    await Promise.all(
      people.map((person) =>
        this.#insist(person, () =>
          fetch(new URL('/api/imports', this.#server.url), {
            ...{ method: 'POST', body },
            headers: { 'content-type': type, authorization: `Bearer ${this.#token(person)}` },
          }),
        ),
      ),
    );
  }

  /** Opens all streams at once, and reads them until {@link closeStreams}. */
  async openStreams(): Promise<void> {
    const url = new URL(`/api/sheets/${this.#installation.sheetId}/events`, this.#server.url);
    this.#streams = Array.from({ length: STREAMS }, (_, i) =>
      http.get(url, {
        agent: false,
        headers: { authorization: `Bearer ${this.#token(1 + Math.floor(i / STREAMS_EACH))}` },
      }),
    );
    await Promise.all(
      this.#streams.map(async (stream) => {
        const [response] = (await once(stream, 'response')) as [http.IncomingMessage];
        if (response.statusCode !== 200) throw new Error(`A stream was answered ${response.statusCode}.`);
        response.on('error', () => {}).resume();
      }),
    );
  }

  closeStreams(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  /** Saves a cell of each row of the class with each call, while `goesOn`. */
  async save(goesOn: (done: number) => boolean): Promise<void> {
    const { sheetId, componentId, studentIds } = this.#installation;
    const toMark = (row: number, turn: number) => (turn === 0 ? null : (row * 37 + turn * 11) % 101);
    for (let done = 0; goesOn(done); done += 1) {
      const turn = this.#turn;
      this.#turn += 1;
      const cells = studentIds.map((student_id, row) => ({
        ...{ student_id, component_id: componentId },
        ...{ value: toMark(row, turn + 1), was: toMark(row, turn) },
      }));
      const answer = await this.#api(PEOPLE - 1).put(`/api/sheets/${sheetId}/cells`, { cells });
      if (cellsReply.parse(answer).stored !== CLASS) throw new Error('Cells were not stored.');
      await setTimeout(PAUSE_MS);
    }
  }

  async doEverything(): Promise<void> {
    let isOver = false;
    const heavy = Promise.all([this.openStreams(), this.fetchFiles(), this.upload()]).finally(() => {
      isOver = true;
    });
    await Promise.all([heavy, this.save(() => !isOver)]);
  }
}

async function measure(server: Server, installation: Installation): Promise<void> {
  const crowd = new Crowd(server, installation);
  await crowd.prepare();
  const health = new Health(server.url);
  const parts: Record<string, [title: string, act: () => Promise<unknown>, end?: () => void]> = {
    files: [`${FILES} files of ${CLASS} documents`, () => crowd.fetchFiles()],
    uploads: [`${UPLOADS} uploads of ${UPLOAD_BYTES / 2 ** 20} MiB`, () => crowd.upload()],
    opening: [`Opening ${STREAMS} streams`, () => crowd.openStreams(), () => crowd.closeStreams()],
    saves: [
      `Saves of ${CLASS} rows with ${STREAMS} streams open`,
      () => crowd.save((done) => done < SAVES),
      () => crowd.closeStreams(),
    ],
    together: ['All of it together', () => crowd.doEverything(), () => crowd.closeStreams()],
  };
  try {
    for (const [name, [title, act, end]] of Object.entries(parts)) {
      if (!PARTS.includes(name)) continue;
      if (name === 'saves') await crowd.openStreams();
      await setTimeout(AFTERWARDS_MS);
      await health.report();
      await resetPeakMemory(server.pid);
      const before = residentMib(server.pid) ?? Number.NaN;
      const begun = performance.now();
      await act();
      await setTimeout(AFTERWARDS_MS);
      const seconds = (performance.now() - begun) / 1_000;
      const { silenceMs, refusals } = await health.report();
      const mib = (await peakMemory(server.pid)) ?? Number.NaN;
      end?.();
      await setTimeout(AFTERWARDS_MS);
      const verdict = (value: number, limit: number) => `limit ${limit}, ${value <= limit ? 'ok' : 'OVER'}`;
      console.log(
        `${title}: ${seconds.toFixed(0)} s; longest silence of health ${silenceMs.toFixed(0)} ms (${verdict(silenceMs, LIMITS.silenceMs)}), refused ${refusals} times; memory ${before.toFixed(0)} MiB before, at most ${mib.toFixed(0)} (${verdict(mib, LIMITS.mib)}); load of the machine ${(loadavg()[0] ?? 0).toFixed(1)}`,
      );
    }
  } finally {
    crowd.closeStreams();
    health.stop();
  }
}

async function measureSqlite(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sims-bench-heavy-'));
  const db = await openEmbedded(folder);
  const installation = await makeInstallation(db).finally(() => db.close());
  const server = await Server.start({ LOG_LEVEL: 'warn' }, folder);
  try {
    await measure(server, installation);
  } finally {
    await server.dispose();
  }
}

async function measurePostgres(): Promise<void> {
  const postgres = await PostgresServer.start();
  try {
    const db = await openPostgres(postgres.url());
    const installation = await makeInstallation(db).finally(() => db.close());
    const server = await Server.start({ LOG_LEVEL: 'warn', DATABASE_URL: postgres.url() });
    try {
      await measure(server, installation);
    } finally {
      await server.dispose();
    }
  } finally {
    await postgres.dispose();
  }
}

for (const engine of ENGINES) {
  if (engine === 'postgres' && postgresPrograms() === undefined) {
    console.log('There is no PostgreSQL on this machine.');
    continue;
  }
  console.log(`${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}:`);
  await (engine === 'sqlite' ? measureSqlite() : measurePostgres());
}
