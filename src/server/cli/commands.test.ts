import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { test as base, describe, expect } from 'vitest';
import { Api } from '../../../tests/support/api.ts';
import { postgres, sqlite } from '../../../tests/support/database/engines.ts';
import { runSims, runSimsInProcess, toSettings } from '../../../tests/support/processes/command-line.ts';
import { ENDED_IN_ORDER, Server } from '../../../tests/support/processes/server.ts';
import { withDatabase } from '../../../tests/support/processes/transfer.ts';
import { type SignedIn, signedInReply } from '../../contract/accounts/accounts.ts';
import { listBackups } from '../backup/backup-folder.ts';
import { appendChecksum } from '../backup/checksum.ts';
import { openDatabase } from '../backup/open-database.ts';
import { parseLocation } from '../db/location.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import { recordChange } from '../history/record-change.ts';
import { transact } from '../history/transaction.ts';
import { readSettings } from '../settings/settings.ts';
import { SIMS_COMMAND } from '../start-error.ts';
import { openCopyTarget } from '../transfer/copy.ts';
import { openForCommand } from '../transfer/open-for-command.ts';
import { COMMAND_LINE_AUTHOR } from './command.ts';
import { COMMANDS, toErrorText } from './commands.ts';

/** Splits output into lines, without the line break at the end. */
const splitLines = (output: string) => output.trimEnd().split('\n');

describe.each([sqlite, postgres])('text that people have entered, on $name', (engine) => {
  const test = engine.isMissing ? base.skip : base;

  // Covers A64
  test('cannot control the terminal of the administrator who lists it', async ({ onTestFinished }) => {
    const database = await engine.prepare({ isMade: true });
    onTestFinished(() => database.remove());
    const settings = toSettings(database);
    const run = async (args: string) => (await runSimsInProcess(args.split(' '), settings)).lines.join('\n');
    await run('user create --name Asad --email asad@x.example --generate');
    // An older version could store this.
    const name = 'Asad\x1b[2J\u009b2J\u202e\nroot';
    await withDatabase(database, ({ write }) =>
      transact(write, async (tx) => {
        await tx.updateTable('users').set({ name }).execute();
        await recordChange(tx, COMMAND_LINE_AUTHOR, {
          action: 'update',
          entity: 'user',
          entityId: 1,
          before: { name: 'Asad' },
          after: { name },
        });
      }),
    );
    expect(await run('user list')).toContain('Asad\\u001b[2J\\u009b2J\\u202e\\u000aroot');
    for (const command of ['user list', 'user list --json', 'history', 'history --json']) {
      const output = await run(command);
      expect(output, command).not.toContain('\nroot');
      expect(output.replaceAll('\n', ''), command).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    }
    expect(JSON.parse(await run('user list --json'))).toMatchObject({ name });
  });
});

