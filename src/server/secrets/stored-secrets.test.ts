import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { TOTP } from 'otpauth';
import { afterEach, test as base, beforeEach, describe, expect, type TestContext, vi } from 'vitest';
import { type Person, TestApp } from '../../../tests/support/app/test-app.ts';
import { type Engine, postgres, sqlite, type TestDatabase } from '../../../tests/support/database/engines.ts';
import { runSimsInProcess, toSettings } from '../../../tests/support/processes/command-line.ts';
import { withDatabase } from '../../../tests/support/processes/transfer.ts';
import { aFamily, aSemester, aStudent } from '../../../tests/support/records.ts';
import { aKeyLine, type KeyLine, writeKeys } from '../../../tests/support/secret-keys.ts';
import { secondFactorConfirmedReply, secondFactorSetupReply } from '../../contract/accounts/sign-in.ts';
import { documentsCreatedReply } from '../../contract/documents/documents.ts';
import { readCode } from '../documents/verification/code.ts';
import { Secrets } from './secrets.ts';
import { sealStored } from './stored-secrets.ts';

// Codes depend on the clock, and each is good once.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});
afterEach(() => {
  vi.useRealTimers();
});

const STEP = 30_000;
const generateCode = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * STEP });

async function setUpFactor(person: Person): Promise<string> {
  const begun = await person.post('/api/second-factor', { password: person.password });
  const { secret } = secondFactorSetupReply.parse(begun.body);
  const answer = await person.post('/api/second-factor/confirm', { code: generateCode(secret, -1) });
  expect(answer.status, answer.text).toBe(200);
  secondFactorConfirmedReply.parse(answer.body);
  return secret;
}

const signIn = async (app: TestApp, { user, password }: Person, code: string) =>
  (await app.call('POST', '/api/login', { body: { email: user.email, password, code } })).status;

/** Issues a transcript and checks its code. */
async function issueAndCheck(app: TestApp, by: Person): Promise<void> {
  const student = aStudent();
  const subjects = [{ title: 'Statics', credits: 3, grade: 'B+' }] as const;
  await by.post('/api/students', student);
  await by.post('/api/students/family', aFamily(student.id));
  await by.post('/api/students/academics', aSemester(student.id, 1, subjects));
  const order = { kind: 'transcript', official: true, purpose: 'Visa', to: null, ids: [student.id] };
  const answer = await by.post('/api/documents', order);
  expect(answer.status, answer.text).toBe(201);
  const serial = documentsCreatedReply.parse(answer.body).documents[0]?.serial ?? '';
  const { code } = await app.db.read
    .selectFrom('documents')
    .select('code')
    .where('serial', '=', serial)
    .executeTakeFirstOrThrow();
  expect(readCode(code)?.summary.serial).toBe(serial);
  expect((await app.call('POST', '/api/verify', { body: { code } })).status).toBe(200);
}

/** Reads the stored secrets: the private key that signs, and the keys of authenticator apps. */
const readStored = (database: TestDatabase) =>
  withDatabase(database, async ({ read }) => [
    ...(
      await read.selectFrom('signing_keys').select('private_key').where('retired_at', 'is', null).execute()
    ).map(({ private_key }) => private_key ?? ''),
    ...(await read.selectFrom('second_factors').select('secret').orderBy('user_id').execute()).map(
      ({ secret }) => secret,
    ),
  ]);

const sealedBy = ({ id }: KeyLine) => expect.stringMatching(new RegExp(`^sealed:1:${id}:`));

/** Does what a start does. */
const start = (database: TestDatabase, ...keys: KeyLine[]) =>
  withDatabase(database, ({ write }) => sealStored(write, new Secrets(keys)));

async function prepare(engine: Engine, { onTestFinished }: TestContext) {
  const database = await engine.prepare({ isMade: true });
  onTestFinished(() => database.remove());
  const keyFile = path.join(database.folder, 'secret-keys');
  const run = (settings: object, ...args: string[]) =>
    runSimsInProcess(args, { ...toSettings(database), ...settings });
  return { database, keyFile, withKeys: { SIMS_SECRET_KEY_FILE: keyFile }, run };
}

