import { homeCalls } from '../../contract/home.ts';
import type { App, Deps } from '../app-types.ts';
import { bindCalls } from '../http/handle.ts';
import { readDatabaseFor } from '../http/hooks/read-your-writes.ts';
import { readHome } from './home.ts';

/** The first screen: what is waiting for the person who is signed in. */
export function homeRoutes(app: App, { db, settings }: Deps): void {
  const handle = bindCalls(app, homeCalls);

  handle('GET /api/home', async ({ query: { opened = [] }, actor, request }) =>
    readHome(await readDatabaseFor(db, request), actor, { opened, backup: settings.backup }),
  );
}
