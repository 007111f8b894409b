import crypto from 'node:crypto';
import * as ofPackage from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { chooseArgon2 } from './argon2.ts';
import { DUMMY_HASH, tryHashing } from './hash.ts';

const COST = { memoryCost: 64, timeCost: 2, parallelism: 1 };
const fail = () => Promise.reject(new Error('Cannot find native binding.'));
const isInNode = 'argon2' in crypto;

describe("where the package for Argon2id can't be loaded", () => {
  test.runIf(isInNode)('Node.js computes the hashes, and each verifies those of the other', async () => {
    const ofNode = await chooseArgon2(fail);
    const password = 'پاس ورڈ correct horse';
    const [own, other] = [await ofNode.hash(password, COST), await ofPackage.hash(password, COST)];
    expect(own).toMatch(/^\$argon2id\$v=19\$m=64,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(await Promise.all([own, other].map((hash) => ofNode.verify(hash, password)))).toEqual([
      true,
      true,
    ]);
    expect(await Promise.all([own, other].map((hash) => ofNode.verify(hash, 'no')))).toEqual([false, false]);
    expect(await ofPackage.verify(own, password)).toBe(true);
    expect(await ofNode.verify(DUMMY_HASH, password)).toBe(false);
    expect(await ofNode.hash(password, COST)).not.toBe(own);
    await expect(ofNode.verify('$2b$10$abcdefghijklmnopqrstuv', password)).rejects.toThrow(
      'no hash of Argon2id',
    );
  });

  test.runIf(!isInNode)('an older Node.js refuses to start, and says what to do', async () => {
    await expect(chooseArgon2(fail)).rejects.toThrow(
      "Passwords can't be hashed: Cannot find native binding. Use Node.js 24.7 or later, or",
    );
  });
});

test('hashing is tried at the start', async () => {
  await expect(tryHashing()).resolves.toBeUndefined();
});
