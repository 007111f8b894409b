import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { possibleDataFolders } from '../../src/server/bundle/data-folder.ts';
import { type Place, type Run, Runs } from './place.ts';
import { endBySignal } from './root.ts';

/** What a program on Windows needs to start at all. */
const WINDOWS_VARIABLES = ['SystemRoot', 'SystemDrive', 'ComSpec', 'PATHEXT', 'windir'];

/** This computer, with a home and a folder of programs of its own. */
export class Here implements Place {
  readonly name = `this computer (${process.platform})`;
  readonly isWindows = process.platform === 'win32';
  readonly #folder = mkdtempSync(join(tmpdir(), 'sims-here-'));
  readonly home = join(this.#folder, 'دفتر');
  readonly programs = join(this.#folder, 'Faculty Office اردو');
  readonly startFile = this.isWindows
    ? 'start.cmd'
    : process.platform === 'darwin'
      ? 'start.command'
      : 'start';
  readonly simsFile = this.isWindows ? 'sims.cmd' : 'sims';
  readonly join = join;
  readonly #env: Record<string, string>;
  readonly #runs = new Runs();

  constructor() {
    mkdirSync(this.home);
    const { PATH = '' } = process.env;
    const kept = this.isWindows ? WINDOWS_VARIABLES : [];
    this.#env = {
      ...Object.fromEntries(kept.map((name) => [name, process.env[name] ?? ''])),
      ...{ PATH, HOME: this.home, USERPROFILE: this.home, TEMP: this.home, TMPDIR: this.home },
      ...{ ProgramData: join(this.home, 'ProgramData'), LOCALAPPDATA: join(this.home, 'Local') },
    };
  }

  get data(): string {
    const [first = ''] = possibleDataFolders(this.#env, process.platform, this.home);
    return first;
  }

  at(path: string): string {
    return path;
  }

  unpack(bundle: string, into: string): string {
    const target = join(into, basename(bundle));
    cpSync(bundle, target, { recursive: true, verbatimSymlinks: true });
    return target;
  }

  run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Run {
    const variables = { ...this.#env, ...env };
    if (!this.isWindows) return this.#runs.start(program, args, { env: variables });
    const line = [program, ...args].map((part) => `"${part}"`).join(' ');
    const options = { env: variables, windowsVerbatimArguments: true };
    return this.#runs.start(process.env.ComSpec ?? 'cmd.exe', ['/d', '/s', '/c', `"${line}"`], options);
  }

  stop(run: Run): Promise<void> {
    return this.isWindows ? this.kill(run) : endBySignal(run, 'SIGTERM', 0);
  }

  async kill(run: Run): Promise<void> {
    if (!this.isWindows) return endBySignal(run, 'SIGKILL', null);
    // The shell of the start file, and the server below it.
    await this.#runs.start('taskkill', ['/f', '/t', '/pid', String(run.pid)]).ended;
    await run.ended;
    // The system gives files free a little later.
    await setTimeout(500);
  }

  remove(): void {
    this.#runs.remove();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }
}
