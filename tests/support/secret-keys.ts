import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { type SecretKey, toSecretKey } from '../../src/server/settings/secret-keys.ts';

export interface KeyLine extends SecretKey {
  /** As `openssl rand -base64 32` prints it. */
  line: string;
}

export function aKeyLine(): KeyLine {
  const bytes = randomBytes(32);
  return { ...toSecretKey(bytes), line: bytes.toString('base64') };
}

/** Writes a file that only this user can read. */
export function writeKeys(file: string, ...keys: readonly KeyLine[]): void {
  writeFileSync(file, `${keys.map(({ line }) => line).join('\n')}\n`, { mode: 0o600 });
}
