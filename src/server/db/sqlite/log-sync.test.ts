import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { test as base, describe, expect, onTestFinished, vi } from 'vitest';
import { isUnavailable } from '../dialect/errors.ts';
import type { Schema } from '../schema.ts';
import { createReader, createWriter } from './driver.ts';
import { loadSqliteEngine, type SqliteEngine } from './engine.ts';
import { LogSync } from './log-sync.ts';

/** A disk whose syncs end when the test says so. */
class Disk {
  syncs = 0;
  rewrites = 0;
  canRewrite = true;
  #end: ((failure?: Error) => void) | undefined;
  readonly logSync = new LogSync(
    () => {
      this.syncs += 1;
      return new Promise((resolve, reject) => {
        this.#end = (failure) => (failure === undefined ? resolve() : reject(failure));
      });
    },
    () => {
      if (!this.canRewrite) throw new Error('disk I/O error');
      this.rewrites += 1;
    },
  );

  async untilSyncing(): Promise<void> {
    while (this.#end === undefined) await setImmediate();
  }

  async endSync(failure?: Error): Promise<void> {
    await this.untilSyncing();
    this.#end?.(failure);
    this.#end = undefined;
  }

  /** Ends every sync until these writes have an outcome. */
  async endSyncs(writes: readonly Promise<unknown>[]): Promise<void> {
    let areOver = false;
    const over = Promise.allSettled(writes).then(() => {
      areOver = true;
    });
    while (!areOver) {
      this.endRunningSync();
      await setImmediate();
    }
    await over;
  }

  endRunningSync(): void {
    this.#end?.();
    this.#end = undefined;
  }
}

interface Fixtures {
  disk: Disk;
  engine: SqliteEngine;
  file: string;
  write: Kysely<Schema>;
  read: Kysely<Schema>;
}

const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  disk: async ({}, use) => use(new Disk()),
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  engine: async ({}, use) => use(await loadSqliteEngine()),
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  file: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sims-sync-'));
    await use(path.join(folder, 'log.db'));
    rmSync(folder, { recursive: true });
  },
  write: async ({ disk, engine, file }, use) => {
    const database = engine.open(file);
    database.exec('pragma journal_mode = wal; create table saved (id text primary key) strict');
    const write = createWriter(database, { logSync: disk.logSync });
    await use(write);
    await write.destroy();
    database.close();
  },
  read: async ({ engine, file, write: _ }, use) => {
    const database = engine.open(file, { readOnly: true });
    await use(createReader(database));
    database.close();
  },
});

const insert = (db: Kysely<Schema>, id: string) => sql`insert into saved values (${id})`.execute(db);

const save = (write: Kysely<Schema>, id: string) => write.transaction().execute((tx) => insert(tx, id));

const readSaved = async (read: Kysely<Schema>) =>
  (await sql<{ id: string }>`select id from saved order by id`.execute(read)).rows.map(({ id }) => id);

const untilSaved = async (read: Kysely<Schema>, id: string) => {
  while (!(await readSaved(read)).includes(id)) await setImmediate();
};

const wasUnavailable = ([...outcomes]: PromiseSettledResult<unknown>[]) =>
  outcomes.map((outcome) => outcome.status === 'rejected' && isUnavailable(outcome.reason));

