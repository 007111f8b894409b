import { rm } from 'node:fs/promises';
import { backupsIn } from './names.ts';

/**
 * Removes scheduled backups but the latest so many, among them the one that has just been `made`. Files that somebody asked for or
 * named stay, and those from before a migration or a restore. So do those of the future, from when a clock was ahead: they
 * are not known to be newer than any other.
 */
export async function removeSurplus(dir: string, keep: number, made: string): Promise<void> {
  const others = (await backupsIn(dir)).filter(
    ({ file, occasion, isOfFuture }) => occasion === 'scheduled' && !isOfFuture && file !== made,
  );
  for (const { file } of others.slice(keep - 1)) await rm(file, { force: true });
}
