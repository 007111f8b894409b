/** People who store cells of mark sheets at once, with their event streams open; the confirmation of a large sheet. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { confirmPreview } from '../../src/contract/marksheets/confirmation.ts';
import { checksReply } from '../../src/contract/marksheets/grading.ts';
import { type CellsEvent, cellsReply, sheetShowReply } from '../../src/contract/marksheets/sheets.ts';
import { hashPassword } from '../../src/server/accounts/credentials/hash.ts';
import { registerUser } from '../../src/server/accounts/registration/register.ts';
import { hashToken, sessionQuery, startSession } from '../../src/server/accounts/sessions/sessions.ts';
import { createCourse } from '../../src/server/courses/write-course.ts';
import type { Database } from '../../src/server/db/database.ts';
import { createWriter } from '../../src/server/db/sqlite/driver.ts';
import { loadSqliteEngine, type SqliteValue } from '../../src/server/db/sqlite/engine.ts';
import { openEmbedded } from '../../src/server/db/sqlite/open-sqlite.ts';
import { transact } from '../../src/server/history/transaction.ts';
import { transactAs } from '../../src/server/http/transact-as.ts';
import { storeCells } from '../../src/server/marksheets/store-cells.ts';
import { createSheet } from '../../src/server/marksheets/write-sheet.ts';
import { createTerm } from '../../src/server/terms/terms.ts';
import { Api } from '../../tests/support/api.ts';
import { insertStudents } from '../../tests/support/app/fill-class.ts';
import { quantile } from '../../tests/support/load/closed-loop.ts';
import { computedMs } from '../../tests/support/load/resident.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { aStudent } from '../../tests/support/records.ts';
import type { RecordedCall, RecordedStatement } from '../support/bare/bare-cells.ts';
import { timeWhile } from '../support/time-while.ts';

const PEOPLE = 300;
const SHEETS = 60;
const ROWS = 60;
const COMPONENTS = 5;
const PAUSE_MS = 2_000;
const SECONDS = 30;
/** Connections without pauses, for the ratio to the bare server. */
const USERS = 16;
const ROUND_SECONDS = 4;
/** Students of the sheet that is confirmed, and of the one that boundaries are proposed for. */
const LARGE = { confirmed: 300, proposed: 1_000 };
const LIMITS = { p99: 100, seenMs: 2_000, ratio: 0.5, confirmMs: 1_000, delay: 5, proposeMs: 20 };
/** Who repeatedly reads a sheet meanwhile. */
const READERS = 4;

interface Person {
  token: string;
  /** Row and component of the cells that this person fills, in order. */
  sheet: SheetOfBench;
  place: number;
}

interface SheetOfBench {
  sheet_id: number;
  studentIds: string[];
  componentIds: number[];
}

interface Installation {
  sheets: SheetOfBench[];
  tokens: string[];
  confirmed: SheetOfBench;
  proposed: SheetOfBench;
}

