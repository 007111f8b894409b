import { normalizePassword } from '../../../contract/accounts/accounts.ts';

/** Argon2id (the library's default) at the minimum that OWASP recommends: 19 MiB, two passes. Runs on the thread pool. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Loaded at the first use: it would delay the start. */
const argon2 = () => import('@node-rs/argon2');

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

/** The hash of a password in its normal form, see `normalizePassword`. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2();
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
  const { verify } = await argon2();
  for (const form of new Set([normalizePassword(password), password])) {
    const matches = await limitConcurrency(() => verify(account?.password_hash ?? DUMMY_HASH, form));
    if (matches && account !== undefined) return true;
  }
  return false;
}
