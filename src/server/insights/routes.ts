import { insightCalls } from '../../contract/insights.ts';
import { LOW_CGPA, STEEP_FALL } from '../../domain/grading/cgpa-bins.ts';
import type { App, Deps } from '../app-types.ts';
import { bindCalls } from '../http/handle.ts';
import { readDatabaseFor } from '../http/hooks/read-your-writes.ts';
import {
  countClasses,
  countSgpaDrops,
  countStandings,
  findLowCgpas,
  groupCgpas,
  readPassRates,
} from './queries.ts';

/** Statistics over the active students, one call per panel of the screen. */
export function insightRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, insightCalls);

  handle('GET /api/insights/cgpas', async ({ query: { split = 'department' }, request }) => ({
    split,
    groups: await groupCgpas(await readDatabaseFor(db, request), split),
  }));

  handle('GET /api/insights/low-cgpas', async ({ query: { cgpa_below = LOW_CGPA }, request }) => ({
    cgpa_below,
    departments: await findLowCgpas(await readDatabaseFor(db, request), cgpa_below),
  }));

  handle('GET /api/insights/falls', async ({ query: { fell_by = STEEP_FALL }, request }) => ({
    fell_by,
    departments: await countSgpaDrops(await readDatabaseFor(db, request), fell_by),
  }));

  handle('GET /api/insights/pass-rates', async ({ request }) =>
    readPassRates(await readDatabaseFor(db, request)),
  );

  handle('GET /api/insights/class-sizes', async ({ request }) =>
    countClasses(await readDatabaseFor(db, request)),
  );

  handle('GET /api/insights/standings', async ({ request }) =>
    countStandings(await readDatabaseFor(db, request)),
  );
}
