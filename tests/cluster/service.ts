import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** A program that is restarted whenever it ends, as a service manager does. */
export class Service {
  readonly #command: readonly [string, ...string[]];
  readonly #env: NodeJS.ProcessEnv;
  readonly #log: number;
  #process: ChildProcess | undefined;
  #isWanted = false;
  /** Number of starts, restarts included. */
  starts = 0;

  constructor(log: string, command: readonly [string, ...string[]], env: NodeJS.ProcessEnv = {}) {
    this.#command = command;
    this.#env = env;
    this.#log = openSync(log, 'a');
  }

  start(): void {
    this.#isWanted = true;
    this.#launch();
  }

  #launch(): void {
    this.starts += 1;
    const [program, ...args] = this.#command;
    const child = spawn(program, args, {
      env: { PATH: process.env.PATH, ...this.#env },
      stdio: ['ignore', this.#log, this.#log],
    });
    this.#process = child;
    child.once('exit', async () => {
      await pause(1_000);
      if (this.#isWanted && this.#process === child) this.#launch();
    });
  }

  /** Kills the program as a power cut would; it is not restarted. */
  async kill(): Promise<void> {
    this.#isWanted = false;
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
