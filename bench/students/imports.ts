/** Imports of students with families and of results: preview, apply against a bare insert of the same rows, delay of other calls, memory. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { writeXlsx } from 'hucre';
import pg from 'pg';
import type { ImportKind } from '../../src/contract/imports.ts';
import { readSlots } from '../../src/contract/students/subject-slots.ts';
import { openPostgres } from '../../src/server/db/postgres/open-postgres.ts';
import { loadSqliteEngine, type SqliteValue } from '../../src/server/db/sqlite/engine.ts';
import { openEmbedded } from '../../src/server/db/sqlite/open-sqlite.ts';
import {
  type GeneratedStudent,
  inventCatalogue,
  inventFaculty,
} from '../../src/server/seed/invent-faculty.ts';
import { seededRandom } from '../../src/server/seed/random.ts';
import { Api, registerUser } from '../../tests/support/api.ts';
import { toCsv } from '../../tests/support/app/import-file.ts';
import { PostgresServer, postgresPrograms } from '../../tests/support/database/postgres.ts';
import { quantile } from '../../tests/support/load/closed-loop.ts';
import { residentMib } from '../../tests/support/load/resident.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { Imports, studentRows } from '../support/imports.ts';
import { timeWhile } from '../support/time-while.ts';

const ROWS = Number(process.env.SIMS_BENCH_STUDENTS || 50_000);
const PARTS = process.env.SIMS_BENCH_PARTS?.split(',');
const LIMITS = { previewMs: 20_000, apply: 5, delay: 5, growth: 150 };
/** Users who repeatedly open a record meanwhile. */
const READERS = 4;
const IDLE_MS = 4_000;
/** Rows per statement of the bare insert on PostgreSQL. */
const BARE_ROWS = 500;

const verdict = (value: number, limit: number) =>
  `limit ${limit.toLocaleString('en')}, ${value <= limit ? 'ok' : 'OVER'}`;

/** As many students as have so many results, a row each; without those whose record has no family. */
function resultRows(count: number): { students: GeneratedStudent[]; rows: object[] } {
  const students: GeneratedStudent[] = [];
  const rows: object[] = [];
  for (const one of inventFaculty({ students: count, seed: 1, intakes: 8 })) {
    if (one.family === null) continue;
    students.push(one);
    for (const semester of one.semesters) {
      const { student_id } = semester;
      for (const { title, id, credit, grade } of readSlots(semester)) {
        rows.push({ student_id, semester: semester.semester, title, course_id: id, credits: credit, grade });
        if (rows.length === count) return { students, rows };
      }
    }
  }
  return { students, rows };
}

/** Rows of a table that an import wrote, or all of them. */
interface Written {
  table: string;
  where?: string;
}

const toHistory = (bulkId: number): Written[] => [
  { table: 'bulk_changes', where: `id = ${bulkId}` },
  { table: 'history', where: `bulk_id = ${bulkId}` },
  { table: 'history_links', where: `history_id in (select id from history where bulk_id = ${bulkId})` },
];

type Row = Record<string, SqliteValue>;
const select = ({ table, where = 'true' }: Written) => `select * from ${table} where ${where}`;

/**
 * The baseline: inserts of the same rows into a database with the same tables and indexes, in one durable transaction.
 *
 * @param given rows that they refer to, inserted before and not counted
 * @returns milliseconds
 */
type BareInsert = (written: readonly Written[], given: readonly Written[]) => Promise<number>;

/** By prepared inserts. */
const bareSqlite =
  (dataDir: string): BareInsert =>
  async (written, given) => {
    const engine = await loadSqliteEngine();
    const source = engine.open(path.join(dataDir, 'sims.db'), { readOnly: true });
    const read = (of: readonly Written[]) =>
      of.map((one) => ({ table: one.table, rows: source.prepare(select(one)).all() as Row[] }));
    const [before, measured] = [read(given), read(written)];
    source.close();
    const folder = await mkdtemp(path.join(tmpdir(), 'sims-bench-'));
    await (await openEmbedded(folder)).close();
    const database = engine.open(path.join(folder, 'sims.db'));
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
    const insert = (tables: typeof before) => {
      const start = performance.now();
      database.exec('begin');
      for (const { table, rows } of tables) {
        const columns = Object.keys(rows[0] ?? {});
        const statement = database.prepare(
          `insert into ${table} (${columns.map((name) => `"${name}"`).join()}) values (${columns.map(() => '?').join()})`,
        );
        for (const row of rows) statement.run(...columns.map((name) => row[name] ?? null));
      }
      database.exec('commit');
      return performance.now() - start;
    };
    insert(before);
    const time = insert(measured);
    database.close();
    await rm(folder, { recursive: true });
    return time;
  };