describe.each([sqlite, postgres])('the command line, on $name', (engine) => {
  const test = engine.isMissing ? base.skip : base;

  test('manages accounts, prints the history, exports and verifies while a server runs', {
    timeout: 180_000,
  }, async () => {
    const database = await engine.prepare();
    const settings = toSettings(database);
    const run = (args: string, input?: string) => runSimsInProcess(args.split(' '), settings, input);
    const succeed = async (args: string, input?: string) => {
      const { code, lines } = await run(args, input);
      expect(code, lines.join('\n')).toBe(0);
      return lines;
    };
    /** Runs a command that must be refused, and answers the reason in one line. */
    const getRefusal = async (args: string, input?: string) => {
      const { code, lines } = await run(args, input);
      expect([code, lines.length], lines.join('\n')).toEqual([1, 1]);
      return lines[0];
    };
    expect(await getRefusal('user list')).toMatch(/^There is no SIMS database|holds no SIMS records/);

    const made = await succeed('user create --name Asad --email asad@x.example --generate');
    expect(made[0]).toBe('Created account 1 for asad@x.example (admin).');
    const password = /^Password: (\S{20})$/.exec(made[1] ?? '')?.[1] ?? '';
    const server = await Server.start(settings);
    const signIn = async (email: string, own: string): Promise<SignedIn | number> => {
      const answer = await new Api(server.url).send('POST', '/api/login', { email, password: own });
      return answer.ok ? signedInReply.parse(await answer.json()) : answer.status;
    };
    const signedIn = async (email: string, own: string) => {
      const answer = await signIn(email, own);
      if (typeof answer === 'number') throw new Error(`Signing in answered ${answer}.`);
      return new Api(server.url, answer.token);
    };
    try {
      const admin = await signedIn('asad@x.example', password);
      const student = await admin.createStudent({ id: 'S1', department: 'CE' });
      await admin.createStudent({ department: 'EE' });

      // Accounts.
      const sana = '--name Sana --email sana@x.example';
      expect(await getRefusal(`user create ${sana}`, 'password\n')).toMatch(/common passwords/);
      expect(await getRefusal(`user create ${sana}`, 'short\n')).toMatch(/8 to 256 characters/);
      expect(await getRefusal(`user create ${sana} --password secret`)).toMatch(
        /^Unknown option '--password'/,
      );
      const created = await runSims(['user', 'create', ...sana.split(' ')], {
        settings,
        input: 'seven wet umbrellas\n',
      });
      expect(created.code, created.output).toBe(0);
      expect(await getRefusal(`user create ${sana}`, 'seven wet umbrellas\n')).toMatch(/already been taken/);
      const staff = await signedIn('sana@x.example', 'seven wet umbrellas');
      await succeed('user set-role SANA@x.example viewer');
      expect((await staff.send('POST', '/api/students', student)).status).toBe(403);
      expect(await getRefusal('user set-role asad@x.example staff')).toMatch(/last administrator/);
      expect(await getRefusal('user lock asad@x.example')).toMatch(/last administrator/);
      await succeed('user reset-password sana@x.example', 'eight dry umbrellas\n');
      expect((await staff.send('GET', '/api/students')).status).toBe(401);
      expect(await signIn('sana@x.example', 'seven wet umbrellas')).toBe(401);
      const again = await signedIn('sana@x.example', 'eight dry umbrellas');
      await succeed('user revoke-tokens sana@x.example');
      expect((await again.send('GET', '/api/students')).status).toBe(401);
      const connection = await openForCommand(readSettings(settings));
      await connection.write
        .insertInto('second_factors')
        .values({
          user_id: 2,
          secret: 'S',
          begun_at: '2026',
          confirmed_at: '2026',
          last_step: null,
          failures: 0,
        })
        .execute();
      expect(await succeed('user reset-second-factor sana@x.example')).toEqual([
        'The second factor of sana@x.example was removed, and all sessions were ended.',
      ]);
      expect(await connection.read.selectFrom('second_factors').select('user_id').execute()).toEqual([]);
      expect(await succeed('user list')).toEqual([
        expect.stringMatching(/^ +1 {2}admin {4}asad@x\.example {2}Asad$/),
        expect.stringMatching(/^ +2 {2}viewer {3}sana@x\.example {2}Sana$/),
      ]);

      // History.
      const [entry, ...none] = await succeed('history --student S1 --json');
      expect(none).toEqual([]);
      expect(JSON.parse(entry ?? '')).toMatchObject({
        action: 'create',
        entity_id: 'S1',
        user: { name: 'Asad' },
      });
      expect(await succeed('history --limit 4')).toEqual([
        expect.stringMatching(/Z {2}Command line {2}update user 2/),
        expect.stringMatching(/Z {2}Command line {2}update user 2/),
        expect.stringMatching(/Z {2}Command line {2}update user 2: Password: - → "reset"$/),
        expect.stringMatching(/Z {2}Command line {2}update user 2: Role: "staff" → "viewer"$/),
      ]);
      expect(await succeed('history --user asad@x.example --to 2020-01-01')).toEqual([]);
      expect(await getRefusal('history --action steal')).toMatch(/^The action must be one of/);

      // Export.
      const file = path.join(database.folder, 'ce.csv');
      expect(await succeed(`export --department CE --to ${file}`)).toEqual([`1 students in ${file}.`]);
      expect(splitLines(readFileSync(file, 'utf8'))).toEqual([
        expect.stringMatching(/^\uFEFFID,First Name/),
        expect.stringMatching(/^S1,/),
      ]);
      expect(await getRefusal(`export --to ${file}`)).toBe(
        `The file ${file} exists already. An export never overwrites a file.`,
      );
      expect(await getRefusal('export --current-sem 9')).toBe(
        'The current sem must be a whole number from 1 to 8.',
      );
      const workbook = path.join(database.folder, 'all.xlsx');
      expect(await getRefusal(`export --format csv --to ${workbook}`)).toBe(
        `The file ${workbook} would not be what its name says: its format is csv.`,
      );
      await succeed(`export --to ${workbook}`);
      expect(readFileSync(workbook).subarray(0, 2).toString()).toBe('PK');

      // Verification: first without a fault, then with one.
      const lines = await succeed('verify');
      expect(lines.slice(0, -1).filter((line) => !line.endsWith(': in order'))).toEqual([]);
      const [head] = /\d+:[0-9a-f]{64}$/.exec(lines.at(-1) ?? '') ?? [];
      expect(await succeed(`verify --head ${head}`)).toEqual(lines);
      expect((await run(`verify --head 1:${'a'.repeat(64)}`)).lines).toContainEqual(
        expect.stringMatching(/^Chain of the history: Number 1 of the chain is not the noted one/),
      );
      expect(await getRefusal('verify --head latest')).toMatch(/^--head must be <number>:<hash>/);
      await sql`update cohorts set students = 7`.execute(connection.write);
      await connection.close();
      const faults = await run('verify');
      expect(faults.code).toBe(1);
      expect(faults.lines).toContainEqual(
        expect.stringMatching(/^Counts: cohorts: 7 instead of 1 of department CE/),
      );
      expect(faults.lines.at(-1)).toContain('reindex');
      expect(await getRefusal('reindex')).toMatch(/in use by .*another SIMS process/);
      expect(await server.stop()).toBe(ENDED_IN_ORDER);
      await succeed('reindex');
      await succeed('verify');
      expect(await succeed('migrate')).toEqual([
        expect.stringMatching(/is up to date: schema version \d+\.$/),
      ]);
    } finally {
      await server.dispose();
      await database.remove();
    }
  });

  test('lists the migrations that a database lacks, and applies them', async () => {
    const database = await engine.prepare();
    const settings = toSettings(database);
    try {
      const empty = await runSimsInProcess(['reindex'], settings);
      expect(empty).toEqual({ code: 1, lines: [expect.stringMatching(/holds no SIMS records\.$/)] });
      await (await openCopyTarget(parseLocation('--to', database.location), 1)).close();
      const missing = MIGRATIONS.slice(1)
        .map(({ name }) => name)
        .join(', ');
      for (const _ of [1, 2]) {
        const dry = await runSimsInProcess(['migrate', '--dry-run'], settings);
        expect(dry).toEqual({ code: 0, lines: [expect.stringContaining(`Missing: ${missing}.`)] });
      }
      const other = await runSimsInProcess(['user', 'list'], settings);
      expect(other).toEqual({ code: 1, lines: [expect.stringMatching(/start this SIMS on it once/)] });
      const migrated = await runSimsInProcess(['migrate'], settings);
      expect(migrated).toMatchObject({
        code: 0,
        lines: [expect.anything(), expect.stringMatching(/^Done: schema version \d+\.$/)],
      });
      const { dir = '' } = readSettings(settings).backup;
      expect(await listBackups(dir)).toMatchObject([{ occasion: 'before-migration' }]);
    } finally {
      await database.remove();
    }
  });

  test('tells the database and the backup of another release by the names of its migrations', async ({
    onTestFinished,
  }) => {
    const database = await engine.prepare({ isMade: true });
    const other = await sqlite.prepare({ isMade: true });
    onTestFinished(async () => {
      await database.remove();
      await other.remove();
    });
    const settings = toSettings(database);
    const renumber = (one: typeof database) =>
      withDatabase(one, ({ write }) =>
        sql`update schema_versions set name = '004-bulk-changes' where version = 4`.execute(write),
      );
    const said = (what: string) =>
      new RegExp(
        `^${what} was made by another release of SIMS: its migration 4 is 004-bulk-changes, that of this program ${MIGRATIONS[3]?.name}\\. Nothing was changed; .+$`,
      );
    const run = (...args: string[]) => runSimsInProcess(args, settings);
    const refusal = (what: string) => ({ code: 1, lines: [expect.stringMatching(said(what))] });
    const create = ['user', 'create', '--name', 'Asad', '--email', 'asad@x.example', '--generate'];
    expect((await run(...create)).code).toBe(0);

    await renumber(other);
    const backup = path.join(other.folder, 'other.backup');
    copyFileSync(path.join(other.folder, 'sims.db'), backup);
    await appendChecksum(backup);
    for (const args of [
      ['restore', backup],
      ['restore', backup, '--force'],
      ['verify', backup],
    ]) {
      expect(await run(...args)).toEqual(refusal('.+other\\.backup'));
    }
    expect((await run('user', 'list')).lines.join()).toContain('asad@x.example');
    expect(await listBackups(readSettings(settings).backup.dir ?? '')).toEqual([]);

    await renumber(database);
    for (const args of [['migrate', '--dry-run'], ['migrate'], ['verify'], ['user', 'list'], ['reindex']]) {
      expect(await run(...args), args.join(' ')).toEqual(refusal('.+'));
    }
    await expect(openDatabase(readSettings(settings))).rejects.toThrow(said('The database'));
  });

  test('reports an error of the database in one line', async () => {
    const database = await engine.prepare({ isMade: true });
    await withDatabase(database, async ({ write }) => {
      const twice = sql`insert into schema_versions (version, name, applied_at) values (1, '', '')`;
      const error: unknown = await twice.execute(write).catch((reason: unknown) => reason);
      expect(toErrorText(error)).toEqual(expect.stringMatching(/^.*unique.+$/i));
    });
    await database.remove();
  });
});

base('every command has a help text, and refuses an unknown option', async () => {
  for (const command of Object.keys(COMMANDS)) {
    const help = await runSimsInProcess([command, '--help'], {});
    expect(help.code).toBe(0);
    expect(help.lines[0]).toContain(`\n  ${SIMS_COMMAND} ${command}`);
    expect(help.lines[0]).toContain('\nExit code 0');
    const { code, lines } = await runSimsInProcess([command, '--quickly'], {});
    expect([code, lines[0]]).toEqual([1, expect.stringMatching(/^Unknown option '--quickly'/)]);
  }
});
