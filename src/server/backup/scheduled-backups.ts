import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../db/open.ts';
import { backupName } from './names.ts';
import { removeSurplus } from './prune.ts';
import { claim, isDue, noteGood, TRY_AGAIN, tryLater } from './schedule.ts';
import { removeAbandoned } from './work-folder.ts';

const isSource = import.meta.url.endsWith('.ts');
const SIMS = fileURLToPath(new URL(isSource ? '../cli/sims.ts' : '../cli/sims.js', import.meta.url));

/** Milliseconds between two looks at whether a backup is due. */
const LOOK_EACH = 30_000;

interface Plan {
  dir: string;
  every: number;
  keep: number;
}

/**
 * Makes a backup every so often, one process of all that share a database. It is made by the command line as a process of
 * its own, with the low priority of that: nobody who is being answered waits for it, and it can be ended at any moment.
 *
 * @returns ends it, a backup that is being made included
 */
export function scheduleBackups(
  db: Database,
  plan: Plan,
  logger: Pick<FastifyBaseLogger, 'info' | 'error' | 'debug'>,
): () => Promise<void> {
  const stop = new AbortController();
  const run = async () => {
    while (!stop.signal.aborted) {
      try {
        if (await isDue(db.read, plan.every, Date.now())) await makeDue(db, plan, logger, stop.signal);
      } catch (error) {
        // The database is out of reach for now, which others tell of.
        logger.debug({ err: error }, 'backups not looked at');
      }
      await setTimeout(Math.min(LOOK_EACH, plan.every / 4), undefined, { signal: stop.signal }).catch(
        () => {},
      );
    }
  };
  const running = run();
  return async () => {
    stop.abort();
    await running;
  };
}

async function makeDue(
  db: Database,
  { dir, every, keep }: Plan,
  logger: Pick<FastifyBaseLogger, 'info' | 'error'>,
  stop: AbortSignal,
): Promise<void> {
  const begun = Date.now();
  if (!(await claim(db.write, every, begun))) return;
  const file = join(dir, backupName(new Date(begun), 'scheduled'));
  const later = () => tryLater(db.write, every, Date.now());
  // That the database is away for a moment is no reason to end a backup: at worst another process begins one too.
  let renewed = Promise.resolve();
  const renewing = setInterval(() => {
    renewed = later().catch(() => {});
  }, Math.min(every, TRY_AGAIN) / 3);
  const { code, output } = await makeAside(dir, file, stop);
  clearInterval(renewing);
  await renewed;
  if (code === 0) {
    logger.info({ file, ms: Date.now() - begun }, 'backup made');
    await noteGood(db.write, begun);
    await removeSurplus(dir, keep, file);
    return;
  }
  if (!stop.aborted) logger.error({ file, reason: output.trim() }, 'backup failed');
  await removeAbandoned(dir);
  await later();
}

async function makeAside(dir: string, file: string, stop: AbortSignal) {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    if (stop.aborted) return { code: null, output: 'The server was stopped.' };
    const child = fork(SIMS, ['backup', '--to', file], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    const kill = () => child.kill('SIGKILL');
    stop.addEventListener('abort', kill);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
      });
    }
    const [code] = await once(child, 'close');
    stop.removeEventListener('abort', kill);
    return { code: code as number | null, output };
  } catch (error) {
    return { code: null, output: error instanceof Error ? error.message : String(error) };
  }
}
