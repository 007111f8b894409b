import { realpathSync, statfsSync } from 'node:fs';
import process from 'node:process';

/** Folders whose files a service copies to its servers while they change. */
const SERVICES: readonly (readonly [name: string, folder: RegExp])[] = [
  ['OneDrive', /[\\/]OneDrive( - [^\\/]+)?([\\/]|$)/i],
  ['Dropbox', /[\\/]Dropbox( \([^\\/]+\))?([\\/]|$)/i],
  ['Google Drive', /[\\/](Google ?Drive|My Drive)([\\/]|$)/i],
  ['iCloud Drive', /[\\/]Library[\\/]Mobile Documents([\\/]|$)/],
  ['a cloud storage', /[\\/]Library[\\/]CloudStorage([\\/]|$)/],
];

/** Types of network file systems on Linux: NFS, SMB, CIFS and SMB2. */
const NETWORK_TYPES = [0x6969, 0x517b, 0xff534d42, 0xfe534d42];

/**
 * Why a database is not safe in a folder, whose path has no links: a service copies its files while they change, or it is on a
 * server of files.
 *
 * @param type the file system's type as Linux numbers it; 0 elsewhere
 */
export function describeSynced(path: string, type = 0): string | undefined {
  const service = SERVICES.find(([, folder]) => folder.test(path));
  if (service !== undefined)
    return `is in ${service[0]}, which copies files while they change: the database may be damaged. Move it to another folder of this computer`;
  if (/^[\\/]{2}[^\\/?.]/.test(path) || NETWORK_TYPES.includes(type))
    return 'is on a network drive, where a lost connection may damage the database. Move it to a disk of this computer';
  return undefined;
}

/** {@link describeSynced} of a folder that may be missing. On Windows the path of a mapped drive becomes that of its share. */
export function whyUnsafe(path: string): string | undefined {
  try {
    const type = process.platform === 'linux' ? statfsSync(path).type : 0;
    return describeSynced(realpathSync.native(path), type);
  } catch {
    return describeSynced(path);
  }
}
