import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { TOTP } from 'otpauth';
import { describe, expect, test, vi } from 'vitest';
import type { SecondFactorSetup } from '../../src/contract/accounts/sign-in.ts';
import { Api, registerUser } from '../support/api.ts';
import { engines } from '../support/database/engines.ts';
import { runSims } from '../support/processes/command-line.ts';
import { Server } from '../support/processes/server.ts';
import { aKeyLine, writeKeys } from '../support/secret-keys.ts';

/** The test starts several processes in turn. */
const timeout = 240_000;

/** All bytes in a folder. */
const readAll = (folder: string) =>
  Buffer.concat(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(folder, name))
      .filter((file) => statSync(file).isFile())
      .map((file) => readFileSync(file)),
  );

describe.each(engines)('somebody who reads a copy of the database or a backup, on $name', (engine) => {
  // Covers A141
  test.skipIf(engine.isMissing)(
    'finds neither the key that signs nor those of authenticator apps',
    {
      timeout,
    },
    async ({ onTestFinished }) => {
      const [database, secrets] = [await engine.prepare(), await engine.prepare()];
      onTestFinished(async () => {
        await database.remove();
        await secrets.remove();
      });
      const [first, second] = [aKeyLine(), aKeyLine()];
      const file = path.join(secrets.folder, 'secret-keys');
      writeKeys(file, first);
      const plain = { ...database.setting, SIMS_BACKUP_DIR: path.join(database.folder, 'backups') };
      const settings = { ...plain, SIMS_SECRET_KEY_FILE: file };
      const server = await Server.start(settings, database.folder);
      try {
        const account = await registerUser(server.url);
        const api = new Api(server.url, account.token);
        expect((await api.send('GET', '/api/verify/key')).status).toBe(200);
        const { secret } = await api.post<SecondFactorSetup>('/api/second-factor', {
          password: account.password,
        });
        await api.post('/api/second-factor/confirm', { code: new TOTP({ secret }).generate() });

        const dataDir = { SIMS_DATA_DIR: database.folder };
        const made = await runSims(['backup'], { settings: { ...plain, ...dataDir } });
        expect(made.output).toMatch(
          /Keys in it are encrypted and can't be used without SIMS_SECRET_KEY_FILE/,
        );
        await server.stop();
        const copied = readAll(database.folder);
        for (const text of ['PRIVATE KEY', secret, first.line])
          expect(copied.includes(text), text).toBe(false);
        expect(copied.includes(`sealed:1:${first.id}:`)).toBe(true);

        const without = await Server.refused(database.folder, plain);
        expect(without.code).toBe(1);
        expect(without.output.split('\n').at(-1)).toMatch(
          /^Keys in the database are encrypted: set SIMS_SECRET_K/,
        );

        writeKeys(file, second, first);
        const replaced = await Server.start({ ...settings, SIMS_BACKUP_EVERY: '24' }, database.folder);
        onTestFinished(async () => {
          await replaced.stop();
        });
        expect(replaced.logs).toMatch(
          /"keys":2,"msg":"keys encrypted with the first line of SIMS_SECRET_KEY_FILE"/,
        );
        await vi.waitUntil(() => replaced.logs.includes('"msg":"backup made"'), { timeout });
        expect(replaced.logs).toMatch(/"neededBeside":"SIMS_SECRET_KEY_FILE",.*"msg":"backup made"/);
        expect(server.logs + replaced.logs).not.toContain(first.line);
      } finally {
        await server.stop();
      }
    },
  );
});
