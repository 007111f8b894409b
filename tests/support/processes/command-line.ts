import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { runCommand, toErrorText } from '../../../src/server/cli/commands.ts';
import type { TestDatabase } from '../database/engines.ts';

const SIMS = fileURLToPath(new URL('../../../dist/server/cli/sims.js', import.meta.url));

type Settings = Readonly<Record<string, string>>;

interface How {
  settings?: Settings;
  /** The process is killed as soon as its output matches. */
  until?: RegExp;
  /** Its standard input. */
  input?: string;
}

/** Runs the command line of the built product in its own process. */
export async function runSims(args: readonly string[], { settings = {}, until, input = '' }: How = {}) {
  const child = spawn(process.execPath, [SIMS, ...args], {
    env: { PATH: process.env.PATH ?? '', ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {}).end(input);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (until?.test(output)) child.kill('SIGKILL');
    });
  }
  const [code, signal] = await once(child, 'close');
  return { code: code as number | null, signal: signal as NodeJS.Signals | null, output };
}

/** The same in this process, which is faster. */
export async function runSimsInProcess(args: readonly string[], settings: Settings, input = '') {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: unknown) => lines.push(String(line)));
  const stdin = vi
    .spyOn(process, 'stdin', 'get')
    .mockReturnValue(Readable.from([input]) as typeof process.stdin);
  try {
    const code = await runCommand([...args], settings);
    return { code, lines };
  } catch (error) {
    return { code: 1, lines: String(toErrorText(error)).split('\n') };
  } finally {
    log.mockRestore();
    stdin.mockRestore();
  }
}

/** The settings for a database, with a separate backup folder. */
export function toSettings({ folder, location }: TestDatabase): Settings {
  return {
    SIMS_DATA_DIR: folder,
    SIMS_BACKUP_DIR: `${folder}/kept`,
    ...(location.startsWith('postgres') ? { DATABASE_URL: location } : {}),
  };
}
