import path from 'node:path';
import pg from 'pg';
import { test as base, describe, expect } from 'vitest';
import { TestApp } from '../../../../tests/support/app.ts';
import { postgres, sqlite } from '../../../../tests/support/engines.ts';
import { inside, refusal, ways } from '../../../../tests/support/moving.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import { readPlace } from './place.ts';

describe.each(ways)('moving house, $name', ({ test, from, to }) => {
  test('is refused, and nothing changed, where it could not go well', async ({
    house: { database },
    prepare,
  }) => {
    const inUse = await prepare(to);
    const app = await TestApp.open(to, { database: inUse });
    const admin = await app.register();
    if (to === sqlite) expect(await refusal(database, inUse)).toMatch(/in use by .*another SIMS process/);
    await app.close();
    expect(await refusal(database, inUse)).toMatch(/already holds records \(users\).+nothing was changed/);
    await inside(inUse, async ({ read }) => {
      const users = await read.selectFrom('users').select('email').execute();
      expect(users).toEqual([{ email: admin.user.email }]);
    });

    expect(await refusal(database, database)).toMatch(/can't be copied to itself/);
    const there = await prepare(to);
    if (from === postgres) {
      const alias = { place: database.place.replace('127.0.0.1', 'localhost') };
      expect(await refusal(database, alias)).toMatch(/same database/);
      const secret = { place: database.place.replace('//sims@', '//nobody:geheim@') };
      expect(await refusal(secret, there)).not.toContain('geheim');
      const nowhere = { place: 'postgres://sims:geheim@127.0.0.1:1/none' };
      expect(await refusal(nowhere, there)).toMatch(/^(?!.*geheim).*can't be used/);
      expect(await refusal(await prepare(postgres), there)).toMatch(/holds no SIMS records/);
    } else {
      const none = { place: `sqlite:${path.join(database.folder, 'none')}` };
      expect(await refusal(none, there)).toMatch(/There is no SIMS database/);
    }
    // What is saved there meanwhile would be missing, and the copy be called the same.
    await inside(database, async () => {
      expect(await refusal(database, there)).toMatch(/in use by .*another SIMS process/);
    });
    const foreign = await prepare(to);
    if (to === postgres) {
      const client = new pg.Client({ connectionString: foreign.place });
      await client.connect();
      await client.query('create table schema_versions (checksum text)');
      await client.end();
      expect(await refusal(database, foreign)).toMatch(
        /another program made: schema_versions\. .+nothing was/,
      );
    }
    const last = { version: MIGRATIONS.length };
    await inside(database, ({ write }) =>
      write.deleteFrom('schema_versions').where('version', '=', last.version).execute(),
    );
    expect(await refusal(database, there)).toMatch(
      new RegExp(
        `schema version ${last.version - 1}, this program ${last.version}: start this SIMS on it once`,
      ),
    );
  });
});

base.for([undefined, '', 'sqlite:', './data', 'mysql://u:geheim@host/db'])(
  'a place such as %s is refused without repeating it',
  (text) => {
    expect(() => readPlace('--from', text)).toThrow(/^--from must be sqlite:<data folder> or postgres:/);
    expect(() => readPlace('--from', text)).not.toThrow('geheim');
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
] as const)('an address such as %s is refused with what it must be', ([text, must]) => {
  expect(() => readPlace('--from', text)).toThrow(`--from must ${must}`);
  expect(() => readPlace('--from', text)).not.toThrow('geheim');
});
