/** Import of students with families: preview, apply against a bare insert of the same rows, delay of other calls, memory. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import {
  type ImportPreview,
  importAppliedReply,
  importCreatedReply,
  importPreview,
  importUndoneReply,
  importUndoPreview,
} from '../src/contract/imports.ts';
import { loadSqliteEngine, type SqliteValue } from '../src/server/db/sqlite/engine.ts';
import { inventFaculty } from '../src/server/seed/invent-faculty.ts';
import { toCsv } from '../tests/support/app/import-file.ts';
import { Api, registerUser } from '../tests/support/browser/api.ts';
import { Server } from '../tests/support/processes/server.ts';
import { quantile } from './support/closed-loop.ts';
import { residentMib } from './support/resident.ts';

const STUDENTS = Number(process.env.SIMS_BENCH_STUDENTS || 50_000);
const LIMITS = { previewMs: 20_000, apply: 5, delay: 5, growth: 150 };
/** Users who repeatedly open a record meanwhile. */
const READERS = 4;
const IDLE_MS = 4_000;

const verdict = (value: number, limit: number) =>
  `limit ${limit.toLocaleString('en')}, ${value <= limit ? 'ok' : 'OVER'}`;

/** Rows as a registrar has them, without the students who have no family. */
function buildCsv(): { csv: string; rows: number } {
  const rows: object[] = [];
  for (const { student, family } of inventFaculty({ students: STUDENTS, seed: 1, intakes: 8 })) {
    if (family === null) continue;
    const { img: _, ...base } = student;
    const { student_id: __, ...details } = family;
    rows.push({ ...base, ...details });
  }
  return { csv: toCsv(rows), rows: rows.length };
}

/**
 * The baseline: prepared inserts of the same rows into an empty database with the same tables and indexes, in one durable
 * transaction.
 */
async function bareInsert(file: string, empty: string, tables: readonly string[]): Promise<number> {
  const engine = await loadSqliteEngine();
  const source = engine.open(file, { readOnly: true });
  const rows = tables.map((table) => ({
    table,
    all: source.prepare(`select * from ${table}`).all() as Record<string, SqliteValue>[],
  }));
  source.close();
  const database = engine.open(empty);
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
  for (const table of tables.toReversed()) database.exec(`delete from ${table}`);
  const before = performance.now();
  database.exec('begin');
  for (const { table, all } of rows) {
    const columns = Object.keys(all[0] ?? {});
    const insert = database.prepare(
      `insert into ${table} (${columns.map((name) => `"${name}"`).join()}) values (${columns.map(() => '?').join()})`,
    );
    for (const row of all) insert.run(...columns.map((name) => row[name] ?? null));
  }
  database.exec('commit');
  const time = performance.now() - before;
  database.close();
  return time;
}

/** The durations of the calls of several readers until `until` settles. */
async function readWhile<Result>(
  api: Api,
  until: Promise<Result>,
): Promise<{ result: Result; p99: number; most: number }> {
  const times: number[] = [];
  let isOver = false;
  const end = until.finally(() => {
    isOver = true;
  });
  const reader = async () => {
    while (!isOver) {
      const before = performance.now();
      await (await api.send('GET', '/api/students/FIRST')).arrayBuffer();
      times.push(performance.now() - before);
    }
  };
  const [result] = await Promise.all([end, ...Array.from({ length: READERS }, reader)]);
  return { result, p99: quantile(times, 0.99), most: Math.max(...times) };
}

const server = await Server.start({ LOG_LEVEL: 'warn' });
const bare = await Server.start({ LOG_LEVEL: 'warn' });
try {
  await bare.stop();
  const { token } = await registerUser(server.url);
  const api = new Api(server.url, token);
  await api.createRecord([[], []], { id: 'FIRST' });
  const { csv, rows } = buildCsv();
  console.log(
    `${rows.toLocaleString('en')} students with families, ${(csv.length / 2 ** 20).toFixed(1)} MiB`,
  );
  const idle = await readWhile(api, new Promise((resolve) => setTimeout(resolve, IDLE_MS)));
  const memory = residentMib(server.pid);

  const upload = async () => {
    const form = new FormData();
    form.set('kind', 'students');
    form.set('file', new Blob([csv]), 'students.csv');
    const response = await fetch(new URL('/api/imports', server.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    return `/api/imports/${importCreatedReply.parse(await response.json()).import.import_id}`;
  };
  const preview = async (url: string) => importPreview.parse(await api.post(`${url}/preview`, {}));
  const apply = async (url: string, { fingerprint }: ImportPreview) =>
    importAppliedReply.parse(await api.post(`${url}/apply`, { fingerprint })).message;
  const undo = async (url: string) => {
    const { fingerprint } = importUndoPreview.parse(await api.get(`${url}/undo`));
    return importUndoneReply.parse(await api.post(`${url}/undo`, { fingerprint })).message;
  };

  const peaks: string[] = [];
  const notePeak = (step: string) => {
    peaks.push(`${residentMib(server.pid, 'VmHWM')?.toFixed(0)} after the ${step}`);
  };
  const begun = performance.now();
  const url = await upload();
  notePeak('upload');
  const sent = performance.now();
  const previewed = await preview(url);
  notePeak('preview');
  const checked = performance.now();
  console.log(
    `Upload ${(sent - begun).toFixed(0)} ms, preview ${(checked - sent).toFixed(0)} ms: ${(checked - begun).toFixed(0)} ms (${verdict(checked - begun, LIMITS.previewMs)})`,
  );
  const done = await apply(url, previewed);
  const applied = performance.now() - checked;
  console.log(`${done} In ${applied.toFixed(0)} ms`);
  const highest = residentMib(server.pid, 'VmHWM');
  if (memory !== undefined && highest !== undefined) {
    const growth = highest - memory;
    console.log(
      `Resident memory: ${memory.toFixed(0)} MiB before, at most ${highest.toFixed(0)} (${peaks.join(', ')}), growth ${growth.toFixed(0)} MiB (${verdict(growth, LIMITS.growth)})`,
    );
  }

  const copy = path.join(server.dataDir, 'sims.db');
  const empty = path.join(bare.dataDir, 'sims.db');
  for (const [name, tables] of [
    ['students and families', ['students', 'families']],
    [
      'those, their search terms and their entries in the history',
      ['students', 'families', 'student_terms', 'bulk_changes', 'history', 'history_links'],
    ],
  ] as const) {
    const limit = await bareInsert(copy, empty, tables);
    const ratio = applied / limit;
    console.log(
      `Bare insert of ${name}: ${limit.toFixed(0)} ms, ratio ${ratio.toFixed(2)} (${verdict(ratio, LIMITS.apply)})`,
    );
  }
  const undoing = performance.now();
  console.log(`${await undo(url)} In ${(performance.now() - undoing).toFixed(0)} ms`);

  const meanwhile = async <Result>(name: string, act: Promise<Result>): Promise<Result> => {
    const { result, p99, most } = await readWhile(api, act);
    const delay = p99 / idle.p99;
    console.log(
      `Other calls during the ${name}, p99: ${p99.toFixed(1)} ms, idle ${idle.p99.toFixed(1)} ms, ratio ${delay.toFixed(1)} (${verdict(delay, LIMITS.delay)}), longest ${most.toFixed(0)} ms`,
    );
    return result;
  };
  const again = await meanwhile('upload', upload());
  const againPreviewed = await meanwhile('preview', preview(again));
  await meanwhile('apply', apply(again, againPreviewed));
  await meanwhile('undo', undo(again));
} finally {
  await server.dispose();
  await bare.dispose();
  await rm(bare.dataDir, { recursive: true, force: true });
}
