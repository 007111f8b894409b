import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { retryOnWindows } from '../db/sqlite/retry-on-windows.ts';
import { EXIT_CODES, quotePath, SIMS_COMMAND, StartError } from '../start-error.ts';
import { readChecksum, verifyChecksum } from './checksum.ts';

/** Why a backup was made. It is part of the file name, except for `asked`. */
export type BackupReason = 'asked' | 'scheduled' | 'before-migration' | 'before-restore';

export interface NamedBackup {
  file: string;
  madeAt: Date;
  occasion: BackupReason;
  /** Made while the clock was ahead. */
  isOfFuture: boolean;
}

const NAME =
  /^sims-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)(?:-(scheduled|before-migration|before-restore))?\.backup$/;

/** File name of a backup; sorts by time. */
export function backupName(madeAt: Date, occasion: BackupReason): string {
  const stamp = madeAt.toISOString().replaceAll(':', '-');
  return `sims-${stamp}${occasion === 'asked' ? '' : `-${occasion}`}.backup`;
}

/**
 * Backups with generated names in a folder, latest first, those of the future after all others; none where the folder is
 * missing.
 */
export async function listBackups(folder: string): Promise<NamedBackup[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .flatMap((name) => {
      const [, day, hours, minutes, seconds, occasion = 'asked'] = NAME.exec(name) ?? [];
      if (day === undefined) return [];
      const madeAt = new Date(`${day}${hours}:${minutes}:${seconds}`);
      const isOfFuture = madeAt.getTime() > Date.now();
      return [{ file: join(folder, name), madeAt, occasion: occasion as BackupReason, isOfFuture }];
    })
    .toSorted(
      (a, b) => Number(a.isOfFuture) - Number(b.isOfFuture) || b.madeAt.getTime() - a.madeAt.getTime(),
    );
}

/**
 * All complete backups of a folder: those with generated names as {@link listBackups} has them, then those under other names,
 * the latest written first.
 */
export async function findBackups(folder: string): Promise<string[]> {
  const named = (await listBackups(folder)).map(({ file }) => file);
  const names = await readdir(folder).catch(() => []);
  const renamed: { file: string; writtenAt: number }[] = [];
  for (const file of names.map((name) => join(folder, name))) {
    if (named.includes(file)) continue;
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile() !== true || (await isComplete(file)) === false) continue;
    renamed.push({ file, writtenAt: found.mtimeMs });
  }
  return [...named, ...renamed.toSorted((a, b) => b.writtenAt - a.writtenAt).map(({ file }) => file)];
}

/** Whether a file ends as backups do. Its checksum is not verified, which would read the whole file. */
const isComplete = async (file: string): Promise<boolean> =>
  (await readChecksum(file).catch(() => undefined)) !== undefined;

/** The latest complete backup of a folder with a generated name. */
export async function latestBackup(folder: string): Promise<NamedBackup | undefined> {
  for (const backup of await listBackups(folder)) {
    if (await isComplete(backup.file)) return backup;
  }
  return undefined;
}

/**
 * Removes old scheduled backups and keeps the latest `keep`, including the one just `made`. All other backups stay: those
 * made by command, before a migration or before a restore, and those of the future, whose order is unknown.
 */
export async function pruneBackups(dir: string, keep: number, made: string): Promise<void> {
  const others = (await listBackups(dir)).filter(
    ({ file, occasion, isOfFuture }) => occasion === 'scheduled' && !isOfFuture && file !== made,
  );
  for (const { file } of others.slice(keep - 1)) await retryOnWindows(() => rm(file, { force: true }));
}

/** Adds to the error of a damaged database which backup to restore: the latest with the right checksum. */
export async function suggestRestore(error: unknown, folder: string | undefined): Promise<unknown> {
  if (!(error instanceof StartError) || error.exitCode !== EXIT_CODES.damaged || folder === undefined)
    return error;
  for (const file of await findBackups(folder)) {
    if (!(await verifyChecksum(file).catch(() => false))) continue;
    const advice = `The last good backup is ${file}; restore it with: ${SIMS_COMMAND} restore ${quotePath(file)} --force`;
    return new StartError(`${error.message} ${advice}`, error.exitCode);
  }
  return new StartError(
    `${error.message} There is no good backup in ${folder}; restore one from elsewhere with: ${SIMS_COMMAND} restore <file> --force`,
    error.exitCode,
  );
}
