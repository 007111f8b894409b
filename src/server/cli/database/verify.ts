import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { summarizeContents } from '../../backup/contents.ts';
import { checkBackup } from '../../backup/restore-backup.ts';
import { formatLocation, getLocation } from '../../db/location.ts';
import { MIGRATIONS } from '../../db/migrations/index.ts';
import type { Head } from '../../history/chain.ts';
import { linkPending } from '../../history/links.ts';
import { readHead } from '../../history/verify-chain.ts';
import { Secrets } from '../../secrets/secrets.ts';
import { readCheckedSettings } from '../../settings/checked-settings.ts';
import { readSettings, type Settings } from '../../settings/settings.ts';
import { SIMS_COMMAND, StartError } from '../../start-error.ts';
import { openForCommand } from '../../transfer/open-for-command.ts';
import { openFileReadOnly, openSnapshot, type ReadOnlyDatabase } from '../../transfer/open-read-only.ts';
import { requireCurrentVersion } from '../../transfer/preflight.ts';
import { runChecks } from '../../verify/checks.ts';
import type { Command, Env } from '../command.ts';
import { print } from '../print.ts';

const HELP = `Checks everything in a database or a backup and lists the faults. No record is changed.

  ${SIMS_COMMAND} verify
  ${SIMS_COMMAND} verify data/backups/sims-2026-01-31T02-00-00.000Z.backup
  ${SIMS_COMMAND} verify --head 57:3627c7372baa4665da19ceff8197a4ee8a5c0604e2dc1834bad041e34dd4d04a

The check reads a snapshot; the server may be running. On a database server, the latest entries of the history are linked to
its chain first, if no process has done so yet. It covers the integrity check of the engine, references between
tables, averages and statistics, mark sheets, pictures, the chain of the history and its triggers, every student, course,
account, policy and document against its entries in the history, documents against their signatures, whether keys that are
encrypted can be decrypted (those of a backup where SIMS_SECRET_KEY_FILE is set), and the index of the list of students,
which "reindex" repairs. Long checks report their progress on standard error.

  --head <number>:<hash>   Head of the history as reported by an earlier run: it must still be in the chain. Record each
                           one elsewhere: who controls the database could replace the whole history, but not one that
                           contains a recorded head.

Exit code 0 when everything is in order, 1 when not.`;

/** `sims verify` */
export const verify: Command = {
  summary: 'Checks everything in a database or a backup',
  help: HELP,
  run: async (args, env) => {
    const { positionals, values } = parseArgs({
      args,
      options: { head: { type: 'string' } },
      allowPositionals: true,
    });
    const [name, ...more] = positionals;
    if (more.length > 0) throw new StartError('Name one backup, or none for the database: verify [<file>]');
    const recordedHead = values.head === undefined ? undefined : parseHead(values.head);
    const isLive = name === undefined;
    const opened = isLive ? await openLive(env) : await openBackup(resolve(name));
    if (opened === undefined) return 0;
    try {
      const failed = await runChecks(opened.db, print, {
        recordedHead,
        secrets: isLive || env.SIMS_SECRET_KEY_FILE ? readSecrets(env) : undefined,
        onProgress: throttle(console.error),
      });
      const isOnlyIndex = failed.every(({ isRepairable }) => isRepairable);
      if (isOnlyIndex) {
        const { number, hash } = await readHead(opened.db);
        print(`Head of the history, to record elsewhere: ${number}:${hash}`);
      }
      if (failed.length === 0) return 0;
      print(
        isOnlyIndex
          ? `The records are in order, the index is not. Rebuild it with "${SIMS_COMMAND} reindex".`
          : 'The records have faults. Keep the database, and see docs/operations/backup.md on restoring a backup.',
      );
      return 1;
    } finally {
      await opened.close();
    }
  },
};

/** Milliseconds between two lines of progress, and before the first. */
const PROGRESS_INTERVAL_MS = 5_000;

/** Drops lines that come sooner than the interval. */
function throttle(print: (line: string) => void): (line: string) => void {
  let last = Date.now();
  return (line) => {
    if (Date.now() - last < PROGRESS_INTERVAL_MS) return;
    last = Date.now();
    print(line);
  };
}

function parseHead(text: string): Head {
  const [, number, hash] = /^(\d{1,10}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (hash === undefined)
    throw new StartError('--head must be <number>:<hash>, as reported by an earlier run.');
  return { number: Number(number), hash };
}

const readSecrets = (env: Env) => new Secrets(readSettings(env).secretKeys);

async function openLive(env: Env): Promise<ReadOnlyDatabase> {
  const settings = readCheckedSettings(env, console.warn);
  const location = getLocation(settings);
  const label = formatLocation(location);
  if (location.kind === 'postgres') await linkLatest(settings);
  const opened = await openSnapshot(location);
  if (opened === undefined) throw new StartError(`There is no SIMS database at ${label}.`);
  try {
    await requireCurrentVersion(opened.db, label);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Links the latest entries, so that the head covers every one. Without it, the check says how many it does not cover. */
async function linkLatest(settings: Settings): Promise<void> {
  const { write, close } = await openForCommand(settings);
  try {
    await linkPending(write);
  } catch (error) {
    print(
      `The latest entries of the history could not be linked: ${error instanceof Error ? error.message : error}.`,
    );
  } finally {
    await close();
  }
}

async function openBackup(file: string): Promise<ReadOnlyDatabase | undefined> {
  const contents = await checkBackup(file);
  print(`The checksum is right: ${summarizeContents(contents)}.`);
  if (contents.version === MIGRATIONS.length) return openFileReadOnly(file);
  print(`Its schema version is ${contents.version}, of an older SIMS: use that one for the other checks.`);
  return undefined;
}
