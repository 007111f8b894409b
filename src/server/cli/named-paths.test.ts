import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runSimsInProcess } from '../../../tests/support/processes/command-line.ts';

const COMMANDS = ['backup', 'user list', 'verify', 'history', 'export', 'migrate', 'reindex'];

test.for<[string, (file: string) => void]>([
  ['is a folder', (file) => mkdirSync(file)],
  ['is not a database', (file) => writeFileSync(file, 'no database '.repeat(1000))],
])('every command refuses a database file that %s, and names it in one line', async ([, createFile]) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sims-paths-'));
  chmodSync(folder, 0o700);
  const file = path.join(folder, 'sims.db');
  createFile(file);
  for (const command of COMMANDS) {
    const { code, lines } = await runSimsInProcess(command.split(' '), { SIMS_DATA_DIR: folder });
    expect({ code, lines }, command).toEqual({ code: 1, lines: [expect.stringContaining(folder)] });
  }
  rmSync(folder, { recursive: true });
});
