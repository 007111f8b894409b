import { test as base, type Page } from '@playwright/test';
import { Server } from '../processes/server.ts';
import { type Account, Api, registerUser } from './api.ts';

export { expect, type Page } from '@playwright/test';

/**
 * Console messages of the browser about refusals that the test causes deliberately. 'offline': a server that is stopping or
 * has stopped; 'trusted types': code that the content security policy blocks.
 */
export type ExpectedProblem = 401 | 403 | 404 | 409 | 412 | 413 | 422 | 429 | 'offline' | 'trusted types';

const isExpected = (text: string, expected: ReadonlySet<ExpectedProblem>): boolean =>
  [...expected].some((problem) =>
    problem === 'offline'
      ? /net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE)|a status of 503 /.test(text)
      : problem === 'trusted types'
        ? text.startsWith("This document requires 'Trusted")
        : text.includes(`the server responded with a status of ${problem} `),
  );

interface TestFixtures {
  /** A test that provokes refusals names them here; every other console message fails it. */
  expectedProblems: Set<ExpectedProblem>;
  /** A fresh account, registered but not signed in. */
  account: Account;
  /** The API as that account. */
  api: Api;
  /** A page signed in as that account. It is blank, since most tests open a screen other than Home. */
  staffPage: Page;
  /** A server of the test's own, for tests that need it empty or that stop it. */
  ownServer: Server;
}

interface WorkerFixtures {
  server: Server;
  /** The administrator of that server. The accounts of the tests are staff. */
  admin: Account;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are wanted from this pattern.
    async ({}, use) => {
      const server = await Server.start();
      await use(server);
      await server.dispose();
    },
    { scope: 'worker' },
  ],

  // Registered before any test begins, since the first account of a server becomes its administrator.
  admin: [
    async ({ server }, use) => use(await registerUser(server.url, 'Asad Admin')),
    { scope: 'worker', auto: true },
  ],

  ownServer: async ({ page }, use) => {
    const server = await Server.start();
    await use(server);
    // The page may still be fetching, so it is left before its server stops.
    await page.goto('about:blank');
    await server.dispose();
  },

  // biome-ignore lint/correctness/noEmptyPattern: as above.
  expectedProblems: async ({}, use) => use(new Set()),

  baseURL: ({ server }, use) => use(server.url),

  page: async ({ page, expectedProblems, server }, use, testInfo) => {
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(`page error: ${error.stack || error.message}`));
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

/**
 * Signs in without the form: puts the session of an account where the application keeps it, and leaves the page blank.
 * The application does not run on the blank page, so it writes nothing of its own.
 */
export async function signIn(page: Page, { token, user }: Account, url = ''): Promise<void> {
  const blank = { contentType: 'text/html', body: '<link rel="icon" href="data:,">' };
  await page.route('**/blank', (route) => route.fulfill(blank), { times: 1 });
  await page.goto(`${url}/blank`);
  await page.evaluate(
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
}
