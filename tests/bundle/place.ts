import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program that runs in a place. */
export interface Run {
  /** The id of the process that was started, which may be that of a shell around it. */
  readonly pid: number | undefined;
  /** What it has written so far. */
  text(): string;
  hasEnded(): boolean;
  /** Resolves to its exit code, null after a signal. */
  readonly ended: Promise<number | null>;
}

/** A system in which bundles are unpacked and used by an ordinary person. All paths are as that system writes them. */
export interface Place {
  readonly name: string;
  readonly isWindows: boolean;
  /** A folder of that person. */
  readonly home: string;
  /** The folder in which a bundle is to keep the records. */
  readonly data: string;
  /** A folder with spaces and Urdu letters, to unpack bundles into. */
  readonly programs: string;
  readonly startFile: string;
  readonly simsFile: string;
  join(...parts: string[]): string;
  /** The path of a file, from outside. */
  at(path: string): string;
  /** Copies the folder of a bundle into a folder, as if it was unpacked there; answers where it is. */
  unpack(bundle: string, into: string): string;
  /** Runs a start file, with no variable but what every program of that person has and these. */
  run(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): Run;
  /** Ends a server as its window does: in order, or at once on Windows. */
  stop(run: Run): Promise<void>;
  /** Ends a server in the middle of what it does. */
  kill(run: Run): Promise<void>;
  /** Ends what still runs and removes the place. */
  remove(): void;
}

/** Programs whose output goes into files: on Windows a service that outlives a program keeps its pipe open. */
export class Runs {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sims-runs-'));
  readonly #children = new Set<ReturnType<typeof spawn>>();

  start(
    command: string,
    args: readonly string[],
    options: { env?: NodeJS.ProcessEnv; windowsVerbatimArguments?: boolean } = {},
  ): Run {
    const file = join(this.#folder, `${this.#children.size}.txt`);
    const output = openSync(file, 'w');
    const child = spawn(command, args, { stdio: ['ignore', output, output], ...options });
    closeSync(output);
    this.#children.add(child);
    return {
      pid: child.pid,
      text: () => readFileSync(file, 'utf8'),
      hasEnded: () => child.exitCode !== null || child.signalCode !== null,
      ended: new Promise((resolve, reject) => {
        child.on('error', reject).on('exit', (code) => resolve(code));
      }),
    };
  }

  remove(): void {
    for (const child of this.#children) child.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
