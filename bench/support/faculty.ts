import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { loadSqliteEngine, type SqliteDatabase } from '../../src/server/db/sqlite/engine.ts';
import { openEmbedded } from '../../src/server/db/sqlite/open-sqlite.ts';
import { fillFaculty } from '../../src/server/seed/fill-faculty.ts';

/** Folder of filled databases, kept between runs: creating a million students takes minutes. */
const KEPT = process.env.SIMS_BENCH_DATA || path.join(tmpdir(), 'sims-scale');
/** Increased when the generator changes, so that older databases are filled again. */
const GENERATION = 2;

export interface Faculty {
  students: number;
  dataDir: string;
  /** Seconds that filling it took. */
  seconds: number;
  bytes: number;
}

export const short = (students: number) =>
  students >= 1_000_000 ? `${students / 1_000_000}m` : `${students / 1_000}k`;

/** A data folder with this many students; created if there is none with the current tables. */
export async function openFaculty(students: number): Promise<Faculty> {
  const dataDir = path.join(KEPT, short(students));
  const notes = path.join(dataDir, 'made.json');
  if (!existsSync(notes) || !(await isUpToDate(dataDir, notes))) await make(students, dataDir, notes);
  const { seconds } = readMade(await readFile(notes, 'utf8'));
  return { students, dataDir, seconds, bytes: statSync(path.join(dataDir, 'sims.db')).size };
}

async function make(students: number, dataDir: string, notes: string): Promise<void> {
  console.log(`Making ${students.toLocaleString('en')} students in ${dataDir} …`);
  const unfinished = `${dataDir}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1_000;
  const db = await openEmbedded(unfinished);
  await fillFaculty(db.write, {
    students,
    seed: 1,
    onProgress: (done) => {
      if (done % 100_000 === 0) console.log(`  ${done.toLocaleString('en')}, ${seconds().toFixed(0)} s`);
    },
  });
  await db.close();
  await rm(dataDir, { recursive: true, force: true });
  await rename(unfinished, dataDir);
  await writeFile(notes, JSON.stringify({ generation: GENERATION, seconds: seconds() }));
  console.log(`  made in ${seconds().toFixed(0)} s`);
}

/**
 * Opening a database migrates it. If a migration was edited since, its indexes are replaced by the current ones; if its
 * tables differ, it is not up to date.
 */
async function isUpToDate(dataDir: string, notes: string): Promise<boolean> {
  if (readMade(await readFile(notes, 'utf8')).generation !== GENERATION) return false;
  const empty = await mkdtemp(path.join(tmpdir(), 'sims-bench-'));
  const engine = await loadSqliteEngine();
  const opened: SqliteDatabase[] = [];
  try {
    for (const folder of [empty, dataDir]) {
      await (await openEmbedded(folder)).close();
      opened.push(engine.open(path.join(folder, 'sims.db')));
    }
    const [wanted, kept] = opened;
    if (wanted === undefined || kept === undefined) return false;
    if (!isSame(statements(wanted, 'table'), statements(kept, 'table'))) return false;
    alignIndexes(kept, statements(wanted, 'index'));
    return true;
  } finally {
    for (const database of opened) database.close();
    await rm(empty, { recursive: true, force: true });
  }
}

/** The `create` statements of the tables or indexes of a database, by name. */
function statements(database: SqliteDatabase, type: 'table' | 'index'): Map<string, string> {
  const rows = database
    .prepare(
      "select name, sql from sqlite_schema where type = ? and sql is not null and name not like 'sqlite_%'",
    )
    .all(type) as { name: string; sql: string }[];
  return new Map(rows.map(({ name, sql }) => [name, sql]));
}

/** A statement without blanks and quotes, for comparison. */
const plain = (statement = '') => statement.toLowerCase().replace(/["\s]/g, '');

const isSame = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>) =>
  a.size === b.size && [...a].every(([name, statement]) => plain(statement) === plain(b.get(name)));

function alignIndexes(kept: SqliteDatabase, wanted: ReadonlyMap<string, string>): void {
  const present = statements(kept, 'index');
  for (const [name, statement] of present) {
    if (plain(statement) === plain(wanted.get(name))) continue;
    kept.exec(`drop index ${name}`);
    present.delete(name);
  }
  for (const [name, statement] of wanted) {
    if (present.has(name)) continue;
    console.log(`Making the index ${name} …`);
    kept.exec(statement);
  }
}

function readMade(text: string): { generation: number; seconds: number } {
  const made: unknown = JSON.parse(text);
  const number = (name: string) => {
    const value: unknown = typeof made === 'object' && made !== null ? Reflect.get(made, name) : undefined;
    return typeof value === 'number' ? value : Number.NaN;
  };
  return { generation: number('generation'), seconds: number('seconds') };
}
