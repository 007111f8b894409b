import {
  existsSync,
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
import { aFamily, aStudent } from '../../../tests/support/records.ts';
import { StartError } from '../start-error.ts';
import { createStudent } from '../students/write-student.ts';
import { isOutOfReach } from './dialect.ts';
import { openEmbedded } from './open.ts';
import type { Db } from './schema.ts';
import { loadSqliteEngine } from './sqlite-engine.ts';

const AUTHOR = { id: null, name: 'Test' };

const test = base.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  folder: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sims-db-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
});

const pragma = async (db: Db, name: string) =>
  Object.values((await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db)).rows[0] ?? {})[0];

const enter = (db: Db, id: string) =>
  db.transaction().execute((tx) => createStudent(tx, AUTHOR, aStudent({ id })));

/** The database's own files that hold something, without the memory that its users share. */
const filesWithContent = (folder: string) =>
  readdirSync(folder).filter(
    (name) => /^sims\.db(-wal)?$/.test(name) && statSync(path.join(folder, name)).size > 0,
  );

/** Opens a folder that must be refused, and answers why. */
async function refusal(folder: string): Promise<string> {
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
  test('writes through to the disk at each commit, still after it has written', async ({ folder }) => {
    const { write, read, close } = await openEmbedded(folder);
    await enter(write, 'S1');
    const promised = ['journal_mode', 'synchronous', 'foreign_keys'].map((name) => pragma(write, name));
    expect(await Promise.all(promised)).toEqual(['wal', 2, 1]);
    expect(await read.selectFrom('students').select('id').execute()).toEqual([{ id: 'S1' }]);
    await close();
  });

  test('holds families and semesters to their students, and types to their columns', async ({ folder }) => {
    const { write, close } = await openEmbedded(folder);
    const orphan = write
      .insertInto('families')
      .values({ ...aFamily('nobody'), version: 1 })
      .execute();
    await expect(orphan).rejects.toThrow(/foreign key/i);
    const semester = { student_id: 'nobody', semester: 1, sgpa: 0, cgpa: 0, version: 1 };
    await expect(write.insertInto('semesters').values(semester).execute()).rejects.toThrow(/foreign key/i);
    await enter(write, 'S1');
    const text = sql`update students set fsc_marks = 'many'`.execute(write);
    await expect(text).rejects.toThrow(/cannot store/i);
    await close();
  });

  test('is never written by the connection for reading', async ({ folder }) => {
    const { read, write, close } = await openEmbedded(folder);
    await enter(write, 'S1');
    await expect(read.deleteFrom('students').execute()).rejects.toThrow(/readonly/i);
    await close();
  });

  test('is read as it was before a transaction that is still running, and one that fails leaves nothing', async ({
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

  test('takes many writers at once, one after the other', async ({ folder }) => {
    const { read, write, close } = await openEmbedded(folder);
    await Promise.all(Array.from({ length: 25 }, (_, i) => enter(write, `S${i}`)));
    expect(await read.selectFrom('students').select('id').execute()).toHaveLength(25);
    await close();
  });

  test('waits for a lock that another program holds while others are served, and not for ever', async ({
    folder,
  }) => {
    const { write, read, close } = await openEmbedded(folder);
    const other = (await loadSqliteEngine()).open(path.join(folder, 'sims.db'));
    other.exec('begin exclusive');
    const entered = enter(write, 'S1');
    expect(await read.selectFrom('students').select('id').execute()).toEqual([]);
    other.exec('commit');
    await entered;

    other.exec('begin exclusive');
    const refused = await Promise.allSettled(['S2', 'S3', 'S4'].map((id) => enter(write, id)));
    expect(refused.map((one) => one.status === 'rejected' && isOutOfReach(one.reason))).toEqual([
      true,
      true,
      true,
    ]);
    other.exec('commit');
    other.close();
    await enter(write, 'S5');
    await close();
  });

  test('is there again after closing, in one file', async ({ folder }) => {
    const first = await openEmbedded(folder);
    await enter(first.write, 'S1');
    await first.close();
    expect(filesWithContent(folder)).toEqual(['sims.db']);
    const second = await openEmbedded(folder);
    expect(await second.read.selectFrom('students').select('id').execute()).toEqual([{ id: 'S1' }]);
    await second.close();
  });

  test('makes its folder, for its owner alone', async ({ folder }) => {
    const inner = path.join(folder, 'new', 'data');
    await (await openEmbedded(inner)).close();
    expect(existsSync(path.join(inner, 'sims.db'))).toBe(true);
  });
});

describe('a folder is refused in one line', () => {
  test('when its database is gone and what was written last is there', async ({ folder }) => {
    const { close } = await openEmbedded(folder);
    await close();
    rmSync(path.join(folder, 'sims.db'));
    writeFileSync(path.join(folder, 'sims.db-wal'), 'what was written last');
    expect(await refusal(folder)).toMatch(/sims\.db is damaged .+it is gone/);
    expect(existsSync(path.join(folder, 'sims.db'))).toBe(false);
  });

  test.skipIf(!existsSync('/proc/self'))('when its parent takes no folders', async () => {
    expect(await refusal('/proc/sims/data')).toMatch(/^The data folder .+ can't be made/);
  });

  test('while it is open already', async ({ folder }) => {
    const { close } = await openEmbedded(folder);
    const text = await refusal(folder);
    expect(text).toContain(`in use by pid ${process.pid},`);
    expect(text).not.toContain('\n');
    await close();
    await (await openEmbedded(folder)).close();
  });

  test('when it is a file', async ({ folder }) => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    expect(await refusal(file)).toMatch(/^The data folder .+ can't be made/);
  });

  test('when a newer program has changed the database, which stays as it is', async ({ folder }) => {
    const { write, close } = await openEmbedded(folder);
    const newer = { version: 999, name: '999-later', applied_at: '2099-01-01' };
    await write.insertInto('schema_versions').values(newer).execute();
    await close();
    const before = readFileSync(path.join(folder, 'sims.db'));
    expect(await refusal(folder)).toMatch(/999.+newer SIMS/);
    expect(readFileSync(path.join(folder, 'sims.db')).equals(before)).toBe(true);
  });

  test.for<[string, (file: string) => void]>([
    [
      'is no database',
      (file) => writeFileSync(file, 'These are not the records you are looking for. '.repeat(500)),
    ],
    [
      'begins with zeros',
      (file) => writeFileSync(file, Buffer.concat([Buffer.alloc(100), readFileSync(file).subarray(100)])),
    ],
    ['is empty', (file) => truncateSync(file)],
    ['was cut in half', (file) => truncateSync(file, Math.floor(readFileSync(file).length / 8192) * 4096)],
    ['lost pages in its middle', (file) => writeFileSync(file, readFileSync(file).fill(0, 4096, 40_960))],
    [
      'lost a page that a table begins at',
      (file) => writeFileSync(file, readFileSync(file).fill(255, 4096, 8192)),
    ],
  ])('when its file %s, which stays as it is', async ([, damage], { folder }) => {
    const { write, close } = await openEmbedded(folder);
    await enter(write, 'S1');
    await close();
    const file = path.join(folder, 'sims.db');
    damage(file);
    const before = readFileSync(file);
    const text = await refusal(folder);
    expect(text).toContain('damaged');
    expect(text).toContain('restore a backup');
    expect(text).not.toContain('\n');
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});
