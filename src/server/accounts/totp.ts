import { Secret, TOTP } from 'otpauth';

/** As every authenticator app knows them: SHA-1, six digits, half a minute. */
const PERIOD = 30;
/** Clocks may be this many steps apart. */
const DRIFT = 1;

const totpOf = (secret: string, label = '') =>
  new TOTP({ issuer: 'SIMS', label, secret: Secret.fromBase32(secret), period: PERIOD });

/** 160 random bits in the letters that apps take. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** The address that apps read from a picture. */
export const setUpUri = (secret: string, email: string): string => totpOf(secret, email).toString();

/** The step of time that a code is of, or undefined when it is of none about now. */
export function stepOf(secret: string, code: string): number | undefined {
  const totp = totpOf(secret);
  const now = Date.now();
  const delta = totp.validate({ token: code.replaceAll(/[\s-]/g, ''), timestamp: now, window: DRIFT });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}
