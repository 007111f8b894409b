import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** A program that is started again whenever it ends, as its manager would. */
export class Service {
  readonly #command: readonly [string, ...string[]];
  readonly #env: NodeJS.ProcessEnv;
  readonly #log: number;
  #process: ChildProcess | undefined;
  #wanted = false;
  /** How often it was started. */
  starts = 0;

  constructor(log: string, command: readonly [string, ...string[]], env: NodeJS.ProcessEnv = {}) {
    this.#command = command;
    this.#env = env;
    this.#log = openSync(log, 'a');
  }

  start(): void {
    this.#wanted = true;
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
      if (this.#wanted && this.#process === child) this.#launch();
    });
  }

  /** Ended as by a power cut, and not started again. */
  async kill(): Promise<void> {
    this.#wanted = false;
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
