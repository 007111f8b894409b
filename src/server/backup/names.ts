import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Why a backup was made; those that were asked for have no such word in their names. */
export type Occasion = 'asked' | 'scheduled' | 'before-migration' | 'before-restore';

export interface NamedBackup {
  file: string;
  madeAt: Date;
  occasion: Occasion;
  /** It was named while a clock was ahead. */
  isOfFuture: boolean;
}

const NAME =
  /^sims-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)(?:-(scheduled|before-migration|before-restore))?\.backup$/;

/** What a backup is called unless somebody names it: names in the order of the alphabet are in that of time. */
export function backupName(madeAt: Date, occasion: Occasion): string {
  const stamp = madeAt.toISOString().replaceAll(':', '-');
  return `sims-${stamp}${occasion === 'asked' ? '' : `-${occasion}`}.backup`;
}

/**
 * The backups of a folder that the product has named, the latest first, those of the future after all others; none where there is
 * no such folder.
 */
export async function backupsIn(folder: string): Promise<NamedBackup[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .flatMap((name) => {
      const [, day, hours, minutes, seconds, occasion = 'asked'] = NAME.exec(name) ?? [];
      if (day === undefined) return [];
      const madeAt = new Date(`${day}${hours}:${minutes}:${seconds}`);
      const isOfFuture = madeAt.getTime() > Date.now();
      return [{ file: join(folder, name), madeAt, occasion: occasion as Occasion, isOfFuture }];
    })
    .toSorted(
      (a, b) => Number(a.isOfFuture) - Number(b.isOfFuture) || b.madeAt.getTime() - a.madeAt.getTime(),
    );
}
