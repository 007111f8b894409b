import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseDatabaseUrl } from '../settings/database-url.ts';
import type { Settings } from '../settings/settings.ts';
import { StartError } from '../start-error.ts';

/** Where an installation's database is. */
export type DatabaseLocation =
  | { kind: 'sqlite'; folder: string }
  /** `isHeld`: the caller holds the exclusive lock. */
  | { kind: 'postgres'; url: string; isHeld?: boolean | undefined };

export type LocationSettings = Pick<Settings, 'databaseUrl' | 'dataDir' | 'backup'>;

/** The database that the settings name. */
export const getLocation = ({ databaseUrl, dataDir }: LocationSettings): DatabaseLocation =>
  databaseUrl === undefined ? { kind: 'sqlite', folder: dataDir } : { kind: 'postgres', url: databaseUrl };

const SQLITE = 'sqlite:';

/** Parses an option of the command line. Errors do not repeat its value, which may contain a password. */
export function parseLocation(option: string, text: string | undefined): DatabaseLocation {
  const folder = text?.startsWith(SQLITE) ? text.slice(SQLITE.length) : '';
  if (folder !== '') return { kind: 'sqlite', folder: realFolder(resolve(folder)) };
  if (!text?.startsWith('postgres')) {
    throw new StartError(
      `${option} must be sqlite:<data folder> or postgres://<user>:<password>@<host>/<database>.`,
    );
  }
  const read = parseDatabaseUrl(text);
  if ('fault' in read) throw new StartError(`${option} ${read.fault}`);
  return { kind: 'postgres', url: read.href };
}

/** Resolves symbolic links, so that one folder has one name. */
const realFolder = (folder: string) => (existsSync(folder) ? realpathSync(folder) : folder);

/** For messages: user name and password are removed. */
export function formatLocation(location: DatabaseLocation): string {
  if (location.kind === 'sqlite') return `${SQLITE}${location.folder}`;
  const { hostname, port, pathname } = new URL(location.url);
  return `postgres://${hostname}:${port || '5432'}${pathname}`;
}
