import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type CopyState, readCopyMarker } from '../db/copy-marker.ts';
import { type DatabaseLocation, formatLocation } from '../db/location.ts';
import { migrate } from '../db/migrate.ts';
import type { Db } from '../db/schema.ts';
import { openEmbedded } from '../db/sqlite/open-sqlite.ts';
import { StartError } from '../start-error.ts';
import { replaceInstallation } from '../transfer/copy.ts';
import { withExclusiveLock } from '../transfer/exclusive.ts';
import { openFileReadOnly } from '../transfer/open-read-only.ts';
import { findNonEmptyTable } from '../transfer/preflight.ts';
import { copyVerified } from './checksum.ts';
import { backupInto } from './make-backup.ts';
import type { RestoreOptions } from './restore-sqlite.ts';
import { createTempDir } from './temp-dir.ts';

/** Rows per transaction. */
const ROWS = 5_000;

type PostgresLocation = DatabaseLocation & { kind: 'postgres' };

/**
 * Replaces the contents of a database on a server with a backup, under the exclusive lock. An interrupted restore leaves
 * the database marked as unfinished: no server starts on it until the same command has been run again. Existing records are
 * written to a backup in `folder` first.
 *
 * @returns the backup of the existing records
 */
export async function restorePostgres(
  file: string,
  location: PostgresLocation,
  folder: string,
  options: RestoreOptions,
): Promise<string | undefined> {
  const { connectPostgres } = await import('../db/postgres/open-postgres.ts');
  return withExclusiveLock(location, async (_locked, confirm) => {
    const target = await connectPostgres(location.url, { statementTimeout: 0, isHeld: true });
    try {
      return await replaceRecords(target.db, file, location, folder, { ...options, confirm });
    } finally {
      await target.close();
    }
  });
}

async function replaceRecords(
  target: Db,
  file: string,
  location: PostgresLocation,
  folder: string,
  { force, onProgress, confirm }: RestoreOptions & { confirm: () => Promise<void> },
): Promise<string | undefined> {
  const { begun, hasRecords } = await inspectContents(target, formatLocation(location), force);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Unpacked before anything is changed: a folder without room for this has no room for a backup either.
  const temp = await createTempDir(join(folder, 'restoring'));
  try {
    if (!(await copyVerified(file, join(temp.path, 'sims.db')))) {
      throw new StartError(`${file} has changed while it was read. Nothing was changed.`);
    }
    // Migrates a backup of an older version.
    await (await openEmbedded(temp.path)).close();
    const kept = hasRecords
      ? (await backupInto(folder, { ...location, isHeld: true }, 'before-restore')).file
      : undefined;
    if (kept !== undefined) onProgress(`The old records are kept in ${kept}.`);
    await confirm();
    await migrate(target, { toFill: true });
    const source = await openFileReadOnly(join(temp.path, 'sims.db'));
    try {
      onProgress(`Copying ${file} to ${formatLocation(location)} …`);
      const compared = await replaceInstallation(source.db, target, {
        backup: file,
        begun,
        rows: ROWS,
        onProgress,
        confirm,
      });
      const different = compared.filter(({ isSame }) => !isSame).map(({ table }) => table);
      if (different.length > 0) {
        throw new StartError(
          `The restored records differ from the backup (${different.join(', ')}), and no server starts on them. Run it again.`,
        );
      }
    } finally {
      await source.close();
    }
    return kept;
  } finally {
    await temp.remove();
  }
}

/** @throws StartError where it holds records and `force` is false */
async function inspectContents(
  db: Db,
  label: string,
  force: boolean,
): Promise<{ begun: CopyState | undefined; hasRecords: boolean }> {
  const begun = await readCopyMarker(db);
  if (begun !== undefined) return { begun, hasRecords: false };
  const filled = await findNonEmptyTable(db);
  if (filled !== undefined && !force) {
    throw new StartError(
      `${label} holds records (${filled}). With --force they are written to a backup and replaced with the backup given; nothing was changed.`,
    );
  }
  return { begun, hasRecords: filled !== undefined };
}
