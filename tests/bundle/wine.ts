import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { basename, join, win32 } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { type Place, type Run, Runs } from './place.ts';
import { copyFolder } from './root.ts';

const NEEDED = `It needs root, and a Debian with Wine in a folder:
  debootstrap trixie FOLDER && chroot FOLDER apt-get install --yes --no-install-recommends wine64
  mount -t proc proc FOLDER/proc && mount --rbind /dev FOLDER/dev`;

/** Windows as Wine has it, with a new drive C:, in the root of a Debian. */
export class Wine implements Place {
  readonly name = 'Windows, under Wine';
  readonly isWindows = true;
  readonly home = 'C:\\users\\دفتر';
  readonly data = 'C:\\ProgramData\\SIMS';
  readonly programs = 'C:\\Faculty Office اردو';
  readonly startFile = 'start.cmd';
  readonly simsFile = 'sims.cmd';
  readonly join = win32.join;
  readonly #root: string;
  readonly #prefix = `/tmp/sims-wine-${process.pid}`;
  readonly #runs = new Runs();

  /** @throws Error that says what is missing */
  constructor(root: string) {
    // A link, which is followed in that root only.
    const hasWine = existsSync(join(root, 'usr/bin')) && readdirSync(join(root, 'usr/bin')).includes('wine');
    const isReady = process.getuid?.() === 0 && hasWine && existsSync(join(root, 'proc/self'));
    if (!isReady) throw new Error(`${root} has no Wine that can be used. ${NEEDED}`);
    this.#root = realpathSync(root);
    this.#wine(['wineboot', '--init']);
    mkdirSync(this.at(this.home), { recursive: true });
  }

  at(path: string): string {
    const [, rest = ''] = /^C:\\(.*)$/i.exec(path) ?? [];
    return join(this.#root, this.#prefix, 'drive_c', ...rest.split('\\'));
  }

  unpack(bundle: string, into: string): string {
    const target = win32.join(into, basename(bundle));
    copyFolder(bundle, this.at(target));
    return target;
  }

  run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Run {
    // Started in its folder by its name: of a path with spaces the shell would take the quotes away.
    const folder = this.at(win32.dirname(program)).slice(this.#root.length);
    const command = ['wine', 'cmd', '/c', win32.basename(program), ...args];
    return this.#runs.start('chroot', this.#command(command, env, folder));
  }

  /** Closing the window of a program ends it at once. */
  stop(run: Run): Promise<void> {
    return this.kill(run);
  }

  async kill(run: Run): Promise<void> {
    for (const pid of this.#processes('node.exe')) process.kill(pid, 'SIGKILL');
    await run.ended;
    while (this.#processes('node.exe').length > 0) await setTimeout(20);
  }

  remove(): void {
    this.#runs.remove();
    for (const pid of this.#processes('')) process.kill(pid, 'SIGKILL');
    rmSync(join(this.#root, this.#prefix), { recursive: true, force: true, maxRetries: 5 });
  }

  /** The arguments of `chroot`. */
  #command(command: readonly string[], env: Readonly<Record<string, string>> = {}, folder = '/'): string[] {
    const variables = {
      ...{ HOME: '/root', PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
      ...{ WINEDEBUG: '-all', WINEPREFIX: this.#prefix, ...env },
    };
    const all = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    return [this.#root, '/usr/bin/env', '-i', `--chdir=${folder}`, ...all, ...command];
  }

  #wine(command: readonly string[]): void {
    execFileSync('chroot', this.#command(command), { stdio: 'ignore' });
  }

  /** The processes on this drive C: whose command line has a text. */
  #processes(text: string): number[] {
    return readdirSync('/proc').flatMap((entry) => {
      try {
        if (!/^\d+$/.test(entry)) return [];
        const isOurs = readFileSync(`/proc/${entry}/environ`, 'utf8').includes(
          `WINEPREFIX=${this.#prefix}\0`,
        );
        return isOurs && readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes(text) ? [Number(entry)] : [];
      } catch {
        // It has ended.
        return [];
      }
    });
  }
}
