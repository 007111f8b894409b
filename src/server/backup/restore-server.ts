import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { aloneIn } from '../db/alone-in.ts';
import { filledTable } from '../db/copy/check-places.ts';
import { copyInstallation } from '../db/copy/copy-installation.ts';
import { openUnchanged } from '../db/copy/open-unchanged.ts';
import { labelOf, type Place } from '../db/copy/place.ts';
import { readState } from '../db/copy/state.ts';
import { openEmbedded } from '../db/open.ts';
import { StartError } from '../start-error.ts';
import { backupInto } from './make-backup.ts';
import type { Restoring } from './restore-backup.ts';
import { copyUnsealed } from './seal.ts';
import { makeWorkFolder } from './work-folder.ts';

const ROWS = 5_000;

/**
 * Fills a server's database from a backup, as a copy does: no server starts on it until it is whole and compared, and the
 * same command begins one that was broken off anew. No other process is let in meanwhile. What was there is written to a backup
 * in the folder `beside` first.
 *
 * @returns the backup of what was there
 */
export async function restoreServer(
  file: string,
  place: Place & { kind: 'postgres' },
  beside: string,
  restoring: Restoring,
): Promise<string | undefined> {
  return aloneIn(place, (held, confirm) => fill(file, held, beside, { ...restoring, confirm }));
}

async function fill(
  file: string,
  place: Place,
  beside: string,
  { force, tell, confirm }: Restoring & { confirm: () => Promise<void> },
): Promise<string | undefined> {
  const found = await whatIsThere(place, force);
  await mkdir(beside, { recursive: true, mode: 0o700 });
  // Unpacked before anything is touched: a folder that has no room for it has none for a backup either.
  const work = await makeWorkFolder(join(beside, 'restoring'));
  const unpacked = work.path;
  try {
    if (!(await copyUnsealed(file, join(unpacked, 'sims.db')))) {
      throw new StartError(`${file} has changed while it was read. Nothing was changed.`);
    }
    // Brings it up to date, where it is from an older version.
    await (await openEmbedded(unpacked)).close();
    const kept = found === 'records' ? (await backupInto(beside, place, 'before-restore')).file : undefined;
    if (kept !== undefined) tell(`What was there is kept in ${kept}.`);
    await confirm();
    const compared = await copyInstallation({
      from: { kind: 'sqlite', folder: unpacked },
      to: place,
      rows: ROWS,
      restart: false,
      backup: file,
      tell,
    });
    const different = compared.filter(({ isSame }) => !isSame).map(({ table }) => table);
    if (different.length > 0) {
      throw new StartError(
        `What was restored differs (${different.join(', ')}) and no server starts on it. Run it again.`,
      );
    }
    return kept;
  } finally {
    await work.remove();
  }
}

/** @throws StartError where it holds records and no force is to be used */
async function whatIsThere(place: Place, force: boolean): Promise<'nothing' | 'records' | 'unfinished copy'> {
  const target = await openUnchanged(place);
  if (target === undefined) return 'nothing';
  const label = labelOf(place);
  try {
    if ((await readState(target.db)) !== undefined) return 'unfinished copy';
    const filled = await filledTable(target.db);
    if (filled !== undefined && !force) {
      throw new StartError(
        `${label} holds records (${filled}). With --force they are written to a backup and the backup given takes their place; nothing was changed.`,
      );
    }
    return filled === undefined ? 'nothing' : 'records';
  } finally {
    await target.close();
  }
}