describe('writes on the embedded database', () => {
  test('share syncs when they come together', async ({ disk, write, read }) => {
    const saves = Array.from({ length: 20 }, (_, i) => save(write, `S${i}`));
    await untilSaved(read, 'S19');
    await disk.endSyncs(saves);
    await Promise.all(saves);
    expect(disk.syncs).toBeLessThanOrEqual(2);
  });

  test('let others read between any two that come together, and between their acknowledgements', async ({
    disk,
    write,
    read,
  }) => {
    // A transaction that has taken long yields in its middle, and ends in the turn of the next one.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => clock.mockRestore());
    let acknowledged = 0;
    const saves = Array.from({ length: 20 }, async (_, i) => {
      await save(write, `S${i}`);
      acknowledged += 1;
    });
    const seen: { saved: number; acknowledged: number }[] = [];
    const all = Promise.all(saves);
    while (acknowledged < saves.length) {
      seen.push({ saved: (await readSaved(read)).length, acknowledged });
      disk.endRunningSync();
      await setImmediate();
    }
    await all;
    const steps = seen.slice(1).map((now, i) => ({
      saved: now.saved - (seen[i]?.saved ?? 0),
      acknowledged: now.acknowledged - (seen[i]?.acknowledged ?? 0),
    }));
    expect(Math.max(...steps.map(({ saved }) => saved))).toBe(1);
    expect(Math.max(...steps.map(({ acknowledged }) => acknowledged))).toBe(1);
  });

  test('can be read at once, and are acknowledged after a sync that began after their commit', async ({
    disk,
    write,
    read,
  }) => {
    const acknowledged: string[] = [];
    const first = save(write, 'first').then(() => acknowledged.push('first'));
    await disk.untilSyncing();
    const later = [
      save(write, 'second').then(() => acknowledged.push('second')),
      insert(write, 'third').then(() => acknowledged.push('third')),
    ];
    await untilSaved(read, 'third');
    expect(acknowledged).toEqual([]);
    await disk.endSync();
    await first;
    await disk.untilSyncing();
    expect(acknowledged).toEqual(['first']);
    await disk.endSync();
    await Promise.all(later);
    expect(acknowledged).toEqual(['first', 'second', 'third']);
    expect(disk.syncs).toBe(2);
  });

  test('are not touched by one beside them that fails, which waits for no sync', async ({
    disk,
    write,
    read,
  }) => {
    const neighbours = ['A', 'B'].map((id) => save(write, id));
    const failing = write.transaction().execute(async (tx) => {
      await insert(tx, 'C');
      await insert(tx, 'A');
    });
    neighbours.push(save(write, 'D'));
    await expect(failing).rejects.toThrow(/unique/i);
    await disk.endSyncs(neighbours);
    await Promise.all(neighbours);
    expect(await readSaved(read)).toEqual(['A', 'B', 'D']);
  });

  test('wait for the sync of what they read, though they change nothing', async ({ disk, write }) => {
    const first = save(write, 'first');
    const seen = write.transaction().execute(async (tx) => {
      expect(await readSaved(tx)).toEqual(['first']);
    });
    let isOver = false;
    void seen.then(() => {
      isOver = true;
    });
    await disk.untilSyncing();
    expect(isOver).toBe(false);
    await disk.endSyncs([first, seen]);
    await Promise.all([first, seen]);
  });
});

describe('a sync that fails', () => {
  const FAILURE = new Error('EIO: i/o error, fdatasync');

  test('refuses all that were committed before or behind it, whatever a later sync would say', async ({
    disk,
    write,
    read,
  }) => {
    let goOn: () => void = () => {};
    const isPaused = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const saves = [save(write, 'syncing')];
    await disk.untilSyncing();
    saves.push(save(write, 'committed'));
    saves.push(
      write.transaction().execute(async (tx) => {
        await isPaused;
        return insert(tx, 'running');
      }),
    );
    await untilSaved(read, 'committed');
    await disk.endSync(FAILURE);
    goOn();
    expect(wasUnavailable(await Promise.allSettled(saves))).toEqual([true, true, true]);
    expect(disk.syncs).toBe(1);
  });

  test('lets nothing more be stored until the log has been written elsewhere', async ({
    disk,
    write,
    read,
  }) => {
    const first = save(write, 'first');
    await disk.endSync(FAILURE);
    await expect(first).rejects.toSatisfy(isUnavailable);
    disk.canRewrite = false;
    const refused = await Promise.allSettled([save(write, 'second'), save(write, 'third')]);
    expect(wasUnavailable(refused)).toEqual([true, true]);
    expect(await readSaved(read)).toEqual(['first']);

    disk.canRewrite = true;
    const fourth = save(write, 'fourth');
    await disk.endSync();
    await fourth;
    expect(await readSaved(read)).toEqual(['first', 'fourth']);
    expect([disk.syncs, disk.rewrites]).toEqual([2, 1]);
  });
});
