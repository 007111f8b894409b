import { lastGood } from '../backup/schedule.ts';
import type { Db } from '../db/schema.ts';
import { type Metric, single } from './exposition.ts';

/** How long ago the latest good backup was begun, by whichever process; left out while the database can't say. */
export async function backupMetrics(db: Db): Promise<Metric[]> {
  const help =
    'Seconds since the latest scheduled backup that came out well was begun; infinite before the first.';
  try {
    const good = await lastGood(db);
    const age = good === undefined ? Number.POSITIVE_INFINITY : Math.max(0, (Date.now() - good) / 1_000);
    return [single('gauge', 'sims_backup_age_seconds', help, age)];
  } catch {
    return [];
  }
}
