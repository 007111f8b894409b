import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** A path inside the project. */
export const inProject = (...parts) => path.join(root, ...parts);

/** An error whose message explains everything, so no stack trace is printed. */
export class SetupError extends Error {
  /** @param {number} exitCode of the script; {@link NOT_TESTED} where something can't be had here */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The exit code for what can't be tried on this machine, such as without a network. */
export const NOT_TESTED = 77;

/** Runs the steps of a script; an explained failure becomes one line and exit code 1. */
export async function main(steps) {
  try {
    await steps();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    process.exit(error.exitCode);
  }
}

export function sha256(...contents) {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  return hash.digest('hex');
}

/** The files in a folder and the folders in it, with their whole paths, in a fixed order. */
export const filesUnder = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort();

/** The text of a file, or undefined when there is none. */
export const readText = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

/**
 * Runs a program in the project's folder. With `quiet` its output is returned, otherwise it is printed. A Node.js program with `isTied` has
 * the event `disconnect` when this process ends in any way, such as by a signal.
 *
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { quiet = false, env = {}, shell = false, isTied = false } = {}) {
  return new Promise((resolve, reject) => {
    const target = quiet ? 'pipe' : 'inherit';
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      shell,
      stdio: ['ignore', target, target, ...(isTied ? ['ipc'] : [])],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    const stop = () => child.kill();
    process.once('exit', stop);
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('exit', stop);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Runs a tool of `node_modules` under this Node.js, by the path of its start file there. */
export const runTool = (startFile, args, options) =>
  run(process.execPath, [inProject('node_modules', startFile), ...args], options);

/** Start files of the tools, inside `node_modules`. */
export const tools = {
  biome: '@biomejs/biome/bin/biome',
  knip: 'knip/bin/knip.js',
  playwright: '@playwright/test/cli.js',
  tsc: 'typescript/bin/tsc',
  tsx: 'tsx/dist/cli.mjs',
  vite: 'vite/bin/vite.js',
  vitest: 'vitest/vitest.mjs',
};
