import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { sqlite } from '../../../tests/support/database/engines.ts';
import { toSettings } from '../../../tests/support/processes/command-line.ts';
import { SEED } from '../../../tests/support/processes/sample-faculty.ts';
import { withDatabase } from '../../../tests/support/processes/transfer.ts';

test('the codes on documents of the sample faculty lead to where the server will listen', async ({
  onTestFinished,
}) => {
  const database = await sqlite.prepare({ isMade: true });
  onTestFinished(() => database.remove());
  await promisify(execFile)(process.execPath, [SEED, '--students', '60'], {
    env: { PATH: process.env.PATH, ...toSettings(database), HOST: '127.0.0.1', PORT: '4321' },
  });
  const batches = await withDatabase(database, ({ read }) =>
    read.selectFrom('document_batches').select('choices').execute(),
  );
  expect(batches.length).toBeGreaterThan(0);
  for (const { choices } of batches)
    expect(JSON.parse(choices)).toMatchObject({ site: 'http://127.0.0.1:4321' });
});
