import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../db/database.ts';
import type { Db } from '../db/schema.ts';
import { toModuleUrl } from '../program-files.ts';
import { findSealingKeys } from '../secrets/stored-secrets.ts';
import { backupName, pruneBackups } from './backup-folder.ts';
import { removeStaleTempDirs } from './temp-dir.ts';

/** Id of the only row. */
const ID = 1;
/** Milliseconds until a failed backup is retried, unless backups are more frequent than this. */
const RETRY_INTERVAL_MS = 10 * 60_000;

const iso = (ms: number) => new Date(ms).toISOString();

/** Value of `begun_at` that makes the next backup due after the retry interval. */
const retryTime = (every: number, now: number) => iso(now - every + Math.min(every, RETRY_INTERVAL_MS));

/** Whether a backup is due; another process may claim it first. */
export async function isBackupDue(db: Db, every: number, now: number): Promise<boolean> {
  const row = await readSchedule(db);
  return row === undefined || isOld(row.begun_at, every, now);
}

/**
 * Claims the next backup for this process; of several processes exactly one gets `true`. A claim expires after the retry
 * interval unless it is renewed, so that another process takes over when this one is killed or loses the database.
 */
export async function claimBackup(db: Db, every: number, now: number): Promise<boolean> {
  await db
    .insertInto('backup_schedule')
    .values({ id: ID, begun_at: iso(0), good_at: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const { numUpdatedRows } = await db
    .updateTable('backup_schedule')
    .set({ begun_at: retryTime(every, now) })
    .where('id', '=', ID)
    // In the future: the clock was set back.
    .where((eb) => eb.or([eb('begun_at', '<=', iso(now - every)), eb('begun_at', '>', iso(now))]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Records a successful backup that was started at `begun`. */
export async function recordSuccess(db: Db, begun: number): Promise<void> {
  await db
    .updateTable('backup_schedule')
    .set({ begun_at: iso(begun), good_at: iso(begun) })
    .where('id', '=', ID)
    .execute();
}

/** Renews the claim of a running backup; after a failed one, schedules the retry. */
export async function scheduleRetry(db: Db, every: number, now: number): Promise<void> {
  await db
    .updateTable('backup_schedule')
    .set({ begun_at: retryTime(every, now) })
    .where('id', '=', ID)
    .execute();
}

/** When the latest successful backup was started; it contains everything saved before. */
export async function lastSuccess(db: Db): Promise<number | undefined> {
  const good = (await readSchedule(db))?.good_at;
  return good === undefined || good === null ? undefined : Date.parse(good);
}

const readSchedule = (db: Db) =>
  db.selectFrom('backup_schedule').selectAll().where('id', '=', ID).executeTakeFirst();

const isOld = (begun: string, every: number, now: number) => begun <= iso(now - every) || begun > iso(now);

const SIMS = fileURLToPath(toModuleUrl('./cli/sims'));

/** Milliseconds between two checks for a due backup. */
const CHECK_INTERVAL_MS = 30_000;

interface Plan {
  dir: string;
  every: number;
  keep: number;
}

/**
 * Makes a backup every `every` milliseconds, in one of the processes that share a database. It runs the command line in a
 * child process of low priority, so that requests do not wait for it and it can be killed at any moment.
 *
 * @returns stops the schedule and a running backup
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
        if (await isBackupDue(db.read, plan.every, Date.now()))
          await makeDueBackup(db, plan, logger, stop.signal);
      } catch (error) {
        // The database is unavailable, which requests log.
        logger.debug({ err: error }, 'backup schedule not checked');
      }
      await setTimeout(Math.min(CHECK_INTERVAL_MS, plan.every / 4), undefined, { signal: stop.signal }).catch(
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

async function makeDueBackup(
  db: Database,
  { dir, every, keep }: Plan,
  logger: Pick<FastifyBaseLogger, 'info' | 'error'>,
  stop: AbortSignal,
): Promise<void> {
  const begun = Date.now();
  if (!(await claimBackup(db.write, every, begun))) return;
  const file = join(dir, backupName(new Date(begun), 'scheduled'));
  const retryLater = () => scheduleRetry(db.write, every, Date.now());
  // An unreachable database does not end a running backup: at worst another process makes one too.
  let renewed = Promise.resolve();
  const renewing = setInterval(() => {
    renewed = retryLater().catch(() => {});
  }, Math.min(every, RETRY_INTERVAL_MS) / 3);
  const { code, output } = await runBackupProcess(dir, file, stop);
  clearInterval(renewing);
  await renewed;
  if (code === 0) {
    // Without an answer the backup counts all the same.
    const sealedBy = await findSealingKeys(db.read).catch(() => []);
    const needed = sealedBy.length === 0 ? {} : { neededBeside: 'SIMS_SECRET_KEY_FILE', lines: sealedBy };
    logger.info({ file, ms: Date.now() - begun, ...needed }, 'backup made');
    await recordSuccess(db.write, begun);
    await pruneBackups(dir, keep, file).catch((error: unknown) => {
      logger.error({ err: error }, 'an old backup was not removed; it is tried again after the next one');
    });
    return;
  }
  if (!stop.aborted) logger.error({ file, reason: output.trim() }, 'backup failed');
  await removeStaleTempDirs(dir);
  await retryLater();
}

async function runBackupProcess(dir: string, file: string, stop: AbortSignal) {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    if (stop.aborted) return { code: null, output: 'The server was stopped.' };
    const child = fork(SIMS, ['backup', '--to', file], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      windowsHide: true,
    });
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
