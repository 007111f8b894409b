import { accessSync, constants, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { quotePath, StartError } from '../start-error.ts';
import { whyUnsafe } from './synced-folder.ts';

interface Folder {
  /** The name in messages. */
  name: string;
  path: string;
}

const OTHERS_READ = 0o004;
const OTHERS_WRITE = 0o002;
const OTHERS_ENTER = 0o001;

/** Undefined when the path is missing or may not be read; opening it reports why. */
function findStats(path: string) {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Checks where the folder of a database is, and its permissions; the latter not on Windows, which has no owners and modes of this kind.
 *
 * @returns a warning when every local user may read it, and one when it is not on a disk of this computer alone
 * @throws StartError when every local user may write to it, or root would create files there that its owner can't use
 */
export function checkDataFolder(path: string): string[] {
  const folder = { name: 'data folder', path };
  refuseRootInForeignFolder(folder, path);
  refuseLongPath(folder);
  refuseUnreadable(folder);
  const mode = getMode(path);
  const file = join(path, 'sims.db');
  if ((mode & OTHERS_ENTER) !== 0 && (getMode(file) & OTHERS_WRITE) !== 0) {
    throw new StartError(
      `The database ${file} can be written by every user of this machine: chmod 600 ${quotePath(file)}`,
    );
  }
  const unsafe = whyUnsafe(path);
  return [...checkMode(folder), ...(unsafe === undefined ? [] : [`The data folder ${path} ${unsafe}.`])];
}

/** The same for the folder of backups. If it is missing, the owner of the folder above counts. */
export function checkBackupFolder(path: string): string[] {
  const folder = { name: 'backup folder', path };
  refuseLongPath(folder);
  refuseRootInForeignFolder(folder, findStats(path) === undefined ? dirname(path) : path);
  refuseUnreadable(folder);
  return checkMode(folder);
}

function checkMode({ name, path }: Folder): string[] {
  const mode = getMode(path);
  if ((mode & OTHERS_WRITE) !== 0) {
    throw new StartError(
      `The ${name} ${path} can be written by every user of this machine: chmod 700 ${quotePath(path)}`,
    );
  }
  return (mode & (OTHERS_READ | OTHERS_ENTER)) === 0
    ? []
    : [`The ${name} ${path} can be read by every user of this machine: chmod 700 ${quotePath(path)}`];
}

/** 0 for a missing path and on Windows. */
const getMode = (path: string) => (process.platform === 'win32' ? 0 : (findStats(path)?.mode ?? 0));

/** The letters of a path that the Windows functions without long paths take, which SQLite calls. */
const WINDOWS_PATH = 260;
/** Those of the longest file below the data folder: one of a backup that is being made. */
const LONGEST_NAME = 90;

/** @throws StartError on Windows where backups could not be made, as their paths would be too long */
export function refuseLongPath({ name, path }: Folder, platform = process.platform): void {
  if (platform !== 'win32' || path.length <= WINDOWS_PATH - LONGEST_NAME) return;
  throw new StartError(
    `The ${name} has a path of ${path.length} letters. Windows takes ${WINDOWS_PATH}, of which backups need ${LONGEST_NAME}: use a folder with a shorter path. ${path}`,
  );
}

/** Files in an unreadable folder would seem to be missing. Where a file is in the folder's place, opening it reports that. */
function refuseUnreadable({ name, path }: Folder): void {
  if (findStats(path)?.isDirectory() === false) return;
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ['EACCES', 'EPERM'].includes(String(error.code))))
      return;
    throw new StartError(
      `The ${name} ${path} can't be read by this user: run this as the user whose folder it is.`,
    );
  }
}

/** Files that root creates are private to root, so the server, which runs as the owner, could not use them. */
function refuseRootInForeignFolder({ name, path }: Folder, owned: string): void {
  const owner = findStats(owned)?.uid ?? 0;
  if (process.getuid?.() !== 0 || owner === 0) return;
  throw new StartError(
    `The ${name} ${path} belongs to the user with the id ${owner}, who could not use what root makes there. Run this as that user: sudo -u '#${owner}' …`,
  );
}
