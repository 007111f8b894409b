import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from 'vitest';
import { openLogFile } from './log-file.ts';
import { createLogger } from './logger.ts';

const test = base.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'sims-log-'));
    await use(folder);
    rmSync(folder, { recursive: true });
  },
});

const lines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n');

test('the log in a file goes on after a restart, and takes no more than two files', ({ folder }) => {
  const file = join(folder, 'logs', 'sims.log');
  createLogger('info', openLogFile(file)).info('first start');
  createLogger('info', openLogFile(file)).info('second start');
  expect(lines(file).map((line) => JSON.parse(line).msg)).toEqual(['first start', 'second start']);

  const small = openLogFile(join(folder, 'small.log'), 20);
  for (const word of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'])
    small.write(`${word} is a line\n`);
  expect(readdirSync(folder).sort()).toEqual(['logs', 'small.log', 'small.log.old']);
  expect(lines(join(folder, 'small.log.old'))).toEqual(['five is a line', 'six is a line']);
  expect(lines(join(folder, 'small.log'))).toEqual(['seven is a line', 'eight is a line']);
});

test('a log whose folder is gone writes nowhere else, and goes on when the folder is back', ({ folder }) => {
  const file = join(folder, 'logs', 'sims.log');
  const log = openLogFile(file, 20);
  log.write('a line that fills the file\n');
  rmSync(join(folder, 'logs'), { recursive: true });
  for (const word of ['one', 'two']) log.write(`${word} is lost\n`);
  const other = join(folder, 'other');
  writeFileSync(other, 'as it was');
  const opened = openSync(other, 'a');
  for (const word of ['three', 'four']) log.write(`${word} is lost\n`);
  writeSync(opened, ' and is');
  closeSync(opened);
  expect(readFileSync(other, 'utf8')).toBe('as it was and is');
  mkdirSync(join(folder, 'logs'));
  log.write('five is back\n');
  expect(lines(file)).toEqual(['five is back']);
});

test('a log file that can not be opened is one line at the start', ({ folder }) => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => openLogFile(join(folder, 'file', 'sims.log'))).toThrow(
    /^The log file .*sims\.log can't be written: /,
  );
});
