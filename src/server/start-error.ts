/** Exit codes of a process that does not start, so that a service manager can recognize when a restart is useless. */
export const EXIT_CODES = { failed: 1, damaged: 3, inUse: 4 } as const;

/** How to run a command in every installation: a container has no npm scripts. */
export const SIMS_COMMAND = 'node dist/server/cli/sims.js';

/** A path as it is typed into a shell: quoted where it has spaces or letters other than the Latin ones. */
export const quotePath = (path: string) => (/^[\w./\\:@+-]+$/.test(path) ? path : `"${path}"`);

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
