/** What the process ends with when it does not start: by it a manager can tell what no further try would mend. */
export const EXIT = { failed: 1, damaged: 3, inUse: 4 } as const;

/** How a command is run wherever the product is installed: where only what runs is, as in a container, npm has no such script. */
export const SIMS = 'node dist/server/cli/sims.js';

/** A reason not to start, in one line that says what to do. */
export class StartError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