async function makeInstallation(db: Database): Promise<Installation> {
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
  const author = { id: null, name: 'Bench' };
  const { term_id } = await transact(db.write, (tx) =>
    createTerm(tx, author, { name: 'Fall 2026', starts_on: '2026-09-01', ends_on: '2027-01-31' }),
  );
  const makeSheet = async (i: number, students: number): Promise<SheetOfBench> => {
    const degree = `B${i}`;
    const studentIds = Array.from(
      { length: students },
      (_, row) => `${degree}-${String(row).padStart(4, '0')}`,
    );
    await insertStudents(
      db.write,
      studentIds.map((id) => aStudent({ id, degree, department: 'CE' })),
    );
    const course_id = 1_000 + i;
    const course = {
      course_code: `B-${i}`,
      course_name: `Course ${i}`,
      course_description: null,
      credits: 3,
    };
    await transact(db.write, (tx) => createCourse(tx, author, { course_id, ...course }));
    const sheet = await transact(db.write, (tx) =>
      createSheet(tx, author, {
        ...{ course_id, term_id, title: `Course ${i}`, credits: 3, semester: 1, department: 'CE', degree },
        categories: [
          {
            ...{ category_id: null, name: 'All', weight: 100, best_of: null },
            components: Array.from({ length: COMPONENTS }, (_, n) => ({
              component_id: null,
              name: `Part ${n + 1}`,
              max: 100,
            })),
          },
        ],
      }),
    );
    const componentIds = sheet.categories.flatMap(({ components }) =>
      components.map(({ component_id }) => component_id),
    );
    return { sheet_id: sheet.sheet_id, studentIds, componentIds };
  };
  const sheets: SheetOfBench[] = [];
  for (let i = 0; i < SHEETS; i += 1) sheets.push(await makeSheet(i, ROWS));
  const confirmed = await makeSheet(SHEETS, LARGE.confirmed);
  const proposed = await makeSheet(SHEETS + 1, LARGE.proposed);
  return { sheets, tokens, confirmed, proposed };
}

/** The cells of a sheet in an order, each with the value that it gets. */
function cellAt({ studentIds, componentIds }: SheetOfBench, index: number) {
  const all = studentIds.length * componentIds.length;
  const student_id = studentIds[index % studentIds.length] ?? '';
  const component_id = componentIds[Math.floor(index / studentIds.length) % componentIds.length] ?? 0;
  const turn = Math.floor(index / all);
  const toMark = (time: number) => (time < 0 ? null : ((index % all) + time * 7) % 101);
  return { student_id, component_id, value: toMark(turn), was: toMark(turn - 1) };
}

const agent = new http.Agent({ keepAlive: true, maxSockets: PEOPLE });

function send(url: string, token: string, body: object): Promise<{ status: number; text: string }> {
  const payload = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = http.request(url, {
      method: 'PUT',
      agent,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
      },
    });
    request.once('error', reject).once('response', (response) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (piece: string) => {
          text += piece;
        })
        .once('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.end(payload);
  });
}

/** Reads the events of a sheet until the connection ends. */
async function listen(url: string, token: string, onCells: (event: CellsEvent) => void) {
  const request = http.get(url, { agent: false, headers: { authorization: `Bearer ${token}` } });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`The stream was answered ${response.statusCode}`);
  let rest = '';
  response
    .setEncoding('utf8')
    .on('error', () => {})
    .on('data', (text: string) => {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, data] = /^event: cells\ndata: (.*)$/.exec(block) ?? [];
        if (data !== undefined) onCells(JSON.parse(data) as CellsEvent);
      }
    });
  return request;
}

/** The statements that the product runs for one cell, and the size of its answer. */
async function recordCall(file: string, token: string, sheet: SheetOfBench): Promise<RecordedCall> {
  const engine = await loadSqliteEngine();
  const database = engine.open(file);
  const recorded: RecordedStatement[] = [];
  const db = createWriter(database, {
    log: ({ query }) => {
      recorded.push({ sql: query.sql, parameters: query.parameters as SqliteValue[] });
    },
  });
  const tokenHash = hashToken(token);
  const user = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.name', 'users.email', 'users.role'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirstOrThrow();
  recorded.length = 0;
  const cells = [cellAt(sheet, 0)];
  const stored = await transactAs(
    db,
    { ...user, tokenHash, taughtSheet: null, writtenUpTo: null },
    (tx, author) => storeCells(tx, author, sheet.sheet_id, { cells }),
  );
  const session = { sql: sessionQuery().compile(db).sql, parameters: [tokenHash] };
  const inTransaction = recorded.filter(({ sql }) => !/^(begin|commit)/.test(sql));
  await db.destroy();
  database.close();
  // The sign-in is checked before and after the body has arrived.
  return { before: [session, session], inTransaction, bytes: JSON.stringify(stored).length };
}

