import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test as base, describe, expect, type TestContext } from 'vitest';
import { postgres, sqlite } from '../../../tests/support/database/engines.ts';
import { runSimsInProcess, toSettings } from '../../../tests/support/processes/command-line.ts';
import { withDatabase } from '../../../tests/support/processes/transfer.ts';
import { type SignedSummary, signCode } from '../documents/verification/code.ts';
import { getSigningKey } from '../documents/verification/signing-keys.ts';
import { transact } from '../history/transaction.ts';
import { Secrets } from '../secrets/secrets.ts';
import { runChecks } from '../verify/checks.ts';

const SUMMARY: SignedSummary = {
  ...{ keyId: 1, kind: 'transcript', semester: 5, serial: '2026-000001', studentId: '2022107' },
  ...{ studentName: 'Zarmina Achakzai', programme: 'Mechanical Engineering, ME-44', credits: 86 },
  ...{ cgpa: 2.85, issuedOn: '2026-07-06', contentHash: 'ab'.repeat(32) },
};

describe.each([sqlite, postgres])('the commands on documents, on $name', (engine) => {
  const test = engine.isMissing ? base.skip : base;

  const install = async ({ onTestFinished }: TestContext) => {
    const database = await engine.prepare({ isMade: true });
    onTestFinished(() => database.remove());
    const settings = toSettings(database);
    const run = (...args: string[]) => runSimsInProcess(args, settings);
    await run('user', 'create', '--name', 'Asad', '--email', 'asad@x.example', '--generate');
    const keyFile = path.join(database.folder, 'key.pem');
    const sign = () =>
      withDatabase(database, ({ write }) =>
        transact(write, async (tx) => {
          const { keyId, privateKey } = await getSigningKey(tx, new Secrets([]), { id: null, name: 'Test' });
          return signCode({ ...SUMMARY, keyId }, privateKey);
        }),
      );
    return { database, run, keyFile, sign };
  };

  test('check a code with all keys there have been, and without a database', async (context) => {
    const { database, run, keyFile, sign } = await install(context);
    expect((await run('signing-key', 'show')).lines).toEqual([
      'There is no key yet. It is made with the first document.',
    ]);
    const first = await sign();
    expect(await sign()).toBe(first);
    expect((await run('signing-key', 'rotate')).lines).toEqual(['Key 2 signs documents from now on.']);
    const second = await sign();
    expect(second).not.toBe(first);

    const shown = (await run('signing-key', 'show')).lines;
    expect(shown.filter((line) => line.startsWith('Key'))).toEqual(['Key 2:', 'Key 1:']);
    writeFileSync(keyFile, shown.join('\n'));
    const offline = (code: string) => runSimsInProcess(['verify-document', code, '--key', keyFile], {});
    const addresses = [
      `https://sims.example.edu/verify/${first}`,
      `https://sims.example.edu/verify#${second}`,
    ];
    for (const code of [first, second, ...addresses]) {
      const { code: exitCode, lines } = await offline(code);
      expect(exitCode).toBe(0);
      expect(lines.join('\n')).toMatch(/Name +Zarmina Achakzai\n(.*\n)+ +CGPA +2\.85\n/);
      expect(lines).toContain('  Document   Academic transcript, semesters 1 to 5');
    }

    const rows = await withDatabase(database, ({ read }) =>
      read.selectFrom('signing_keys').selectAll().orderBy('key_id').execute(),
    );
    expect(rows).toMatchObject([
      { key_id: 1, private_key: null, retired_at: expect.any(String) },
      { key_id: 2, private_key: expect.stringContaining('PRIVATE KEY'), retired_at: null },
    ]);
    expect(await withDatabase(database, ({ read }) => runChecks(read, () => {}))).toEqual([]);
    const { lines: history } = await run('history');
    expect(history.filter((line) => line.includes('create document key'))).toHaveLength(2);
    expect(history.join('\n')).not.toContain('PRIVATE');
  });

  test('refuse a code that is changed, incomplete or signed by another key', async (context) => {
    const { run, keyFile, sign } = await install(context);
    const code = await sign();
    writeFileSync(keyFile, (await run('signing-key', 'show')).lines.join('\n'));
    const check = async (text: string) => {
      const { code: exitCode, lines } = await run('verify-document', text, '--key', keyFile);
      return [exitCode, lines.join('\n')];
    };
    const changed = `${code.slice(0, 60)}${code[60] === 'A' ? 'B' : 'A'}${code.slice(61)}`;
    expect(await check(changed)).toEqual([1, expect.stringMatching(/The code was changed, or none|no code/)]);
    expect(await check(code.slice(0, -4))).toEqual([1, expect.any(String)]);
    expect(await check('2026-000001')).toEqual([1, expect.stringContaining('This is no code of a document')]);
    const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' });
    writeFileSync(keyFile, other);
    expect(await check(code)).toEqual([1, expect.stringContaining('It names key 1.')]);
    for (const kind of ['x25519', 'ed448', 'x448'] as const) {
      const { publicKey } = generateKeyPairSync(kind as 'ed448');
      writeFileSync(keyFile, publicKey.export({ type: 'spki', format: 'pem' }));
      expect(await check(code)).toEqual([1, `${keyFile}: The key is of the kind ${kind}, not ed25519.`]);
    }
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(keyFile, publicKey.export({ type: 'spki', format: 'pem' }));
    expect(await check(code)).toEqual([1, `${keyFile}: The key is of the kind ec, not ed25519.`]);
    writeFileSync(keyFile, 'none');
    expect(await check(code)).toEqual([1, expect.stringContaining('has no public key in PEM.')]);
    expect((await run('verify-document', code)).code).toBe(1);
    expect((await run('signing-key', 'lose')).code).toBe(1);
  });
});
