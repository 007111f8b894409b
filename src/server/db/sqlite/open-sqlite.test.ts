import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { test as base, describe, expect } from 'vitest';
import { aFamily, aStudent } from '../../../../tests/support/records.ts';
import { appendChecksum } from '../../backup/checksum.ts';
import { openDatabase } from '../../backup/open-database.ts';
import { EXIT_CODES, StartError } from '../../start-error.ts';
import { createStudent } from '../../students/write-student.ts';
import { isUnavailable } from '../dialect/errors.ts';
import type { Db } from '../schema.ts';
import { acquireDataDirLock } from './data-dir-lock.ts';
import { loadSqliteEngine } from './engine.ts';
import { openEmbedded } from './open-sqlite.ts';

const AUTHOR = { id: null, name: 'Test', role: 'admin' } as const;

const test = base.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  folder: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sims-db-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
});

const readPragma = async (db: Db, name: string) =>
  Object.values((await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db)).rows[0] ?? {})[0];

const insertStudent = (db: Db, id: string) =>
  db.transaction().execute((tx) => createStudent(tx, AUTHOR, aStudent({ id })));

/** The database's files that are not empty, without the shared-memory file. */
const filesWithContent = (folder: string) =>
  readdirSync(folder).filter(
    (name) => /^sims\.db(-wal)?$/.test(name) && statSync(path.join(folder, name)).size > 0,
  );

