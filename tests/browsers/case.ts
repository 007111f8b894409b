import type { Account, Api } from '../support/api.ts';
import type { Server } from '../support/processes/server.ts';
import type { Target } from './page/probe.ts';
import type { Site } from './page/site.ts';
import { css, type Tab } from './page/tab.ts';

/** What a case works with. The server is that of its engine, with the sample faculty. */
export interface Context {
  tab: Tab;
  server: Server;
  site: Site;
  /** The administrator, who is signed in. */
  admin: Api;
  /** A member of staff. */
  staff: Api;
  staffAccount: Account;
  /** Where the browser saves files. */
  downloads: string;
  /** By keys where the engine lets digits pass from one part of the field to the next. */
  typeDate: (target: Target, iso: string) => Promise<void>;
  /** Notes a problem that does not end the case. */
  must: (isRight: boolean, problem: string) => void;
}

export interface Case {
  name: string;
  run: (context: Context) => Promise<void>;
}

/** A field by its name in the form. */
export const input = (name: string): Target => css(`[name="${name}"]`);

/** Notes what is misplaced on the page, once it has settled. */
export async function checkPlaces({ tab, must }: Context, where: string): Promise<void> {
  let found: string[] = [];
  await tab
    .wait(
      'nothing is misplaced',
      async () => {
        found = await tab.run(() => window.probe.findMisplaced());
        return found.length === 0;
      },
      8_000,
    )
    .catch((error) => {
      if (found.length === 0) throw error;
    });
  must(found.length === 0, `${where}: ${found.length} misplaced: ${found.slice(0, 4).join('; ')}`);
}
