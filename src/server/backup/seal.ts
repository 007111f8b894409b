import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/**
 * A backup is a database file with a line behind it that says what it has to be, byte by byte. The engine takes no notice
 * of that line, and a file that lacks it was not written to its end.
 */
const sealOf = (sha256: string) => `\nSIMS backup, SHA-256 ${sha256}\n`;
const SEAL = /^\nSIMS backup, SHA-256 ([0-9a-f]{64})\n$/;
const LENGTH = sealOf('0'.repeat(64)).length;
const PIECE = 2 ** 20;

/** Ends a file with its seal. */
export async function seal(file: string): Promise<void> {
  await appendFile(file, sealOf(await hashOf(file)));
}

/** Bytes before the seal, and the hash that it names; undefined for a file without one. */
export async function readSeal(file: string): Promise<{ bytes: number; sha256: string } | undefined> {
  const handle = await open(file);
  try {
    const bytes = (await handle.stat()).size - LENGTH;
    if (bytes <= 0) return undefined;
    const { buffer } = await handle.read(Buffer.alloc(LENGTH), 0, LENGTH, bytes);
    const [, sha256] = SEAL.exec(buffer.toString('latin1')) ?? [];
    return sha256 === undefined ? undefined : { bytes, sha256 };
  } finally {
    await handle.close();
  }
}

/** Whether a file has a seal, and is what that says. */
export async function isSealed(file: string): Promise<boolean> {
  const found = await readSeal(file);
  return found !== undefined && (await hashOf(file, found.bytes)) === found.sha256;
}

/**
 * Copies what is before the seal to a new file.
 *
 * @returns whether the bytes that were copied are those that were sealed
 */
export async function copyUnsealed(file: string, to: string): Promise<boolean> {
  const found = await readSeal(file);
  if (found === undefined) return false;
  const hash = createHash('sha256');
  await pipeline(
    createReadStream(file, { end: found.bytes - 1, highWaterMark: PIECE }),
    async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        hash.update(piece);
        yield piece;
      }
    },
    createWriteStream(to, { flags: 'wx', mode: 0o600 }),
  );
  return hash.digest('hex') === found.sha256;
}

async function hashOf(file: string, bytes = Number.POSITIVE_INFINITY): Promise<string> {
  const hash = createHash('sha256');
  const pieces: AsyncIterable<Buffer> = createReadStream(file, { end: bytes - 1, highWaterMark: PIECE });
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}
