import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Path of `strace`, which records system calls and makes them fail; undefined if not installed. */
export const strace = process.env.SIMS_STRACE || undefined;

/** Path of the `faketime` library, which changes the clock of a process; undefined if not installed. */
export const faketime = process.env.SIMS_FAKETIME || undefined;

export interface SmallDisk {
  folder: string;
  makeReadOnly(): Promise<void>;
  remove(): Promise<void>;
}

/** Mounts a small file system in memory; undefined without permission. */
export async function smallDisk(mib: number): Promise<SmallDisk | undefined> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sims-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', folder]);
  } catch {
    rmdirSync(folder);
    return undefined;
  }
  return {
    folder,
    makeReadOnly: async () => {
      await run('mount', ['-o', 'remount,ro', folder]);
    },
    remove: async () => {
      await run('umount', ['--lazy', folder]);
      rmdirSync(folder);
    },
  };
}

/** Runs `strace` on a running process and all its threads until `end`. */
export async function traced(pid: number, args: readonly string[]): Promise<{ end(): Promise<void> }> {
  const tracer = spawn(`${strace}`, ['-f', '-p', String(pid), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  tracer.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  while (!/attached/.test(said)) {
    if (tracer.exitCode !== null) throw new Error(`strace ended: ${said}`);
    await sleep(20);
  }
  const hasEnded = new Promise<void>((resolve) => {
    tracer.once('exit', () => resolve());
  });
  // strace attaches to the threads one by one.
  await sleep(300);
  return {
    end: () => {
      tracer.kill('SIGINT');
      return hasEnded;
    },
  };
}
