import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { type Place, type Run, Runs } from './place.ts';

/** What a start file calls besides Node.js. */
const PROGRAMS = ['/bin/sh', '/usr/bin/dirname', '/usr/bin/readlink', '/usr/bin/env'];
const NOBODY = 65_534;

/** The libraries of a program or module of the system, as the loader finds them. */
function librariesOf(file: string): string[] {
  const found = execFileSync('ldd', [file], { encoding: 'utf8' }).matchAll(/(?:=> |^\s*)(\/\S+) \(/gm);
  return [...found].flatMap(([, path]) => (path === undefined ? [] : [path]));
}

/** The programs and modules of a bundle, which need libraries of the system. */
const nativeFiles = (bundle: string) =>
  readdirSync(bundle, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.node$|^node$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));

/** Copies a folder by hard links, or file by file where it is on another file system. */
export function copyFolder(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  const copy = (...options: string[]) =>
    execFileSync('cp', ['--archive', ...options, from, to], { stdio: 'pipe' });
  try {
    copy('--link');
  } catch {
    rmSync(to, { recursive: true, force: true });
    copy();
  }
}

/**
 * A Linux of its own that has a shell and the libraries of C and C++, but no Node.js. It needs root, or a kernel that lets a user change
 * the root of their own processes.
 */
export class Root implements Place {
  readonly name = 'Linux, without Node.js';
  readonly isWindows = false;
  readonly home = '/home/دفتر';
  readonly data = `${this.home}/.local/share/sims`;
  readonly programs = '/opt/Faculty Office اردو';
  readonly startFile = 'start';
  readonly simsFile = 'sims';
  readonly join = join;
  readonly #path = mkdtempSync(join(tmpdir(), 'sims-root-'));
  readonly #runs = new Runs();

  constructor(bundle: string) {
    const isOfBundle = (file: string) => file.startsWith(bundle);
    const libraries = [...PROGRAMS, ...nativeFiles(bundle)].flatMap(librariesOf);
    for (const file of new Set([...PROGRAMS, ...libraries.filter((one) => !isOfBundle(one))]))
      cpSync(file, this.at(file), { dereference: true });
    for (const folder of ['/tmp', this.home, '/dev', '/etc']) mkdirSync(this.at(folder), { recursive: true });
    writeFileSync(this.at('/etc/passwd'), `clerk:x:${NOBODY}:${NOBODY}::${this.home}:/bin/sh\n`);
    writeFileSync(this.at('/dev/null'), '', { mode: 0o666 });
    for (const folder of ['/tmp', this.home, '/dev/null']) chmodSync(this.at(folder), 0o777);
    chmodSync(this.#path, 0o755);
  }

  at(path: string): string {
    return join(this.#path, path);
  }

  unpack(bundle: string, into: string): string {
    const target = join(into, basename(bundle));
    copyFolder(bundle, this.at(target));
    return target;
  }

  /** Makes a file one of the user. Only as root. */
  give(path: string, mode: number): void {
    chownSync(this.at(path), NOBODY, NOBODY);
    chmodSync(this.at(path), mode);
  }

  async canBeEntered(): Promise<boolean> {
    return (await this.run('/bin/sh', ['-c', 'exit 0']).ended) === 0;
  }

  run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Run {
    const [command, ...enter] =
      process.getuid?.() === 0
        ? ['chroot', `--userspec=${NOBODY}:${NOBODY}`, this.#path]
        : ['unshare', '--map-root-user', `--root=${this.#path}`];
    const variables = Object.entries({ HOME: this.home, PATH: '/usr/bin:/bin', ...env }).map(
      ([name, value]) => `${name}=${value}`,
    );
    return this.#runs.start(command, [...enter, '/usr/bin/env', '-i', ...variables, program, ...args]);
  }

  stop(run: Run): Promise<void> {
    return endBySignal(run, 'SIGTERM', 0);
  }

  kill(run: Run): Promise<void> {
    return endBySignal(run, 'SIGKILL', null);
  }

  remove(): void {
    this.#runs.remove();
    rmSync(this.#path, { recursive: true, force: true });
  }
}

/** @throws Error when it ends with another exit code */
export async function endBySignal(run: Run, signal: NodeJS.Signals, expected: number | null): Promise<void> {
  if (run.pid !== undefined) process.kill(run.pid, signal);
  const code = await run.ended;
  if (code !== expected) throw new Error(`It ended with ${code}, not ${expected}: ${run.text()}`);
}
