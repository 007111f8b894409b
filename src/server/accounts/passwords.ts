/** Argon2id (the library's default) at the least that OWASP recommends: 19 MiB, two passes; runs on the thread pool. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Loaded at the first use, like all that a server just started has no need of yet. */
const argon2 = () => import('@node-rs/argon2');

export async function hashPassword(password: string): Promise<string> {
  return (await argon2()).hash(password, COST);
}

/**
 * What an unknown account's password is compared with, so that it takes as long as a known one's: made once at the
 * same cost from random bytes that nobody kept. Also what an account has that was made without a password. Written down, since making it at each start would cost its 19 MiB.
 */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$LqDBMgZJpNcF9cWHDNBa4g$6a8vwkoI0rs8dyxWAEcjmUmMC4c0I1KmxB6fDRMmepU';

/** True when the password is the account's; takes the same time when there is no such account. */
export async function isPasswordOf(
  account: { password_hash: string } | undefined,
  password: string,
): Promise<boolean> {
  const { verify } = await argon2();
  const matches = await verify(account?.password_hash ?? NOBODYS_HASH, password);
  return matches && account !== undefined;
}

/** The list is large and only asked when a password is set, so it is loaded then. */
async function isCommon(password: string): Promise<boolean> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return dictionary['passwords-common'].includes(password.toLowerCase());
}

/** Why this password must not be set, as what follows "The password ", or undefined. */
export async function passwordFault(
  password: string,
  account: { name: string; email: string },
): Promise<string | undefined> {
  const folded = password.toLowerCase();
  const own = [account.name, account.email, account.email.split('@')[0] ?? ''].map((text) =>
    text.toLowerCase(),
  );
  if (own.includes(folded)) return 'must differ from the name and the email.';
  if (await isCommon(password)) return 'must not be one of the common passwords.';
  return undefined;
}
