import { normalizePassword } from '../../../contract/accounts/accounts.ts';
import { StartError } from '../../start-error.ts';
import { loadArgon2 } from './argon2.ts';

/** Argon2id at the minimum that OWASP recommends: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** The cheapest hash that there is. */
const TRIAL_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** Leaves one of the four threads of the pool to syncs of the disk: saves don't wait while many people sign in. */
const MAX_CONCURRENT = 3;
let running = 0;
const waiting: (() => void)[] = [];

async function limitConcurrency<Result>(act: () => Promise<Result>): Promise<Result> {
  if (running < MAX_CONCURRENT) running += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await act();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

/**
 * Hashes and verifies a text, so that a server on which nobody could sign in does not start.
 *
 * @throws StartError
 */
export async function tryHashing(): Promise<void> {
  const { hash, verify } = await loadArgon2();
  if (!(await verify(await hash('trial', TRIAL_COST), 'trial')))
    throw new StartError("Passwords can't be hashed: a hash does not match its own text.");
}

/** The hash of a password in its normal form, see `normalizePassword`. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await loadArgon2();
  return limitConcurrency(() => hash(normalizePassword(password), COST));
}

/**
 * Hash of random bytes that were thrown away, at the same cost: no password matches it. Compared for unknown accounts, so that
 * they take as long as known ones, and stored for accounts without a password. A constant, since computing it at each
 * start would cost 19 MiB.
 */
export const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$LqDBMgZJpNcF9cWHDNBa4g$6a8vwkoI0rs8dyxWAEcjmUmMC4c0I1KmxB6fDRMmepU';

/**
 * Tries a password in its normal form, and as typed where that differs: hashes of before are of what was typed. Takes the same
 * time whether the account exists or not.
 */
export async function verifyPassword(
  account: { password_hash: string } | undefined,
  password: string,
): Promise<boolean> {
  const { verify } = await loadArgon2();
  for (const form of new Set([normalizePassword(password), password])) {
    const matches = await limitConcurrency(() => verify(account?.password_hash ?? DUMMY_HASH, form));
    if (matches && account !== undefined) return true;
  }
  return false;
}
