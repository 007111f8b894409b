import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import process from 'node:process';
import { getReason, StartError } from '../start-error.ts';
import { makePrivate } from './private-folder.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Where a bundle may keep its data, the first choice first. It is never in the folder of the bundle, which an update replaces. */
export function possibleDataFolders(env: Env, platform: NodeJS.Platform, home: string): string[] {
  if (platform === 'win32') {
    return [
      win32.join(env.ProgramData ?? 'C:\\ProgramData', 'SIMS'),
      win32.join(env.LOCALAPPDATA ?? win32.join(home, 'AppData', 'Local'), 'SIMS'),
    ];
  }
  if (platform === 'darwin') return [posix.join(home, 'Library', 'Application Support', 'SIMS')];
  const shared = env.XDG_DATA_HOME;
  return [posix.join(shared?.startsWith('/') ? shared : posix.join(home, '.local', 'share'), 'sims')];
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The data folder of a bundle: the one that is there, or else the first that can be made.
 *
 * @param protect is called for a new folder, so that only its owner reads it
 * @throws StartError when one is there that belongs to somebody else: an empty one beside it would hide its records
 */
export function openDataFolder(
  folders: readonly string[],
  protect: (folder: string) => void = makePrivate,
): string {
  const present = folders.filter((folder) => existsSync(folder));
  const usable = present.find(isUsable);
  if (usable !== undefined) return usable;
  if (present[0] !== undefined) {
    throw new StartError(
      `The records of this computer are in ${present[0]}, which this user may not open. Start SIMS as the user who started it first, or set SIMS_DATA_DIR to another folder for records of your own.`,
    );
  }
  let reason: unknown;
  for (const folder of folders) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      reason ??= error;
      continue;
    }
    protect(folder);
    return folder;
  }
  throw new StartError(`The data folder ${folders[0]} can't be created: ${getReason(reason)}`);
}

/**
 * The data folder of this bundle, made where it is missing: the one of this computer, or the one that is named, of which the server says
 * what is wrong with it.
 */
export function findDataFolder(named = process.env.SIMS_DATA_DIR): string {
  if (named === undefined)
    return openDataFolder(possibleDataFolders(process.env, process.platform, homedir()));
  return existsSync(named) ? named : openDataFolder([named]);
}
