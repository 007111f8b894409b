import type { Database, ServerOptions } from '../db/database.ts';
import { getLocation, type LocationSettings } from '../db/location.ts';
import { rejectLostDatabase } from '../db/sqlite/database-file.ts';
import { openEmbedded } from '../db/sqlite/open-sqlite.ts';
import { StartError } from '../start-error.ts';

/**
 * Opens the database that the settings name: one on a server, or the embedded one of the data folder. Before a migration it
 * is backed up, where a backup folder is set.
 *
 * @param allowNew creates an empty database even in a data folder whose database is missing
 */
export async function openDatabase(
  settings: LocationSettings,
  server: ServerOptions = {},
  { allowNew = false } = {},
): Promise<Database> {
  const { databaseUrl, dataDir, backup } = settings;
  const before = async () => {
    if (backup.dir === undefined) return;
    // Imported when needed: hardly any start has a migration to run.
    const { backupInto } = await import('./make-backup.ts');
    const location = { ...getLocation(settings), isHeld: server.isHeld };
    await backupInto(backup.dir, location, 'before-migration').catch((error: unknown) => {
      throw new StartError(
        `The database has to be migrated, and backed up before that. ${error instanceof Error ? error.message : String(error)} Nothing was changed; make room in ${backup.dir}, or set SIMS_BACKUP_DIR.`,
      );
    });
  };
  if (databaseUrl === undefined) {
    const { findBackups, suggestRestore } = await import('./backup-folder.ts');
    try {
      const hasBackups = backup.dir !== undefined && (await findBackups(backup.dir)).length > 0;
      if (!allowNew) rejectLostDatabase(dataDir, hasBackups);
      return await openEmbedded(dataDir, { before });
    } catch (error) {
      throw await suggestRestore(error, backup.dir);
    }
  }
  const { openPostgres } = await import('../db/postgres/open-postgres.ts');
  return openPostgres(databaseUrl, { ...server, before });
}
