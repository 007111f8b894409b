import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { readDatabaseAddress } from '../../database-address.ts';
import type { Settings } from '../../settings.ts';
import { StartError } from '../../start-error.ts';

/** Where an installation's database is. */
export type Place =
  | { kind: 'sqlite'; folder: string }
  /** One that `isHeld` is kept from all other processes by who passes it on. */
  | { kind: 'postgres'; url: string; isHeld?: boolean | undefined };

export type PlaceSettings = Pick<Settings, 'databaseUrl' | 'dataDir' | 'backup'>;

/** Where the settings have it. */
export const placeOf = ({ databaseUrl, dataDir }: PlaceSettings): Place =>
  databaseUrl === undefined ? { kind: 'sqlite', folder: dataDir } : { kind: 'postgres', url: databaseUrl };

const SQLITE = 'sqlite:';

/** Reads what an option says. Nothing of what is wrong is repeated: it may hold a password. */
export function readPlace(option: string, text: string | undefined): Place {
  const folder = text?.startsWith(SQLITE) ? text.slice(SQLITE.length) : '';
  if (folder !== '') return { kind: 'sqlite', folder: realFolder(resolve(folder)) };
  if (!text?.startsWith('postgres')) {
    throw new StartError(
      `${option} must be sqlite:<data folder> or postgres://<user>:<password>@<host>/<database>.`,
    );
  }
  const read = readDatabaseAddress(text);
  if ('fault' in read) throw new StartError(`${option} ${read.fault}`);
  return { kind: 'postgres', url: read.href };
}

/** One folder may have several names. */
const realFolder = (folder: string) => (existsSync(folder) ? realpathSync(folder) : folder);

/** The place as it is told of: without name and password. */
export function labelOf(place: Place): string {
  if (place.kind === 'sqlite') return `${SQLITE}${place.folder}`;
  const { hostname, port, pathname } = new URL(place.url);
  return `postgres://${hostname}:${port || '5432'}${pathname}`;
}