/** A signing key, and the second factor of an administrator. */
async function fill(database: TestDatabase, ...keys: KeyLine[]) {
  const app = await TestApp.open(database.location.startsWith('sqlite') ? sqlite : postgres, {
    ...{ database, isNamed: true, secrets: new Secrets(keys) },
  });
  const admin = await app.register();
  const secret = await setUpFactor(admin);
  expect(await signIn(app, admin, generateCode(secret))).toBe(200);
  await issueAndCheck(app, admin);
  await app.close();
  return { admin, secret };
}

describe.each([sqlite, postgres])('keys that are stored, on $name', (engine) => {
  const test = engine.isMissing ? base.skip : base;
  const [first, second] = [aKeyLine(), aKeyLine()];

  test('are sealed where the settings have a key, and used as before', async (context) => {
    const { database, withKeys, keyFile, run } = await prepare(engine, context);
    const { admin, secret } = await fill(database, first);
    expect(await readStored(database)).toEqual([sealedBy(first), sealedBy(first)]);

    // By the start after it with a new first line.
    expect(await start(database, first)).toBe(0);
    expect(await start(database, second, first)).toBe(2);
    expect(await readStored(database)).toEqual([sealedBy(second), sealedBy(second)]);
    const app = await TestApp.open(engine, { database, secrets: new Secrets([second]) });
    expect(await signIn(app, admin, generateCode(secret, 1))).toBe(200);
    await app.close();

    writeKeys(keyFile, second);
    expect((await run(withKeys, 'verify')).lines).toContain('Encrypted keys: in order');
    expect((await run(withKeys, 'signing-key', 'rotate')).code).toBe(0);
    expect(await readStored(database)).toEqual([sealedBy(second), sealedBy(second)]);
  });

  test('are plain without one, and sealed by the first start with one', async (context) => {
    const { database } = await prepare(engine, context);
    const { secret } = await fill(database);
    const before = await TestApp.open(engine, { database });
    const other = await setUpFactor(await before.register());
    await before.close();
    const [pem = ''] = await readStored(database);
    expect(await readStored(database)).toEqual([expect.stringContaining('PRIVATE KEY'), secret, other]);
    expect(await start(database)).toBe(0);
    expect(await start(database, first)).toBe(3);
    expect(await readStored(database)).toEqual([sealedBy(first), sealedBy(first), sealedBy(first)]);
    const app = await TestApp.open(engine, { database, secrets: new Secrets([first]) });
    await issueAndCheck(app, await app.register());
    await app.close();
    if (engine !== sqlite) return;
    // Nor is it left in parts of the file that are free.
    const bytes = readFileSync(path.join(database.folder, 'sims.db'));
    expect(bytes.includes(secret)).toBe(false);
    expect(bytes.includes(pem.split('\n')[1] ?? pem)).toBe(false);
  });

  test('that no line opens keep a start and commands from running, and are named', async (context) => {
    const { database, withKeys, keyFile, run } = await prepare(engine, context);
    const { admin } = await fill(database, first);
    await expect(start(database)).rejects.toThrow(
      `Keys in the database are encrypted: set SIMS_SECRET_KEY_FILE to the file with the line with the id ${first.id}.`,
    );
    await expect(start(database, second)).rejects.toThrow(
      `Keys in the database are encrypted, and SIMS_SECRET_KEY_FILE does not have the line with the id ${first.id}: add it.`,
    );
    expect(await readStored(database)).toEqual([sealedBy(first), sealedBy(first)]);

    const rotate = await run({}, 'signing-key', 'rotate');
    expect(rotate).toEqual({
      code: 1,
      lines: [expect.stringMatching(/^Keys in the database are encrypted/)],
    });
    writeKeys(keyFile, second);
    const faults = (lines: string[]) => lines.filter((line) => line.startsWith('Encrypted keys'));
    for (const settings of [{}, withKeys]) {
      const { code, lines } = await run(settings, 'verify');
      expect(code).toBe(1);
      expect(faults(lines)).toEqual([
        expect.stringContaining(
          `Signing key 1: signing_keys.private_key is encrypted with the key ${first.id}`,
        ),
        expect.stringContaining(`Account ${admin.user.id}: second_factors.secret is encrypted`),
      ]);
    }

    // The way back where the file is lost.
    expect((await run(withKeys, 'signing-key', 'rotate')).code).toBe(0);
    expect((await run(withKeys, 'user', 'reset-second-factor', admin.user.email)).code).toBe(0);
    expect(await start(database, second)).toBe(0);
    expect(faults((await run(withKeys, 'verify')).lines)).toEqual(['Encrypted keys: in order']);
  });

  test('that were changed in the database are not used', async (context) => {
    const { database } = await prepare(engine, context);
    await fill(database, first);
    const place = { column: 'second_factors.secret', row: 999 } as const;
    const moved = new Secrets([first]).seal('JBSWY3DPEHPK3PXP', place);
    await withDatabase(database, ({ write }) =>
      write.updateTable('second_factors').set({ secret: moved }).execute(),
    );
    await expect(start(database, first)).rejects.toThrow(
      /^second_factors\.secret of row \d+ was changed and can't be decrypted: /,
    );
  });

  test('of a set-up that nobody finished are given up with their key', async (context) => {
    const { database } = await prepare(engine, context);
    const app = await TestApp.open(engine, { database, secrets: new Secrets([first]) });
    const admin = await app.register();
    await admin.post('/api/second-factor', { password: admin.password });
    await app.close();
    expect(await start(database)).toBe(0);
    expect(await start(database, second)).toBe(0);
    expect(await readStored(database)).toEqual([]);
  });

  test('are in a backup as they are, which is restored only with their line or when that is lost', async (context) => {
    const { database, withKeys, keyFile, run } = await prepare(engine, context);
    await fill(database, first);
    // The names of what a restore keeps have the time.
    vi.useRealTimers();
    writeKeys(keyFile, first);
    const file = path.join(database.folder, 'a.backup');
    const made = await run({}, 'backup', '--to', file);
    expect(made.lines).toEqual([
      expect.stringContaining(file),
      expect.stringMatching(
        new RegExp(`^Keys in it are encrypted .+SIMS_SECRET_KEY_FILE .+${first.id}.+keep`),
      ),
    ]);
    expect(readFileSync(file).includes(first.line)).toBe(false);
    expect(await run({}, 'verify', file)).toEqual({
      code: 0,
      lines: expect.arrayContaining([
        expect.stringMatching(/^Encrypted keys: not decrypted: set SIMS_SECRET/),
      ]),
    });
    expect((await run(withKeys, 'verify', file)).code).toBe(0);

    const other = await prepare(engine, context);
    writeKeys(other.keyFile, second);
    for (const settings of [{}, other.withKeys]) {
      const refused = await other.run(settings, 'restore', file);
      expect(refused).toEqual({
        code: 1,
        lines: [
          expect.stringMatching(new RegExp(`^Keys in ${file} are encrypted.+${first.id}.+Nothing was`)),
        ],
      });
    }
    expect(await readStored(other.database)).toEqual([]);

    copyFileSync(keyFile, other.keyFile);
    const restored = await other.run(other.withKeys, 'restore', file, '--force');
    expect(restored.code, restored.lines.join('\n')).toBe(0);
    expect(restored.lines.at(-1)).toMatch(/^Keys in the database are encrypted/);
    expect(await start(other.database, first)).toBe(0);

    const lost = await other.run({}, 'restore', file, '--force', '--without-keys');
    expect(lost.code, lost.lines.join('\n')).toBe(0);
    expect(await readStored(other.database)).toEqual([sealedBy(first), sealedBy(first)]);
  });

  test('are copied to another database as they are', async (context) => {
    const { database, run } = await prepare(engine, context);
    await fill(database, first);
    const target = await sqlite.prepare();
    context.onTestFinished(() => target.remove());
    const copied = await run({}, 'copy', '--from', database.location, '--to', target.location);
    expect(copied.code, copied.lines.join('\n')).toBe(0);
    expect(copied.lines).toContainEqual(expect.stringMatching(/^Keys in both are encrypted/));
    expect(await readStored(target)).toEqual(await readStored(database));
  });
});
