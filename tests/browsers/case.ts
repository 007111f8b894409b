import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Account, Api } from '../support/api.ts';
import type { Engine } from './engines/driver.ts';
import type { Target } from './page/probe.ts';
import type { Site } from './page/site.ts';
import { css, type Tab } from './page/tab.ts';

/** What a case works with. All engines use one server, with the sample faculty. */
export interface Context {
  engine: Engine['name'];
  tab: Tab;
  /** The address of the server for this engine alone. */
  site: Site;
  /** The administrator, who is signed in. */
  admin: Api;
  /** A member of staff. */
  staff: Api;
  adminPassword: string;
  /** With the role of a teacher, and no sheet of their own. */
  teacher: Account;
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

const SETTLES_WITHIN_MS = 20_000;

/** A field by its name in the form. */
export const input = (name: string): Target => css(`[name="${name}"]`);

/** Waits for a file in the folder of downloads. @returns its bytes as characters */
export async function untilSaved({ tab, downloads }: Context, pattern: RegExp): Promise<string> {
  return tab.wait(`a file like ${pattern} is saved`, async () => {
    const names = await readdir(downloads).catch(() => []);
    const name = names.find((one) => pattern.test(one));
    if (name === undefined) return '';
    const file = path.join(downloads, name);
    const text = await readFile(file, 'latin1');
    // Otherwise the next one of this name would be numbered.
    if (text !== '') await rm(file);
    return text;
  });
}

/** Puts the session of an account where the application keeps it. */
export async function openSession(tab: Tab, { token, user }: Account): Promise<void> {
  await tab.driver.goto(new URL('/theme.js', tab.site.url).href);
  const session = {
    'AUTH-TOKEN': token,
    'CURRENT-USER-ID': String(user.id),
    'CURRENT-USER-EMAIL': user.email,
    'CURRENT-USER-NAME': user.name,
    'CURRENT-USER-ROLE': user.role,
    'VISITED-PATH': '/',
  };
  await tab.run((session) => {
    localStorage.clear();
    sessionStorage.clear();
    for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value);
  }, session);
  await tab.goto('/');
}

/** Notes what is misplaced on the page, in one theme or several, once it has settled. */
export async function checkPlaces(
  { tab, must }: Context,
  where: string,
  themes: readonly string[] = ['light'],
): Promise<void> {
  let found: string[] = [];
  const look = () =>
    tab.run(
      (themes) =>
        themes.flatMap((theme) => {
          document.documentElement.dataset.theme = theme;
          return window.probe.findMisplaced().map((problem) => `${problem} (${theme})`);
        }),
      themes,
    );
  await tab
    .wait(
      'nothing is misplaced',
      async () => {
        found = await look();
        return found.length === 0;
      },
      SETTLES_WITHIN_MS,
    )
    .catch((error) => {
      if (found.length === 0) throw error;
    });
  must(found.length === 0, `${where}: ${found.length} misplaced: ${found.slice(0, 4).join('; ')}`);
}
