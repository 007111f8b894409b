import path from 'node:path';
import pg from 'pg';
import { test as base, describe, expect } from 'vitest';
import { TestApp } from '../../../tests/support/app/test-app.ts';
import { postgres, sqlite } from '../../../tests/support/database/engines.ts';
import { copyError, directions, withDatabase } from '../../../tests/support/processes/transfer.ts';
import { parseLocation } from '../db/location.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';

describe.each(directions)('copying a database, $name', ({ test, from, to }) => {
  test('is refused without changing anything when it cannot succeed', async ({
    house: { database },
    prepare,
  }) => {
    const inUse = await prepare(to);
    const app = await TestApp.open(to, { database: inUse });
    const admin = await app.register();
    if (to === sqlite) expect(await copyError(database, inUse)).toMatch(/in use by .*another SIMS process/);
    await app.close();
    expect(await copyError(database, inUse)).toMatch(/already holds records \(users\).+nothing was changed/);
    await withDatabase(inUse, async ({ read }) => {
      const users = await read.selectFrom('users').select('email').execute();
      expect(users).toEqual([{ email: admin.user.email }]);
    });

    expect(await copyError(database, database)).toMatch(/can't be copied to itself/);
    const destination = await prepare(to);
    if (from === postgres) {
      const alias = { location: Object.assign(new URL(database.location), { hostname: 'localhost' }).href };
      expect(await copyError(database, alias)).toMatch(/same database/);
      const secret = { location: database.location.replace('//sims@', '//nobody:geheim@') };
      expect(await copyError(secret, destination)).not.toContain('geheim');
      const nowhere = { location: 'postgres://sims:geheim@127.0.0.1:1/none' };
      expect(await copyError(nowhere, destination)).toMatch(/^(?!.*geheim).*can't be used/);
      expect(await copyError(await prepare(postgres), destination)).toMatch(/holds no SIMS records/);
    } else {
      const none = { location: `sqlite:${path.join(database.folder, 'none')}` };
      expect(await copyError(none, destination)).toMatch(/There is no SIMS database/);
    }
    // Changes saved during the copy would be missing from it, and the comparison would not notice.
    await withDatabase(database, async () => {
      expect(await copyError(database, destination)).toMatch(/in use by .*another SIMS process/);
    });
    const foreign = await prepare(to);
    if (to === postgres) {
      const client = new pg.Client({ connectionString: foreign.location });
      await client.connect();
      await client.query('create table schema_versions (checksum text)');
      await client.end();
      expect(await copyError(database, foreign)).toMatch(
        /another program made: schema_versions\. .+nothing was/,
      );
    }
    const last = { version: MIGRATIONS.length };
    await withDatabase(database, ({ write }) =>
      write.deleteFrom('schema_versions').where('version', '=', last.version).execute(),
    );
    expect(await copyError(database, destination)).toMatch(
      new RegExp(
        `schema version ${last.version - 1}, this program ${last.version}: start this SIMS on it once`,
      ),
    );
  });
});

base.for([undefined, '', 'sqlite:', './data', 'mysql://u:geheim@host/db'])(
  'the location %s is refused without repeating it',
  (text) => {
    expect(() => parseLocation('--from', text)).toThrow(/^--from must be sqlite:<data folder> or postgres:/);
    expect(() => parseLocation('--from', text)).not.toThrow('geheim');
  },
);

base.for([
  ['postgres://u:geheim@host', 'name a database'],
  ['postgres:', 'be an address that starts with postgres://'],
  [
    'postgres://u:geheim#@host/db',
    'be postgres://<user>:<password>@<host>:<port>/<database>, with characters such as # /',
  ],
  ['postgres://u:geheim@host/db?sslmode=on', 'have one of disable, prefer, require'],
] as const)('the address %s is refused with the expected form', ([text, must]) => {
  expect(() => parseLocation('--from', text)).toThrow(`--from must ${must}`);
  expect(() => parseLocation('--from', text)).not.toThrow('geheim');
});