async function startBare(file: string, recording: string): Promise<{ url: string; process: ChildProcess }> {
  const script = fileURLToPath(new URL('../support/bare/bare-cells.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, file, recording], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${String(line).trim().split(' ').at(-1)}`, process: child };
}

/** Calls per second of users who store the next cell as soon as they have the answer. */
async function measureRate(
  store: (user: number, turn: number) => Promise<number>,
  turns: number[],
): Promise<number> {
  let done = 0;
  const end = performance.now() + ROUND_SECONDS * 1_000;
  await Promise.all(
    turns.map(async (_, user) => {
      while (performance.now() < end) {
        const status = await store(user, turns[user] ?? 0);
        if (status !== 200) throw new Error(`A cell was answered ${status}`);
        turns[user] = (turns[user] ?? 0) + 1;
        done += 1;
      }
    }),
  );
  return done / ROUND_SECONDS;
}

/** The first account is that of the administrator, who need not confirm what somebody else submitted. */
async function measureConfirmation(): Promise<void> {
  const [admin = '', staff = ''] = tokens;
  const own = new Api(server.url, staff);
  const fill = async ({ sheet_id, studentIds, componentIds }: SheetOfBench) => {
    const cells = studentIds.flatMap((student_id, row) =>
      componentIds.map((component_id, part) => ({
        ...{ student_id, component_id, was: null },
        value: 20 + ((row * 37 + part * 11) % 80),
      })),
    );
    const { status } = await own.send('PUT', `/api/sheets/${sheet_id}/cells`, { cells });
    if (status !== 200) throw new Error(`The cells were answered ${status}`);
    return `/api/sheets/${sheet_id}`;
  };
  const path = await fill(confirmed);
  const { warnings } = checksReply.parse(await own.get(`${path}/checks`));
  const reasons = Object.fromEntries(warnings.map(({ rule }) => [rule, 'Agreed by the board']));
  const submitted = await own.send('POST', `${path}/submit`, { reasons });
  if (submitted.status !== 200) throw new Error(`The submission was answered ${submitted.status}`);
  const other = { api: own, path: `/api/sheets/${firstSheet?.sheet_id}`, users: READERS };
  const idle = await timeWhile(other, setTimeout(3_000));
  const by = new Api(server.url, admin);
  const { fingerprint } = confirmPreview.parse(await by.get(`${path}/confirm`));
  const begun = performance.now();
  const { result, times } = await timeWhile(other, by.send('POST', `${path}/confirm`, { fingerprint }));
  const took = performance.now() - begun;
  if (result.status !== 200) throw new Error(`The confirmation was answered ${result.status}`);
  const [before, during] = [quantile(idle.times, 0.99), quantile(times, 0.99)];
  console.log(
    `Confirming a sheet of ${LARGE.confirmed} students: ${took.toFixed(0)} ms (limit ${LIMITS.confirmMs}, ${took <= LIMITS.confirmMs ? 'ok' : 'MISSED'}); p99 of ${READERS} readers ${during.toFixed(1)} ms, without it ${before.toFixed(1)} ms, ${(during / before).toFixed(1)} × (limit ${LIMITS.delay}, ${during <= LIMITS.delay * before ? 'ok' : 'MISSED'})`,
  );

  const large = await fill(proposed);
  const proposals: number[] = [];
  for (let i = 0; i < 50; i += 1) {
    const at = performance.now();
    await own.post(`${large}/boundaries/propose`, { method: 'mean-sd' });
    proposals.push(performance.now() - at);
  }
  const median = quantile(proposals, 0.5);
  console.log(
    `Boundaries for ${LARGE.proposed} rows: median ${median.toFixed(1)} ms, slowest ${Math.max(...proposals).toFixed(1)} ms (limit ${LIMITS.proposeMs}, ${median <= LIMITS.proposeMs ? 'ok' : 'MISSED'})`,
  );
}

const folder = await mkdtemp(path.join(tmpdir(), 'sims-bench-sheets-'));
const data = path.join(folder, 'data');
const db = await openEmbedded(data);
const { sheets, tokens, confirmed, proposed } = await makeInstallation(db);
await db.close();
const file = path.join(folder, 'bare.db');
cpSync(path.join(data, 'sims.db'), file);
const recording = path.join(folder, 'call.json');
const [firstSheet] = sheets;
if (firstSheet === undefined) throw new Error('There is no sheet.');
await writeFile(recording, JSON.stringify(await recordCall(file, tokens[0] ?? '', firstSheet)));

const server = await Server.start({ LOG_LEVEL: 'warn' }, data);
const bare = await startBare(file, recording);
try {
  const people: Person[] = tokens.map((token, i) => ({
    token,
    sheet: sheets[i % SHEETS] ?? firstSheet,
    place: Math.floor(i / SHEETS),
  }));
  const [firstPerson] = people;
  if (firstPerson === undefined) throw new Error('There is nobody.');
  const each = PEOPLE / SHEETS;
  /** When each cell was sent, by sheet, student, component and value, and who has not seen it yet. */
  const sent = new Map<string, { at: number; unseen: Set<Person> }>();
  const seenAfter: number[] = [];
  const toKey = (sheetId: number, studentId: string, componentId: number | string, value: unknown) =>
    `${sheetId} ${studentId} ${componentId} ${value}`;
  const streams = await Promise.all(
    people.map((person) =>
      listen(`${server.url}/api/sheets/${person.sheet.sheet_id}/events`, person.token, ({ rows }) => {
        for (const { student_id, cells } of rows) {
          for (const [id, value] of Object.entries(cells)) {
            const cell = sent.get(toKey(person.sheet.sheet_id, student_id, id, value));
            if (cell?.unseen.delete(person)) seenAfter.push(performance.now() - cell.at);
          }
        }
      }),
    ),
  );
  const peopleBySheet = new Map(sheets.map((sheet) => [sheet, people.filter((one) => one.sheet === sheet)]));
  /** Each person of a sheet fills every fifth cell of it. */
  const turns = people.map(() => 0);
  const times: number[] = [];
  const store = async (person: Person, turn: number, isWatched: boolean) => {
    const { sheet } = person;
    const cell = cellAt(sheet, turn * each + person.place);
    const before = performance.now();
    if (isWatched) {
      const unseen = new Set(peopleBySheet.get(sheet)?.filter((other) => other !== person));
      sent.set(toKey(sheet.sheet_id, cell.student_id, cell.component_id, cell.value), { at: before, unseen });
    }
    const { status, text } = await send(`${server.url}/api/sheets/${sheet.sheet_id}/cells`, person.token, {
      cells: [cell],
    });
    if (status === 200 && cellsReply.parse(JSON.parse(text)).stored !== 1) return 409;
    if (isWatched) times.push(performance.now() - before);
    return status;
  };

  const load = loadavg()[0] ?? 0;
  const computed = computedMs(server.pid);
  const end = performance.now() + SECONDS * 1_000;
  await Promise.all(
    people.map(async (person, i) => {
      let due = performance.now() + (i * PAUSE_MS) / PEOPLE;
      while (due < end) {
        await setTimeout(Math.max(0, due - performance.now()));
        const status = await store(person, turns[i] ?? 0, true);
        if (status !== 200) throw new Error(`A cell was answered ${status}`);
        turns[i] = (turns[i] ?? 0) + 1;
        due = Math.max(due + PAUSE_MS, performance.now());
      }
    }),
  );
  const share = (computedMs(server.pid) - computed) / (SECONDS * 1_000);
  await setTimeout(LIMITS.seenMs);
  const unseen = [...sent.values()].reduce((sum, cell) => sum + cell.unseen.size, 0);
  const p99 = quantile(times, 0.99);
  const slowest = Math.max(...seenAfter);
  const verdict = (isOk: boolean, limit: string) => `${limit}, ${isOk ? 'ok' : 'MISSED'}`;
  console.log(
    `${PEOPLE} people in ${SHEETS} sheets, a cell every ${PAUSE_MS / 1_000} s for ${SECONDS} s: ${times.length} cells, median ${quantile(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (${verdict(p99 <= LIMITS.p99, `limit ${LIMITS.p99}`)}), ${(share * 100).toFixed(0)} % of a CPU; load of the machine before ${load.toFixed(1)}`,
  );
  console.log(
    `Seen by the ${each - 1} others: ${seenAfter.length}, not seen ${unseen}; median ${quantile(seenAfter, 0.5).toFixed(0)} ms, p99 ${quantile(seenAfter, 0.99).toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms (${verdict(slowest <= LIMITS.seenMs && unseen === 0, `limit ${LIMITS.seenMs}`)})`,
  );

  for (const stream of streams) stream.destroy();
  const rates = { own: [] as number[], bare: [] as number[] };
  const cpu = { own: computedMs(server.pid), bare: computedMs(bare.process.pid) };
  const users = people.slice(0, USERS);
  const userTurns = turns.slice(0, USERS);
  const bareTurns = userTurns.map(() => 0);
  for (let round = 0; round < 3; round += 1) {
    rates.own.push(
      await measureRate(async (user, turn) => store(users[user] ?? firstPerson, turn, false), userTurns),
    );
    rates.bare.push(
      await measureRate(
        async (_, turn) => (await send(bare.url, '', { cells: [cellAt(firstSheet, turn)] })).status,
        bareTurns,
      ),
    );
  }
  for (const [i, turn] of userTurns.entries()) turns[i] = turn;
  const [own, limit] = [quantile(rates.own, 0.5), quantile(rates.bare, 0.5)];
  const cells = (some: readonly number[]) => some.reduce((sum, rate) => sum + rate * ROUND_SECONDS, 0);
  const ownMs = (computedMs(server.pid) - cpu.own) / cells(rates.own);
  const bareMs = (computedMs(bare.process.pid) - cpu.bare) / cells(rates.bare);
  console.log(
    `${USERS} people without pauses: ${own.toFixed(0)} cells/s; the same statements over node:http ${limit.toFixed(0)}/s, ratio ${(own / limit).toFixed(2)} (${verdict(own / limit >= LIMITS.ratio, `least ${LIMITS.ratio}`)}); CPU time of a cell ${ownMs.toFixed(2)} ms, bare ${bareMs.toFixed(2)} ms, ratio ${(bareMs / ownMs).toFixed(2)}`,
  );

  let lost = 0;
  for (const sheet of sheets) {
    const [reader] = peopleBySheet.get(sheet) ?? [];
    const response = await fetch(`${server.url}/api/sheets/${sheet.sheet_id}`, {
      headers: { authorization: `Bearer ${reader?.token}` },
    });
    const { rows } = sheetShowReply.parse(await response.json()).sheet;
    const cellsById = new Map(rows.map(({ student_id, cells }) => [student_id, cells]));
    const wanted = new Map<string, ReturnType<typeof cellAt>>();
    for (const person of peopleBySheet.get(sheet) ?? []) {
      const count = turns[people.indexOf(person)] ?? 0;
      for (let turn = 0; turn < count; turn += 1) {
        const cell = cellAt(sheet, turn * each + person.place);
        wanted.set(`${cell.student_id} ${cell.component_id}`, cell);
      }
    }
    for (const { student_id, component_id, value } of wanted.values()) {
      if (cellsById.get(student_id)?.[component_id] !== value) lost += 1;
    }
  }
  console.log(`Cells that were acknowledged and are not stored: ${lost} (${verdict(lost === 0, 'limit 0')})`);
  await measureConfirmation();
} finally {
  agent.destroy();
  bare.process.kill('SIGTERM');
  await server.dispose();
  await rm(folder, { recursive: true, force: true });
}
