import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import process from 'node:process';

/** A key with which values are encrypted before they are stored. */
export interface SecretKey {
  /** The start of its SHA-256 in hexadecimal. It is stored with each value. */
  id: string;
  key: KeyObject;
}

const ID_LENGTH = 8;
const OTHERS_READ = 0o004;

const isKeyLine = (line: string) => /^[A-Za-z0-9+/]{43}=$/.test(line);

/**
 * Reads a file with one key per line. The first one encrypts, all of them decrypt.
 *
 * @returns or the fault, which continues the name of the setting and repeats neither the content nor the name, in whose place the
 *   key itself may have been set
 */
export function readSecretKeys(file: string): SecretKey[] | { fault: string } {
  let text: string;
  try {
    // Windows has no modes of this kind.
    if (process.platform !== 'win32' && (statSync(file).mode & OTHERS_READ) !== 0)
      return { fault: 'must name a file that not every user of this machine can read: chmod 600.' };
    text = readFileSync(file, 'utf8');
  } catch {
    return { fault: 'must name a file that this user can read.' };
  }
  const lines = text.split('\n').map((line) => line.trim());
  const keys: SecretKey[] = [];
  for (const [i, line] of lines.entries()) {
    if (line === '') continue;
    if (!isKeyLine(line))
      return { fault: `must name a file of keys (openssl rand -base64 32); line ${i + 1} is none.` };
    keys.push(toSecretKey(Buffer.from(line, 'base64')));
  }
  if (keys.length === 0)
    return { fault: 'must name a file with a key in it: one of openssl rand -base64 32 per line.' };
  return keys;
}

export const toSecretKey = (bytes: Uint8Array): SecretKey => ({
  id: createHash('sha256').update(bytes).digest('hex').slice(0, ID_LENGTH),
  key: createSecretKey(bytes),
});
