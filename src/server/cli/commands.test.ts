import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { test as base, describe, expect } from 'vitest';
import { Api } from '../../../tests/support/api.ts';
import { postgres, sqlite } from '../../../tests/support/engines.ts';
import { inside } from '../../../tests/support/moving.ts';
import { Server } from '../../../tests/support/server.ts';
import { settingsOf, sims, simsHere } from '../../../tests/support/sims.ts';
import { type SignedIn, signedInReply } from '../../contract/accounts.ts';
import { backupsIn } from '../backup/names.ts';
import { openToFill } from '../db/copy/copy-installation.ts';
import { readPlace } from '../db/copy/place.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import { openBeside } from '../db/open-beside.ts';
import { readSettings } from '../settings.ts';
import { COMMANDS, textOf } from './commands.ts';

/** Cut into lines, the last of which ends as well. */
const linesOf = (output: string) => output.trimEnd().split('\n');

describe.each([sqlite, postgres])('the command line beside a running server, on $name', (engine) => {
  const test = engine.isMissing ? base.skip : base;

  test('makes accounts and looks after them, tells the history, exports, and looks at all of it', {
    timeout: 180_000,
  }, async () => {
    const database = await engine.prepare();
    const settings = settingsOf(database);
    const run = async (args: string, input?: string) => {
      if (input === undefined) return simsHere(args.split(' '), settings);
      const { code, output } = await sims(args.split(' '), { settings, input });
      return { code, lines: linesOf(output) };
    };
    const done = async (args: string, input?: string) => {
      const { code, lines } = await run(args, input);
      expect(code, lines.join('\n')).toBe(0);
      return lines;
    };
    /** Why it is not done, in one line. */
    const refused = async (args: string, input?: string) => {
      const { code, lines } = await run(args, input);
      expect([code, lines.length], lines.join('\n')).toEqual([1, 1]);
      return lines[0];
    };
    expect(await refused('user list')).toMatch(/^There is no SIMS database|holds no SIMS records/);

    const made = await done('user create --name Asad --email asad@x.example --generate');
    expect(made[0]).toBe('Made the account 1 of asad@x.example (admin).');
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
      expect(await refused(`user create ${sana}`, 'password\n')).toMatch(/common passwords/);
      expect(await refused(`user create ${sana}`, 'short\n')).toMatch(/8 to 256 characters/);
      expect(await refused(`user create ${sana} --password secret`)).toMatch(/^Unknown option '--password'/);
      await done(`user create ${sana}`, 'seven wet umbrellas\n');
      expect(await refused(`user create ${sana}`, 'seven wet umbrellas\n')).toMatch(/already been taken/);
      const staff = await signedIn('sana@x.example', 'seven wet umbrellas');
      await done('user set-role SANA@x.example viewer');
      expect((await staff.send('POST', '/api/students', student)).status).toBe(403);
      expect(await refused('user set-role asad@x.example staff')).toMatch(/last administrator/);
      expect(await refused('user lock asad@x.example')).toMatch(/last administrator/);
      await done('user reset-password sana@x.example', 'eight dry umbrellas\n');
      expect((await staff.send('GET', '/api/students')).status).toBe(401);
      expect(await signIn('sana@x.example', 'seven wet umbrellas')).toBe(401);
      const again = await signedIn('sana@x.example', 'eight dry umbrellas');
      await done('user revoke-tokens sana@x.example');
      expect((await again.send('GET', '/api/students')).status).toBe(401);
      const beside = await openBeside(readSettings(settings));
      await beside.write
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
      expect(await done('user reset-second-factor sana@x.example')).toEqual([
        'sana@x.example signs in by the password alone now, and is signed out everywhere.',
      ]);
      expect(await beside.read.selectFrom('second_factors').select('user_id').execute()).toEqual([]);
      expect(await done('user list')).toEqual([
        expect.stringMatching(/^ +1 {2}admin {3}asad@x\.example {2}Asad$/),
        expect.stringMatching(/^ +2 {2}viewer {2}sana@x\.example {2}Sana$/),
      ]);

      // History.
      const [entry, ...none] = await done('history --student S1 --json');
      expect(none).toEqual([]);
      expect(JSON.parse(entry ?? '')).toMatchObject({
        action: 'create',
        entity_id: 'S1',
        user: { name: 'Asad' },
      });
      expect(await done('history --limit 4')).toEqual([
        expect.stringMatching(/Z {2}Command line {2}update user 2/),
        expect.stringMatching(/Z {2}Command line {2}update user 2/),
        expect.stringMatching(/Z {2}Command line {2}update user 2: Password: - → "reset"$/),
        expect.stringMatching(/Z {2}Command line {2}update user 2: Role: "staff" → "viewer"$/),
      ]);
      expect(await done('history --user asad@x.example --to 2020-01-01')).toEqual([]);
      expect(await refused('history --action steal')).toMatch(/^The action must be one of/);

      // Export.
      const file = path.join(database.folder, 'ce.csv');
      expect(await done(`export --department CE --to ${file}`)).toEqual([`1 students in ${file}.`]);
      expect(linesOf(readFileSync(file, 'utf8'))).toEqual([
        expect.stringMatching(/^ID,First Name/),
        expect.stringMatching(/^S1,/),
      ]);
      expect(await refused(`export --to ${file}`)).toBe(
        `There is a file ${file} already. An export is never written over one.`,
      );
      expect(await refused('export --current-sem 9')).toBe(
        'The current sem must be a whole number from 1 to 8.',
      );
      const workbook = path.join(database.folder, 'all.xlsx');
      await done(`export --format xlsx --to ${workbook}`);
      expect(readFileSync(workbook).subarray(0, 2).toString()).toBe('PK');

      // All is in order; then it is not.
      const lines = await done('verify');
      expect(lines.slice(0, -1).filter((line) => !line.endsWith(': in order'))).toEqual([]);
      const [head] = /\d+:[0-9a-f]{64}$/.exec(lines.at(-1) ?? '') ?? [];
      expect(await done(`verify --head ${head}`)).toEqual(lines);
      expect((await run(`verify --head 1:${'a'.repeat(64)}`)).lines).toContainEqual(
        expect.stringMatching(/^Chain of the history: Number 1 of the chain is not the noted one/),
      );
      expect(await refused('verify --head latest')).toMatch(/^--head must be <number>:<hash>/);
      await sql`update cohorts set students = 7`.execute(beside.write);
      await beside.close();
      const faults = await run('verify');
      expect(faults.code).toBe(1);
      expect(faults.lines).toContainEqual(
        expect.stringMatching(/^Counts: cohorts: 7 instead of 1 of department CE/),
      );
      expect(faults.lines.at(-1)).toContain('relist');
      expect(await refused('relist')).toMatch(/in use by .*another SIMS process/);
      expect(await server.stop()).toBe(0);
      await done('relist');
      await done('verify');
      expect(await done('migrate')).toEqual([expect.stringMatching(/is up to date: schema version \d+\.$/)]);
    } finally {
      await server.dispose();
      await database.remove();
    }
  });

  test('says what a database lacks, and gives it that', { timeout: 60_000 }, async () => {
    const database = await engine.prepare();
    const settings = settingsOf(database);
    try {
      const empty = await simsHere(['relist'], settings);
      expect(empty).toEqual({ code: 1, lines: [expect.stringMatching(/holds no SIMS records\.$/)] });
      await (await openToFill(readPlace('--to', database.place), MIGRATIONS.length - 2)).close();
      const missing = MIGRATIONS.slice(-2)
        .map(({ name }) => name)
        .join(', ');
      for (const _ of [1, 2]) {
        const dry = await simsHere(['migrate', '--dry-run'], settings);
        expect(dry).toEqual({ code: 0, lines: [expect.stringContaining(`Missing: ${missing}.`)] });
      }
      const other = await simsHere(['user', 'list'], settings);
      expect(other).toEqual({ code: 1, lines: [expect.stringMatching(/start this SIMS on it once/)] });
      const done = await simsHere(['migrate'], settings);
      expect(done).toMatchObject({
        code: 0,
        lines: [expect.anything(), expect.stringMatching(/^Done: schema version \d+\.$/)],
      });
      const { dir = '' } = readSettings(settings).backup;
      expect(await backupsIn(dir)).toMatchObject([{ occasion: 'before-migration' }]);
    } finally {
      await database.remove();
    }
  });

  test('says what the database objects to in a line', async () => {
    const database = await engine.prepare();
    await inside(database, async ({ write }) => {
      const twice = sql`insert into schema_versions (version, name, applied_at) values (1, '', '')`;
      const error: unknown = await twice.execute(write).catch((reason: unknown) => reason);
      expect(textOf(error)).toEqual(expect.stringMatching(/^.*unique.+$/i));
    });
    await database.remove();
  });
});

base('every command says what it does, and refuses an option that it does not know', async () => {
  for (const command of Object.keys(COMMANDS)) {
    const help = await simsHere([command, '--help'], {});
    expect(help.code).toBe(0);
    expect(help.lines[0]).toMatch(new RegExp(`\\n {2}npm run sims -- ${command}`));
    expect(help.lines[0]).toContain('\nEnds with 0');
    const { code, lines } = await simsHere([command, '--quickly'], {});
    expect([code, lines[0]]).toEqual([1, expect.stringMatching(/^Unknown option '--quickly'/)]);
  }
});