/** Opens a folder that must be refused, and answers the error message. */
async function getRefusal(folder: string): Promise<string> {
  try {
    const db = await openEmbedded(folder);
    await db.close();
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  throw new Error('The folder was not refused.');
}

describe('the embedded database', () => {
  test('has a write-ahead log, which the engine syncs before it moves it', async ({ folder }) => {
    const { write, read, close } = await openEmbedded(folder);
    await insertStudent(write, 'S1');
    const promised = ['journal_mode', 'synchronous', 'foreign_keys', 'checkpoint_fullfsync'].map((name) =>
      readPragma(write, name),
    );
    expect(await Promise.all(promised)).toEqual(['wal', 1, 1, 1]);
    expect(await read.selectFrom('students').select('id').execute()).toEqual([{ id: 'S1' }]);
    await close();
  });

  test('enforces foreign keys and the types of columns', async ({ folder }) => {
    const { write, close } = await openEmbedded(folder);
    const orphan = write
      .insertInto('families')
      .values({ ...aFamily('nobody'), version: 1 })
      .execute();
    await expect(orphan).rejects.toThrow(/foreign key/i);
    const semester = { student_id: 'nobody', semester: 1, sgpa: 0, cgpa: 0, version: 1 };
    await expect(write.insertInto('semesters').values(semester).execute()).rejects.toThrow(/foreign key/i);
    await insertStudent(write, 'S1');
    const text = sql`update students set fsc_marks = 'many'`.execute(write);
    await expect(text).rejects.toThrow(/cannot store/i);
    await close();
  });

  test('refuses writes on the connection for reading', async ({ folder }) => {
    const { read, write, close } = await openEmbedded(folder);
    await insertStudent(write, 'S1');
    await expect(read.deleteFrom('students').execute()).rejects.toThrow(/readonly/i);
    await close();
  });

  test('isolates reads from a running transaction, and stores nothing of one that fails', async ({
    folder,
  }) => {
    const { read, write, close } = await openEmbedded(folder);
    const seen: number[] = [];
    const failing = write.transaction().execute(async (tx) => {
      await createStudent(tx, AUTHOR, aStudent());
      seen.push((await read.selectFrom('students').select('id').execute()).length);
      throw new Error('half-way');
    });
    await expect(failing).rejects.toThrow('half-way');
    expect(seen).toEqual([0]);
    expect(await write.selectFrom('students').select('id').execute()).toEqual([]);
    await close();
  });

  test('runs concurrent writes one after the other', async ({ folder }) => {
    const { read, write, close } = await openEmbedded(folder);
    await Promise.all(Array.from({ length: 25 }, (_, i) => insertStudent(write, `S${i}`)));
    expect(await read.selectFrom('students').select('id').execute()).toHaveLength(25);
    await close();
  });

  test('waits a limited time for the lock of another program, while reads continue', async ({ folder }) => {
    const { write, read, close } = await openEmbedded(folder);
    const other = (await loadSqliteEngine()).open(path.join(folder, 'sims.db'));
    other.exec('begin exclusive');
    const entered = insertStudent(write, 'S1');
    expect(await read.selectFrom('students').select('id').execute()).toEqual([]);
    other.exec('commit');
    await entered;

    other.exec('begin exclusive');
    const refused = await Promise.allSettled(['S2', 'S3', 'S4'].map((id) => insertStudent(write, id)));
    expect(refused.map((one) => one.status === 'rejected' && isUnavailable(one.reason))).toEqual([
      true,
      true,
      true,
    ]);
    other.exec('commit');
    other.close();
    await insertStudent(write, 'S5');
    await close();
  });

  test('is a single file after closing, which can be opened again', async ({ folder }) => {
    const first = await openEmbedded(folder);
    await insertStudent(first.write, 'S1');
    await first.close();
    expect(filesWithContent(folder)).toEqual(['sims.db']);
    const second = await openEmbedded(folder);
    expect(await second.read.selectFrom('students').select('id').execute()).toEqual([{ id: 'S1' }]);
    await second.close();
  });

  test('begins with an empty log after a kill', async ({ folder }) => {
    const killed = await openEmbedded(path.join(folder, 'killed'));
    await insertStudent(killed.write, 'S1');
    cpSync(path.join(folder, 'killed'), path.join(folder, 'copy'), { recursive: true });
    await killed.close();
    const { read, state, close } = await openEmbedded(path.join(folder, 'copy'));
    expect(await state()).toMatchObject({ logBytes: 0 });
    expect(await read.selectFrom('students').select('id').execute()).toEqual([{ id: 'S1' }]);
    await close();
  });

  test('creates its folder', async ({ folder }) => {
    const inner = path.join(folder, 'new', 'data');
    await (await openEmbedded(inner)).close();
    expect(existsSync(path.join(inner, 'sims.db'))).toBe(true);
  });
});

describe('a folder without a database', () => {
  const createSettings = (folder: string, backups = path.join(folder, 'backups')) => ({
    databaseUrl: undefined,
    dataDir: folder,
    backup: { dir: backups, every: undefined, keep: 1 },
  });
  const tryToOpen = (folder: string, backups?: string) =>
    openDatabase(createSettings(folder, backups)).then(
      async (db) => {
        await db.close();
        return 'It was opened.';
      },
      (error: unknown) => (error instanceof StartError ? [error.exitCode, error.message] : error),
    );

  test('gets no new database when there are backups, unless that is requested', async ({ folder }) => {
    const backups = path.join(folder, 'backups');
    mkdirSync(backups);
    writeFileSync(path.join(backups, 'notes.txt'), '');
    const data = path.join(folder, 'data');
    expect(await tryToOpen(data, backups)).toBe('It was opened.');
    rmSync(data, { recursive: true });
    writeFileSync(path.join(backups, 'sims-2026-01-31T02-00-00.000Z.backup'), 'cut off');
    expect(await tryToOpen(data, backups)).toEqual([
      EXIT_CODES.damaged,
      expect.stringMatching(
        / has no database, but there are backups of one\. .+ migrate --new\. There is no good backup in /,
      ),
    ]);
    expect(existsSync(data)).toBe(false);
    await (await openDatabase(createSettings(data, backups), {}, { allowNew: true })).close();
    expect(await tryToOpen(data, backups)).toBe('It was opened.');
  });

  test('gets no new database beside a backup that was renamed, and which is suggested', async ({
    folder,
  }) => {
    const backups = path.join(folder, 'backups');
    mkdirSync(backups);
    const file = path.join(backups, 'monday.copy');
    const made = path.join(folder, 'made');
    await (await openEmbedded(made)).close();
    copyFileSync(path.join(made, 'sims.db'), file);
    const data = path.join(folder, 'data');
    await appendChecksum(file);
    expect(await tryToOpen(data, backups)).toEqual([
      EXIT_CODES.damaged,
      expect.stringMatching(
        / has no database, but there are backups of one\. .+ The last good backup is .+monday\.copy; /,
      ),
    ]);
    expect(existsSync(data)).toBe(false);
  });

  test.for(['sims.lock', 'sims.beside.lock'])(
    'that has %s of an earlier database stays unchanged',
    async (name, { folder }) => {
      writeFileSync(path.join(folder, name), '');
      expect(await tryToOpen(folder)).toEqual([
        EXIT_CODES.damaged,
        expect.stringContaining('but lock files of one'),
      ]);
      expect(readdirSync(folder)).toEqual([name]);
    },
  );

  test('gets a new database when its first start was interrupted', async ({ folder }) => {
    acquireDataDirLock(await loadSqliteEngine(), folder, { allowNew: true }).release();
    expect(readdirSync(folder).sort()).toEqual(['sims.db.new', 'sims.lock']);
    expect(await tryToOpen(folder)).toBe('It was opened.');
    expect(readdirSync(folder)).not.toContain('sims.db.new');
  });
});

describe('a folder is refused in one line', () => {
  test('when its database is missing and only the write-ahead log is left', async ({ folder }) => {
    const { close } = await openEmbedded(folder);
    await close();
    rmSync(path.join(folder, 'sims.db'));
    writeFileSync(path.join(folder, 'sims.db-wal'), 'what was written last');
    expect(await getRefusal(folder)).toMatch(/sims\.db is damaged .+it is gone/);
    expect(existsSync(path.join(folder, 'sims.db'))).toBe(false);
  });

  test.skipIf(!existsSync('/proc/self'))('when it cannot be created', async () => {
    expect(await getRefusal('/proc/sims/data')).toMatch(/^The data folder .+ can't be created/);
  });

  test('while it is already open', async ({ folder }) => {
    const { close } = await openEmbedded(folder);
    const text = await getRefusal(folder);
    expect(text).toContain(`in use by pid ${process.pid},`);
    expect(text).not.toContain('\n');
    await close();
    await (await openEmbedded(folder)).close();
  });

  test('when it is a file', async ({ folder }) => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    expect(await getRefusal(file)).toMatch(/^The data folder .+ can't be created/);
  });

  test('when a newer program has migrated the database, which stays unchanged', async ({ folder }) => {
    const { write, close } = await openEmbedded(folder);
    const newer = { version: 999, name: '999-later', applied_at: '2099-01-01' };
    await write.insertInto('schema_versions').values(newer).execute();
    await close();
    const before = readFileSync(path.join(folder, 'sims.db'));
    expect(await getRefusal(folder)).toMatch(/999.+newer SIMS/);
    expect(readFileSync(path.join(folder, 'sims.db')).equals(before)).toBe(true);
  });

  test.for<[string, (file: string) => void]>([
    [
      'is not a database',
      (file) => writeFileSync(file, 'These are not the records you are looking for. '.repeat(500)),
    ],
    [
      'starts with zeros',
      (file) => writeFileSync(file, Buffer.concat([Buffer.alloc(100), readFileSync(file).subarray(100)])),
    ],
    ['is empty', (file) => truncateSync(file)],
    ['was cut in half', (file) => truncateSync(file, Math.floor(readFileSync(file).length / 8192) * 4096)],
    ['lost pages in its middle', (file) => writeFileSync(file, readFileSync(file).fill(0, 4096, 40_960))],
    [
      'lost the first page of a table',
      (file) => writeFileSync(file, readFileSync(file).fill(255, 4096, 8192)),
    ],
  ])('when its database file %s, which stays unchanged', async ([, damage], { folder }) => {
    const { write, close } = await openEmbedded(folder);
    await insertStudent(write, 'S1');
    await close();
    const file = path.join(folder, 'sims.db');
    damage(file);
    const before = readFileSync(file);
    const text = await getRefusal(folder);
    expect(text).toContain('damaged');
    expect(text).toContain('restore a backup');
    expect(text).not.toContain('\n');
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});
