import {
  type BrowserContext,
  test as base,
  type Frame,
  type Page,
  type PlaywrightTestOptions,
} from '@playwright/test';
import { type Account, Api, registerUser } from '../api.ts';
import { startWithSharedFaculty } from '../processes/sample-faculty.ts';
import { Server } from '../processes/server.ts';

export { expect, type Page } from '@playwright/test';

/**
 * Console messages of the browser about refusals that the test causes deliberately. 'offline': no network, or a server that is
 * stopping or has stopped; 'trusted types': code that the content security policy blocks.
 */
export type ExpectedProblem =
  | 401
  | 403
  | 404
  | 409
  | 412
  | 413
  | 422
  | 429
  | 'offline'
  | 'trusted types'
  | 'page error';

const isExpected = (text: string, expected: ReadonlySet<ExpectedProblem>): boolean =>
  [...expected].some((problem) =>
    problem === 'offline'
      ? /net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INTERNET_DISCONNECTED)|a status of 503 /.test(
          text,
        )
      : problem === 'trusted types'
        ? text.startsWith("This document requires 'Trusted")
        : text.includes(`the server responded with a status of ${problem} `),
  );

interface TestFixtures {
  /**
   * Whether the test has a browser context of its own instead of a tab in that of its worker, whose cache of scripts saves half of
   * the time of loading a page. Cookies and storage are cleared between tests; what else is set on a context, such as its clock, is not.
   */
  ownContext: boolean;
  /** A test that provokes refusals names them here; every other console message fails it. */
  expectedProblems: Set<ExpectedProblem>;
  /** A fresh account, registered but not signed in. */
  account: Account;
  /** The API as that account. */
  api: Api;
  /** A page that is signed in as that account when it opens its first screen. */
  staffPage: Page;
  /** A server of the test's own, for tests that need it empty or change what holds for all. Starting it and filling the cache takes 1 s of CPU. */
  ownServer: Server;
}

interface WorkerFixtures {
  /** With the sample faculty. A test that stops it starts it again. */
  server: Server;
  /** The administrator of that server. The accounts of the tests are staff. */
  admin: Account;
  /** The context of a worker, with a tab that stays open, so that the process that has run the scripts stays, too. */
  sharedContext: BrowserContext;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are wanted from this pattern.
    async ({}, use) => {
      const server = await startWithSharedFaculty();
      await use(server);
      await server.dispose();
    },
    { scope: 'worker' },
  ],

  // Registered before any test begins, since the first account of a server becomes its administrator.
  admin: [
    async ({ server }, use) => {
      const admin = await registerUser(server.url, 'Asad Admin');
      await new Api(server.url, admin.token).nameInstitution();
      await use(admin);
    },
    { scope: 'worker', auto: true },
  ],

  sharedContext: [
    async ({ browser, server }, use, { project }) => {
      const context = await browser.newContext(contextOptions(project.use, server));
      await (await context.newPage()).goto('/api/health');
      await use(context);
      await context.close();
    },
    { scope: 'worker' },
  ],

  ownContext: [false, { option: true }],

  context: async ({ browser, sharedContext, server, ownContext }, use, testInfo) => {
    if (ownContext) {
      const context = await browser.newContext(contextOptions(testInfo.project.use, server));
      await use(context);
      await context.close();
      return;
    }
    const [, ...tabs] = sharedContext.pages();
    if (tabs.length > 0) throw new Error('A test before has left tabs open.');
    const origins = new Set<string>();
    const remember = (frame: Frame) => origins.add(new URL(frame.url()).origin);
    const watch = (page: Page) => page.on('framenavigated', remember);
    sharedContext.on('page', watch);
    await use(sharedContext);
    sharedContext.off('page', watch);
    // Its worker ends with a failed test, and its tabs are needed for screenshots.
    if (testInfo.status === testInfo.expectedStatus) await clear(sharedContext, origins);
  },

  ownServer: async ({ page }, use) => {
    const server = await Server.start();
    await use(server);
    // The page may still be fetching, so it is left before its server stops.
    await page.goto('about:blank');
    await server.dispose();
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are wanted from this pattern.
  expectedProblems: async ({}, use) => use(new Set()),

  baseURL: ({ server }, use) => use(server.url),

  page: async ({ page, expectedProblems, server, ownContext }, use, testInfo) => {
    if (!ownContext) Object.defineProperty(page, 'clock', { get: clockIsShared });
    const problems: string[] = [];
    page.on('pageerror', (error) => {
      if (!expectedProblems.has('page error')) problems.push(`page error: ${error.stack || error.message}`);
    });
    page.on('console', (message) => {
      const kind = message.type();
      if (kind !== 'error' && kind !== 'warning') return;
      if (!isExpected(message.text(), expectedProblems)) problems.push(`console ${kind}: ${message.text()}`);
    });
    await use(page);
    if (testInfo.status !== testInfo.expectedStatus) {
      await testInfo.attach('server log', { body: server.logs.slice(-20_000), contentType: 'text/plain' });
    }
    base.expect(problems, 'what the page complained of').toEqual([]);
  },

  account: async ({ server }, use) => use(await registerUser(server.url)),

  api: ({ server, account }, use) => use(new Api(server.url, account.token)),

  staffPage: async ({ page, account }, use) => {
    await signIn(page, account);
    await use(page);
  },
});

/** The same for tests that stop the clock, which is of the browser context. */
export const clockTest = test.extend({ ownContext: true });

const contextOptions = (
  { contextOptions, viewport, locale }: Partial<PlaywrightTestOptions>,
  { url }: Server,
) => ({
  ...contextOptions,
  ...(viewport !== undefined && { viewport }),
  ...(locale !== undefined && { locale }),
  baseURL: url,
});

function clockIsShared(): never {
  throw new Error('The clock is of the browser context: use `clockTest`.');
}

/** Closes the tabs of a test, and removes what it stored. The HTTP cache remains. */
async function clear(context: BrowserContext, origins: Iterable<string>): Promise<void> {
  const [first, ...tabs] = context.pages();
  if (first === undefined) throw new Error('The first tab was closed.');
  await Promise.all(tabs.map((tab) => tab.close()));
  const session = await context.newCDPSession(first);
  for (const origin of origins) {
    if (origin !== 'null') await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  }
  await session.detach();
  await context.clearCookies();
}

/** Waits until a dialog that has closed has taken its history entry back. Going back would cancel a navigation begun before. */
export async function waitForHistory(page: Page): Promise<void> {
  // As text, since the benchmarks that share this file are compiled without the types of a browser. The page itself evaluates none.
  const isSettled = "document.querySelector('dialog[open]') !== null || !history.state?.dialogs";
  // Rejected while another document is loaded.
  await base.expect.poll(() => page.evaluate<boolean>(isSettled).catch(() => false)).toBe(true);
}

/** Signs in without the form: puts the session of an account where the application keeps it, when the next page is opened. */
export async function signIn(page: Page, { token, user }: Account): Promise<void> {
  if (page.url() !== 'about:blank') {
    await waitForHistory(page);
    // Without it, opening another fragment of the same page would not load it again.
    await page.goto('about:blank');
  }
  const script = await page.addInitScript(
    (entries) => {
      for (const [key, value] of entries) sessionStorage.setItem(key, value);
    },
    [
      ['AUTH-TOKEN', token],
      ['CURRENT-USER-ID', String(user.id)],
      ['CURRENT-USER-EMAIL', user.email],
      ['CURRENT-USER-NAME', user.name],
      ['CURRENT-USER-ROLE', user.role],
      ['VISITED-PATH', '/'],
    ] as const,
  );
  page.once('load', () => script.dispose());
}
