import { Secret, TOTP } from 'otpauth';

/** The defaults that every authenticator app supports (RFC 6238): SHA-1, six digits, 30 seconds. */
const PERIOD_SECONDS = 30;
/** Clocks may differ by this many periods. */
const DRIFT = 1;

const createTotp = (secret: string, label = '') =>
  new TOTP({ issuer: 'SIMS', label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });

/** 160 random bits in Base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** The `otpauth:` address that apps read from a QR code. */
export const totpUri = (secret: string, email: string): string => createTotp(secret, email).toString();

/** The number of the period that a code belongs to; undefined when it is not valid now. */
export function findTotpStep(secret: string, code: string): number | undefined {
  const totp = createTotp(secret);
  const now = Date.now();
  const delta = totp.validate({ token: code.replaceAll(/[\s-]/g, ''), timestamp: now, window: DRIFT });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}
