import { isStorageFull, isUnavailable } from '../db/dialect/errors.ts';
import type { AuthorWithRole } from '../http/transact-as.ts';
import { getReason, StartError } from '../start-error.ts';

/** Environment variables, with the settings. */
export type Env = Readonly<Record<string, string | undefined>>;

/** A command of `sims`. */
export interface Command {
  /** One line of the overview. */
  summary: string;
  /** The answer to `--help`. */
  help: string;
  /** @returns the exit code */
  run(args: string[], env: Env): Promise<number>;
}

/** Author of changes by the command line, which has no signed-in user and may do what an administrator may. */
export const COMMAND_LINE_AUTHOR: AuthorWithRole = { id: null, name: 'Command line', role: 'admin' };

/**
 * Explains an error that is worth a retry in one line; returns any other error unchanged.
 *
 * @param subject what was interrupted, as the first words of the message
 * @param advice how to continue
 */
export function explainInterruption(error: unknown, subject: string, advice: string): unknown {
  if (!isUnavailable(error) && !isStorageFull(error) && !isFolderFull(error)) return error;
  return new StartError(`${subject} was interrupted: ${describeInterruption(error)}. ${advice}`);
}

/** A full disk or quota of a folder; that of the database is {@link isStorageFull}. */
const isFolderFull = (error: unknown) =>
  error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code));

/** Replaces the driver's messages for a lost connection. */
function describeInterruption(error: unknown): string {
  const reason = getReason(error);
  return /not queryable|Connection terminated|ECONNRESET|EPIPE/i.test(reason)
    ? 'the connection to the database was lost'
    : reason;
}
