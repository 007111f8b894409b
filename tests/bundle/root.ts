import { execFileSync, spawn } from 'node:child_process';
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

/**
 * A system of its own that has a shell and the libraries of C and C++, but no Node.js, where an ordinary user without settings starts
 * bundles. It needs root, or a kernel that lets a user change the root of their own processes.
 */
export class Root {
  readonly path = mkdtempSync(join(tmpdir(), 'sims-root-'));
  /** The home of the user, as the user sees it. */
  readonly home = '/home/دفتر';
  readonly #children = new Set<ReturnType<typeof spawn>>();

  constructor(bundle: string) {
    const isOfBundle = (file: string) => file.startsWith(bundle);
    const libraries = [...PROGRAMS, ...nativeFiles(bundle)].flatMap(librariesOf);
    for (const file of new Set([...PROGRAMS, ...libraries.filter((one) => !isOfBundle(one))]))
      cpSync(file, this.at(file), { dereference: true });
    for (const folder of ['/tmp', this.home, '/dev', '/etc']) mkdirSync(this.at(folder), { recursive: true });
    writeFileSync(this.at('/etc/passwd'), `clerk:x:${NOBODY}:${NOBODY}::${this.home}:/bin/sh\n`);
    writeFileSync(this.at('/dev/null'), '', { mode: 0o666 });
    for (const folder of ['/tmp', this.home, '/dev/null']) chmodSync(this.at(folder), 0o777);
    chmodSync(this.path, 0o755);
  }

  /** The path of a file, from outside. */
  at(path: string): string {
    return join(this.path, path);
  }

  /** Copies the folder of a bundle into a folder, as if it was unpacked there; answers where it is. */
  unpack(bundle: string, into: string): string {
    const target = join(into, basename(bundle));
    mkdirSync(this.at(dirname(target)), { recursive: true });
    const copy = (...options: string[]) =>
      execFileSync('cp', ['--archive', ...options, bundle, this.at(target)], { stdio: 'pipe' });
    try {
      copy('--link');
    } catch {
      // Another file system.
      rmSync(this.at(target), { recursive: true, force: true });
      copy();
    }
    return target;
  }

  /** Makes a file one of the user. Only as root. */
  give(path: string, mode: number): void {
    chownSync(this.at(path), NOBODY, NOBODY);
    chmodSync(this.at(path), mode);
  }

  async canBeEntered(): Promise<boolean> {
    const { ended } = this.run('/bin/sh', ['-c', 'exit 0']);
    return (await ended) === 0;
  }

  /** Runs a program as the user, with no variable but these. */
  run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const [command, ...enter] =
      process.getuid?.() === 0
        ? ['chroot', `--userspec=${NOBODY}:${NOBODY}`, this.path]
        : ['unshare', '--map-root-user', `--root=${this.path}`];
    const variables = Object.entries({ HOME: this.home, PATH: '/usr/bin:/bin', ...env }).map(
      ([name, value]) => `${name}=${value}`,
    );
    const child = spawn(command, [...enter, '/usr/bin/env', '-i', ...variables, program, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#children.add(child);
    const output = { text: '' };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output.text += text;
      });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.on('error', reject).on('close', (code) => resolve(code));
    });
    return { child, output, ended };
  }

  /** Ends what still runs and removes the root. */
  remove(): void {
    for (const child of this.#children) child.kill('SIGKILL');
    rmSync(this.path, { recursive: true, force: true });
  }
}
