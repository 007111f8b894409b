import { describe, expect, it } from 'vitest';
import { DUMMY_HASH, hashPassword, verifyPassword } from './hash.ts';

/** The parameters of a hash, which determine the cost of verifying a password. */
const getParameters = (hash: string) => hash.split('$').slice(0, 4).join('$');

describe('the password of an unknown account', () => {
  // Covers A12
  it('is verified at the same cost as that of a known one, and never accepted', async () => {
    expect(getParameters(DUMMY_HASH)).toBe(getParameters(await hashPassword('seven wet umbrellas')));
    expect(await verifyPassword(undefined, 'seven wet umbrellas')).toBe(false);
  });
});