/** By statements of many rows. */
const barePostgres =
  (postgres: PostgresServer): BareInsert =>
  async (written, given) => {
    const source = new pg.Client({ connectionString: postgres.url() });
    await source.connect();
    const read = async (of: readonly Written[]) => {
      const tables: { table: string; pieces: string[] }[] = [];
      for (const one of of) {
        const { rows } = await source.query<Row>(select(one));
        const pieces: string[] = [];
        for (let i = 0; i < rows.length; i += BARE_ROWS)
          pieces.push(JSON.stringify(rows.slice(i, i + BARE_ROWS)));
        tables.push({ table: one.table, pieces });
      }
      return tables;
    };
    const [before, measured] = [await read(given), await read(written)];
    await source.query('drop database if exists bare');
    await source.query('create database bare');
    await source.end();
    await (await openPostgres(postgres.url('bare'))).close();
    const database = new pg.Client({ connectionString: postgres.url('bare') });
    await database.connect();
    const insert = async (tables: typeof before) => {
      const start = performance.now();
      await database.query('begin');
      for (const { table, pieces } of tables) {
        const text = `insert into ${table} select * from json_populate_recordset(null::${table}, $1)`;
        for (const piece of pieces) await database.query({ name: table, text, values: [piece] });
      }
      await database.query('commit');
      return performance.now() - start;
    };
    await insert(before);
    const time = await insert(measured);
    await database.end();
    return time;
  };

interface Part {
  name: string;
  kind: ImportKind;
  rows: number;
  file: string | Uint8Array<ArrayBuffer>;
  isPostgres?: boolean;
  /** Imported before, not measured. */
  given?: readonly { kind: ImportKind; file: string }[];
  /** Tables with the records of the file, those that follow from them, and those with what they refer to. */
  tables: readonly string[];
  derivedTables?: readonly string[];
  givenTables?: readonly string[];
}

async function measure(part: Part): Promise<void> {
  const { name, kind, file, given = [] } = part;
  const postgres = part.isPostgres ? await PostgresServer.start() : undefined;
  const server = await Server.start({
    LOG_LEVEL: 'warn',
    ...(postgres !== undefined && { DATABASE_URL: postgres.url() }),
  });
  try {
    console.log(
      `-- ${name}: ${part.rows.toLocaleString('en')} rows, ${(file.length / 2 ** 20).toFixed(1)} MiB`,
    );
    const { token } = await registerUser(server.url);
    const api = new Api(server.url, token);
    await api.createRecord([[], []], { id: 'FIRST' });
    const imports = new Imports(server.url, token);
    for (const one of given) await imports.import(one.kind, one.file);
    if (given.length > 0) await server.restart();
    const reading = { api, path: '/api/students/FIRST', users: READERS };
    const idle = await timeWhile(reading, setTimeout(IDLE_MS));
    const idleP99 = quantile(idle.times, 0.99);
    const memory = residentMib(server.pid);

    const peaks: string[] = [];
    const notePeak = (step: string) => {
      peaks.push(`${residentMib(server.pid, 'VmHWM')?.toFixed(0)} after the ${step}`);
    };
    const begun = performance.now();
    const url = await imports.upload(kind, file);
    notePeak('upload');
    const sent = performance.now();
    const preview = await imports.preview(url);
    notePeak('preview');
    const checked = performance.now();
    console.log(
      `Upload ${(sent - begun).toFixed(0)} ms, preview ${(checked - sent).toFixed(0)} ms: ${(checked - begun).toFixed(0)} ms (${verdict(checked - begun, LIMITS.previewMs)})`,
    );
    const done = await imports.apply(url, preview);
    const applied = performance.now() - checked;
    console.log(`${done} In ${applied.toFixed(0)} ms`);
    const highest = residentMib(server.pid, 'VmHWM');
    if (memory !== undefined && highest !== undefined) {
      const growth = highest - memory;
      console.log(
        `Resident memory: ${memory.toFixed(0)} MiB before, at most ${highest.toFixed(0)} (${peaks.join(', ')}), growth ${growth.toFixed(0)} MiB (${verdict(growth, LIMITS.growth)})`,
      );
    }
    await measureBare(
      part,
      applied,
      postgres === undefined ? bareSqlite(server.dataDir) : barePostgres(postgres),
    );
    const undoing = performance.now();
    console.log(`${await imports.undo(url)} In ${(performance.now() - undoing).toFixed(0)} ms`);

    const meanwhile = async <Result>(step: string, act: Promise<Result>): Promise<Result> => {
      const { result, times } = await timeWhile(reading, act);
      const p99 = quantile(times, 0.99);
      const delay = p99 / idleP99;
      console.log(
        `Other calls during the ${step}, p99: ${p99.toFixed(1)} ms of ${times.length}, idle ${idleP99.toFixed(1)} ms, ratio ${delay.toFixed(1)} (${verdict(delay, LIMITS.delay)}), longest ${Math.max(...times).toFixed(0)} ms`,
      );
      return result;
    };
    const again = await meanwhile('upload', imports.upload(kind, file));
    const previewed = await meanwhile('preview', imports.preview(again));
    await meanwhile('apply', imports.apply(again, previewed));
    await meanwhile('undo', imports.undo(again));
  } finally {
    await server.dispose();
    await postgres?.dispose();
  }
}

