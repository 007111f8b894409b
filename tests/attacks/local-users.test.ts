import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { test as base, describe, expect } from 'vitest';
import { engines } from '../support/database/engines.ts';
import { runSims, runSimsInProcess } from '../support/processes/command-line.ts';
import { Server } from '../support/processes/server.ts';

/** An existing folder with the mode that `mkdir` gives it. */
const test = base.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  folder: async ({}, use) => {
    const parent = mkdtempSync(path.join(tmpdir(), 'sims-open-'));
    const folder = path.join(parent, 'data');
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    await use(folder);
    rmSync(parent, { recursive: true, force: true });
  },
});

/** The tests start several processes in turn. */
const timeout = 120_000;

/** Files and folders that other users than the owner have any right to. */
const findOpenFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => (statSync(path.join(folder, name)).mode & 0o077) !== 0,
  );

const isRoot = process.getuid?.() === 0;

describe.skipIf(process.platform === 'win32')('another user of the machine', () => {
  // Covers A91
  test('cannot read what the server or a command creates; a readable data folder causes a warning', {
    timeout,
  }, async ({ folder }) => {
    const server = await Server.start({ LOG_LEVEL: 'silent' }, folder);
    const line = `The data folder ${folder} can be read by every user of this machine: chmod 700 ${folder}`;
    try {
      expect(server.logs.split('\n')).toContain(line);
      const made = await runSims(['backup'], { settings: { SIMS_DATA_DIR: folder } });
      expect(made.code, made.output).toBe(0);
      expect(made.output.split('\n')).toContain(line);
      expect(readdirSync(folder)).toEqual(expect.arrayContaining(['sims.db', 'sims.db-wal', 'backups']));
      expect(findOpenFiles(folder)).toEqual([]);
    } finally {
      await server.dispose();
    }
  });

  // Covers A92
  test.for<[string, (folder: string) => string]>([
    ['the data folder', (folder) => folder],
    ['the backup folder', (folder) => path.join(folder, 'backups')],
    ['the database', (folder) => path.join(folder, 'sims.db')],
  ])(
    'has write access to %s: server and commands refuse to run',
    { timeout },
    async ([, open], { folder }) => {
      const settings = { SIMS_DATA_DIR: folder };
      expect(await runSims(['migrate'], { settings })).toMatchObject({ code: 0 });
      mkdirSync(path.join(folder, 'backups'), { mode: 0o700 });
      const place = open(folder);
      chmodSync(place, 0o777);
      const before = readdirSync(folder, { recursive: true });
      const refusal = expect.stringMatching(
        new RegExp(`^The .+ ${place} can be written by every user of this machine: chmod \\d+ ${place}$`),
      );
      expect(await Server.refused(folder)).toEqual({ code: 1, output: refusal });
      for (const command of ['backup', 'user list', 'verify']) {
        const refused = await runSimsInProcess(command.split(' '), settings);
        expect(refused, command).toEqual({ code: 1, lines: [refusal] });
      }
      expect(readdirSync(folder, { recursive: true })).toEqual(before);
    },
  );
});

describe.each(engines)('a backup folder, on $name', (engine) => {
  // Covers A92
  test.skipIf(engine.isMissing || process.platform === 'win32')(
    'is refused if every user can write to it',
    { timeout },
    async ({ folder }) => {
      const database = await engine.prepare();
      chmodSync(folder, 0o777);
      const settings = { ...database.setting, SIMS_BACKUP_DIR: folder };
      const refused = await Server.refused(database.folder, settings);
      expect(refused).toEqual({
        code: 1,
        output: `The backup folder ${folder} can be written by every user of this machine: chmod 700 ${folder}`,
      });
      expect(readdirSync(folder)).toEqual([]);
      await database.remove();
    },
  );
});

describe.each(engines)('root in the folders of another user, on $name', (engine) => {
  // Covers A93
  test.skipIf(engine.isMissing || !isRoot)(
    'is refused by server and commands, which create nothing',
    { timeout },
    async ({ folder }) => {
      const database = await engine.prepare();
      chmodSync(folder, 0o700);
      chownSync(folder, 12_345, 12_345);
      const settings: Record<string, string> = {
        ...database.setting,
        SIMS_DATA_DIR: folder,
        // Does not exist yet: it would be created in a folder of that user.
        SIMS_BACKUP_DIR: path.join(folder, 'backups'),
      };
      const refusal = expect.stringMatching(
        /^The (data|backup) folder \S+ belongs to the user with the id 12345, .+ Run this as that user: sudo -u '#12345' …$/,
      );
      expect(await Server.refused(folder, settings)).toEqual({ code: 1, output: refusal });
      for (const command of ['backup', 'user list', 'verify', 'migrate', 'reindex', 'history', 'export']) {
        const refused = await runSimsInProcess(command.split(' '), settings);
        expect(refused, command).toEqual({ code: 1, lines: [refusal] });
      }
      expect(readdirSync(folder)).toEqual([]);
      await database.remove();
    },
  );
});
