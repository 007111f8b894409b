import { type Options, hash as realHash, verify as realVerify } from '@node-rs/argon2/index.js';

const hashes = new Map<string, Promise<string>>();
const verified = new Map<string, Promise<boolean>>();

/**
 * Takes the place of the password library in the workers of the tests (vitest.config.ts): the same results at the same cost,
 * but each is computed once per worker, since that takes longer than most tests. So accounts with equal passwords have equal
 * hashes here.
 */
export function hash(password: string, options: Options): Promise<string> {
  return once(hashes, JSON.stringify([password, options]), () => realHash(password, options));
}

export function verify(stored: string, password: string): Promise<boolean> {
  return once(verified, JSON.stringify([stored, password]), () => realVerify(stored, password));
}

function once<Result>(
  known: Map<string, Promise<Result>>,
  key: string,
  compute: () => Promise<Result>,
): Promise<Result> {
  const result = known.get(key) ?? compute();
  known.set(key, result);
  return result;
}