/** @param applied milliseconds of the import */
async function measureBare(
  { tables, derivedTables = [], given = [], givenTables = [] }: Part,
  applied: number,
  insert: BareInsert,
): Promise<void> {
  const all = (names: readonly string[]): Written[] => names.map((table) => ({ table }));
  for (const [name, written] of [
    [tables.join(' and '), all(tables)],
    [
      [...derivedTables, 'those and their entries in the history'].join(', '),
      [...all([...tables, ...derivedTables]), ...toHistory(given.length + 1)],
    ],
  ] as const) {
    const limit = await insert(written, all(givenTables));
    const ratio = applied / limit;
    console.log(
      `Bare insert of ${name}: ${limit.toFixed(0)} ms, ratio ${ratio.toFixed(2)} (${verdict(ratio, LIMITS.apply)})`,
    );
  }
}

async function toWorkbook(rows: readonly object[]): Promise<Uint8Array<ArrayBuffer>> {
  const cells = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))];
  return new Uint8Array(await writeXlsx({ sheets: [{ name: 'Rows', rows: cells }] }));
}

const students = studentRows(inventFaculty({ students: ROWS, seed: 1, intakes: 8 }));
const results = resultRows(ROWS);
const courses = [...inventCatalogue(seededRandom(1))].map(({ course }) => course);
const csv = toCsv(students);
const ofStudents = {
  kind: 'students',
  rows: students.length,
  tables: ['students', 'families'],
  derivedTables: ['student_terms'],
} as const;
const parts: Record<string, () => Promise<Part>> = {
  students: async () => ({ ...ofStudents, name: 'Students with families as CSV', file: csv }),
  workbook: async () => ({
    ...ofStudents,
    name: 'Students with families as a workbook',
    file: await toWorkbook(students),
  }),
  postgres: async () => ({
    ...ofStudents,
    name: 'Students with families as CSV, on PostgreSQL',
    file: csv,
    isPostgres: true,
  }),
  results: async () => ({
    name: 'Results as CSV',
    kind: 'results',
    rows: results.rows.length,
    file: toCsv(results.rows),
    given: [
      { kind: 'courses', file: toCsv(courses) },
      { kind: 'students', file: toCsv(studentRows(results.students)) },
    ],
    tables: ['semesters', 'semester_subjects'],
    givenTables: ['courses', 'students', 'families'],
  }),
};
for (const [name, part] of Object.entries(parts)) {
  if (PARTS !== undefined && !PARTS.includes(name)) continue;
  if (name === 'postgres' && postgresPrograms() === undefined) {
    console.log('There is no PostgreSQL on this machine.');
    continue;
  }
  await measure(await part());
}
