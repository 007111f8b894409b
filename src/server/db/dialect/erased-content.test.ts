import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sqlite } from '../../../../tests/support/database/engines.ts';
import { retryTransaction } from '../transaction.ts';
import { withErasedContent } from './sql.ts';

test('content that is overwritten stays in the file of the embedded engine unless it is erased', async ({
  onTestFinished,
}) => {
  const database = await sqlite.prepare();
  onTestFinished(() => database.remove());
  const { write, close } = await database.open();
  await sql`create table kept (id integer primary key, text text)`.execute(write);
  const texts = ['first', 'second', 'third', 'fourth'].map((text) => `the ${text} text of all`);
  for (const text of texts) await sql`insert into kept (text) values (${text})`.execute(write);
  await retryTransaction(write, async (tx) => {
    const replace = (id: number) =>
      sql`update kept set text = ${'x'.repeat(100)} where id = ${id}`.execute(tx);
    await replace(1);
    await withErasedContent(tx, () => replace(3));
  });
  await close();
  const bytes = readFileSync(path.join(database.folder, 'sims.db'));
  expect(texts.map((text) => bytes.includes(text))).toEqual([true, true, false, true]);
});
