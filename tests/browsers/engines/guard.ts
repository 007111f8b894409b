import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

/** Reads which processes are running. At the end of its input, ends those and removes the folder. */
const SCRIPT = `
running=
while read -r what pid; do
  case $what in
    running) running="$running $pid" ;;
    ended)
      others=
      for one in $running; do [ "$one" = "$pid" ] || others="$others $one"; done
      running=$others ;;
  esac
done
for pid in $running; do kill -s KILL -- "-$pid" || kill -s KILL "$pid"; done
rm -rf "$1" || { sleep 1; rm -rf "$1"; }
`;

/**
 * Ends what a run has started and removes what it has stored, however the run ends: killed, too, since the pipe to this process
 * of its own closes with it.
 */
export class Guard {
  /** For all that the run stores. The guard removes it. */
  readonly folder = mkdtempSync(path.join(tmpdir(), 'sims-browsers-'));
  readonly #shell = spawn('/bin/sh', ['-c', SCRIPT, 'guard', this.folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });

  constructor() {
    // If it is killed itself.
    this.#shell.stdin.on('error', () => undefined);
  }

  /** Starts a program as the leader of a group of processes. */
  launch(program: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    this.watch(child.pid);
    return child;
  }

  /** Ends a process of another's making, too. */
  watch(pid: number | undefined): void {
    if (pid !== undefined) this.#shell.stdin.write(`running ${pid}\n`);
  }

  /** Ends a program with all that it has started. */
  async stop(child: ChildProcess): Promise<void> {
    const { pid } = child;
    if (pid === undefined) return;
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    const ended = hasEnded ? undefined : once(child, 'exit');
    try {
      // What it has started may be running still, if it has ended itself.
      process.kill(-pid, 'SIGKILL');
    } catch {
      // Nothing of the group is left.
    }
    await ended;
    this.#shell.stdin.write(`ended ${pid}\n`);
  }

  /** Ends all that is running, and removes the folder. */
  async end(): Promise<void> {
    const ended = once(this.#shell, 'exit');
    this.#shell.stdin.end();
    await ended;
  }
}
