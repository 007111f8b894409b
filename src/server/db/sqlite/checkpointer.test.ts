import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Checkpointer } from './checkpointer.ts';
import { loadSqliteEngine } from './engine.ts';

test('another thread moves the log to the database file, and the log begins anew', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sims-move-'));
  const file = path.join(folder, 'moved.db');
  const engine = await loadSqliteEngine();
  const database = engine.open(file);
  database.exec(
    `pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table saved (id text primary key) strict;
    insert into saved values ('in the log')`,
  );
  const readWithoutLog = () => {
    const copy = path.join(folder, 'copy.db');
    copyFileSync(file, copy);
    const copied = engine.open(copy);
    const tables = copied.prepare('select name from sqlite_schema').all();
    const rows = tables.length === 0 ? [] : copied.prepare('select id from saved').all();
    copied.close();
    return rows;
  };
  expect(readWithoutLog()).toEqual([]);
  const checkpointer = new Checkpointer(file);
  // The thread has to start first.
  while (readWithoutLog().length === 0) {
    await checkpointer.move();
    await setImmediate();
  }
  const { size } = statSync(`${file}-wal`);
  database.exec("insert into saved values ('in a new log')");
  expect(statSync(`${file}-wal`).size).toBe(size);
  await checkpointer.close();
  await checkpointer.move();
  database.close();
  rmSync(folder, { recursive: true });
});
