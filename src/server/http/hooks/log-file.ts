import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DestinationStream } from 'pino';
import { getReason, StartError } from '../../start-error.ts';

/** A file of the log in bytes. With the one before it the log takes twice as much. */
const LIMIT = 10_000_000;

/**
 * Writes the log to a file. When that is full it becomes `<file>.old`, in place of the one before, and a new one is begun. A line that
 * can't be written, for example on a full disk, is lost: the server goes on.
 *
 * @param limit bytes of one file
 * @throws StartError when the file can't be opened
 */
export function openLogFile(file: string, limit = LIMIT): DestinationStream {
  let descriptor: number;
  let size: number;
  const open = () => {
    descriptor = openSync(file, 'a', 0o600);
    size = fstatSync(descriptor).size;
  };
  const begin = () => {
    const full = descriptor;
    try {
      renameSync(file, `${file}.old`);
    } catch {
      // The same file goes on, above its limit, until it can be renamed.
    }
    // Before the full one is closed: the number of a closed file may be that of the database next.
    open();
    closeSync(full);
  };
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    open();
  } catch (error) {
    throw new StartError(
      `The log file ${file} can't be written: ${getReason(error)}. Let this user write there, or set SIMS_LOG_FILE to another file.`,
    );
  }
  return {
    write(line) {
      try {
        if (size >= limit) begin();
        size += writeSync(descriptor, line);
      } catch {}
    },
  };
}
