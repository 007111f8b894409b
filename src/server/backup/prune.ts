import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { backupsIn } from './names.ts';

/** What a process that was ended without warning has left half made is in nobody's hands after two days. */
const ABANDONED = 48 * 3_600_000;

/**
 * Removes scheduled backups but the latest so many. Called when one has just come out well, which is the latest; files that
 * somebody asked for or named, and those from before a migration or a restore, stay.
 */
export async function removeSurplus(dir: string, keep: number): Promise<void> {
  const scheduled = (await backupsIn(dir)).filter(({ occasion }) => occasion === 'scheduled');
  for (const { file } of scheduled.slice(keep)) await rm(file, { force: true });
  for (const name of await readdir(dir)) {
    const [, stamp] = /^sims-(.+)-scheduled\.backup\.partial-\w+$/.exec(name) ?? [];
    const day = Date.parse(stamp?.slice(0, 10) ?? '');
    if (Date.now() - day > ABANDONED) await rm(join(dir, name), { recursive: true, force: true });
  }
}

/** Removes what is left of a backup that was broken off. */
export async function removePartials(file: string): Promise<void> {
  for (const name of await readdir(dirname(file)).catch(() => [])) {
    if (!name.startsWith(`${basename(file)}.partial-`)) continue;
    await rm(join(dirname(file), name), { recursive: true, force: true });
  }
}
