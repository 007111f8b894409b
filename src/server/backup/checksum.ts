import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** A backup is a database file followed by a line with its checksum. SQLite ignores the line; without it the file is incomplete. */
const formatTrailer = (sha256: string) => `\nSIMS backup, SHA-256 ${sha256}\n`;
const TRAILER = /^\nSIMS backup, SHA-256 ([0-9a-f]{64})\n$/;
const TRAILER_LENGTH = formatTrailer('0'.repeat(64)).length;
const CHUNK_BYTES = 2 ** 20;

/** Appends the checksum of a file to it. */
export async function appendChecksum(file: string): Promise<void> {
  await appendFile(file, formatTrailer(await hashFile(file)));
}

/** Size of the contents and the checksum that the file states; undefined for a file without one. */
export async function readChecksum(file: string): Promise<{ bytes: number; sha256: string } | undefined> {
  const handle = await open(file);
  try {
    const bytes = (await handle.stat()).size - TRAILER_LENGTH;
    if (bytes <= 0) return undefined;
    const { buffer } = await handle.read(Buffer.alloc(TRAILER_LENGTH), 0, TRAILER_LENGTH, bytes);
    const [, sha256] = TRAILER.exec(buffer.toString('latin1')) ?? [];
    return sha256 === undefined ? undefined : { bytes, sha256 };
  } finally {
    await handle.close();
  }
}

/** Whether a file has a checksum, and the right one. */
export async function verifyChecksum(file: string): Promise<boolean> {
  const found = await readChecksum(file);
  return found !== undefined && (await hashFile(file, found.bytes)) === found.sha256;
}

/**
 * Copies the contents of a backup, without the checksum, to a new file.
 *
 * @returns whether the copied bytes match the checksum
 */
export async function copyVerified(file: string, to: string): Promise<boolean> {
  const found = await readChecksum(file);
  if (found === undefined) return false;
  const hash = createHash('sha256');
  await pipeline(
    createReadStream(file, { end: found.bytes - 1, highWaterMark: CHUNK_BYTES }),
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

async function hashFile(file: string, bytes = Number.POSITIVE_INFINITY): Promise<string> {
  const hash = createHash('sha256');
  const pieces: AsyncIterable<Buffer> = createReadStream(file, {
    end: bytes - 1,
    highWaterMark: CHUNK_BYTES,
  });
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}
