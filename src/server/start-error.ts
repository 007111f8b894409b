import { posix } from 'node:path';
import process from 'node:process';
import { BUNDLE_FOLDER } from './program-files.ts';

/** Exit codes of a process that does not start, so that a service manager can recognize when a restart is useless. */
export const EXIT_CODES = { failed: 1, damaged: 3, inUse: 4 } as const;

/** A path as it is typed into a shell: quoted where it has spaces or letters other than the Latin ones. */
export const quotePath = (path: string) => (/^[\w./\\:@+-]+$/.test(path) ? path : `"${path}"`);

/**
 * How to run a command as it was started: by the start file of a bundle, by npm in a clone, or as it works everywhere else, such as
 * in a container, which has no npm scripts.
 *
 * @param started by what, where it is known
 */
export function nameCommand(started: {
  bundle?: string;
  script?: string;
  platform: NodeJS.Platform;
}): string {
  const isWindows = started.platform === 'win32';
  // PowerShell does not run a quoted path, so the command is named for the folder of the bundle.
  if (started.bundle !== undefined)
    return isWindows ? '.\\sims.cmd' : quotePath(posix.join(started.bundle, 'sims'));
  if (started.script !== 'sims') return 'node dist/server/cli/sims.js';
  // PowerShell takes the two hyphens away from `npm`.
  return isWindows ? 'npm.cmd run sims --' : 'npm run sims --';
}

/** How to run a command in this installation. */
export const SIMS_COMMAND = nameCommand({
  ...(BUNDLE_FOLDER !== undefined && { bundle: BUNDLE_FOLDER }),
  ...(process.env.npm_lifecycle_event !== undefined && { script: process.env.npm_lifecycle_event }),
  platform: process.platform,
});

/** The message of an error. An unreachable host has one error per address, of which this takes the first. */
export function getReason(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}

/** A reason not to start, in one line that says what to do. Printed without a stack. */
export class StartError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT_CODES.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
