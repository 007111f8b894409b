import { createServer } from 'node:net';
import { registerUser } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, type Page, test } from '../../support/browser/fixtures.ts';
import { field, password } from '../../support/browser/forms.ts';
import { expectNoSidewaysScrolling } from '../../support/browser/screens.ts';
import { Server } from '../../support/processes/server.ts';
import { OpenIdProvider } from '../../support/services/openid-provider.ts';

const signInWithProvider = async (page: Page, person: string) => {
  await page.getByRole('button', { name: 'Sign in with Faculty ID' }).click();
  await page.getByLabel('Who are you?').fill(person);
  await page.getByRole('button', { name: 'Continue' }).click();
};

/** The provider needs the redirect URL, and with it the port, before the server starts. */
const getFreePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

test('people sign in with a provider, connect an existing account with its password, and see when the provider is down', async ({
  browser,
  expectedProblems,
  page,
}) => {
  expectedProblems.add(401).add(422).add('offline');
  const port = await getFreePort();
  const publicUrl = new URL(`http://127.0.0.1:${port}`);
  const openId = await OpenIdProvider.start(publicUrl);
  const { issuer, clientId, clientSecret, name } = openId.settings;
  const server = await Server.start({
    PORT: String(port),
    SIMS_OIDC_ISSUER: issuer.href,
    SIMS_OIDC_CLIENT_ID: clientId,
    SIMS_OIDC_CLIENT_SECRET: clientSecret,
    SIMS_OIDC_NAME: name,
  });
  try {
    const admin = await registerUser(server.url, 'Asad Admin');
    openId.people.set('zara', { email: 'zara@faculty.example', email_verified: true, name: 'Zara Khan' });
    openId.people.set('asad', { email: admin.user.email, email_verified: true, name: 'Asad' });
    openId.people.set('guest', { email: 'guest@faculty.example', email_verified: false, name: 'Guest' });

    await page.goto(`${server.url}/login`);
    await expect(page.getByRole('button', { name: 'Sign in with Faculty ID' })).toBeVisible();
    await expectNoSeriousAxeFindings(page);
    await signInWithProvider(page, 'zara');
    await expect(page).toHaveURL(`${server.url}/`);
    await expect(page.getByRole('banner').getByText('Zara Khan')).toBeVisible();
    expect(server.logs).not.toContain(await page.evaluate(() => sessionStorage.getItem('AUTH-TOKEN')));

    // A second browser, without a session at the provider.
    const context = await browser.newContext({
      viewport: { width: 320, height: 640 },
      colorScheme: 'dark',
    });
    const other = await context.newPage();
    await other.goto(`${server.url}/login`);
    await signInWithProvider(other, 'guest');
    await expect(other.getByRole('alert')).toContainText('not verified');
    await expect(other).toHaveURL(`${server.url}/login`);
    await expectNoSidewaysScrolling(other);
    await context.clearCookies();
    await signInWithProvider(other, 'asad');
    await expect(password(other)).toBeFocused();
    await expect(other.locator('[aria-invalid]')).toHaveCount(0);
    await expect(other).toHaveURL(`${server.url}/login`);
    await expectNoSeriousAxeFindings(other);
    await expectNoSidewaysScrolling(other);
    await password(other).fill('not my password');
    await other.keyboard.press('Enter');
    await expect(other.getByRole('alert')).toHaveText('Incorrect password entered');
    await password(other).fill(admin.password);
    await other.keyboard.press('Enter');
    await expect(other).toHaveURL(`${server.url}/`);
    expect(await other.evaluate(() => sessionStorage.getItem('CURRENT-USER-ID'))).toBe(String(admin.user.id));
    await context.close();

    await openId.stop();
    await server.restart();
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(`${server.url}/login`);
    await field(page, 'Email').fill('zara@faculty.example');
    await page.getByRole('button', { name: 'Sign in with Faculty ID' }).click();
    await expect(page.getByRole('alert')).toHaveText(
      'Faculty ID can’t be reached right now. Try again in a moment, or sign in with email and password.',
    );
    await expect(field(page, 'Email')).toHaveValue('zara@faculty.example');
    await expectNoSeriousAxeFindings(page);
  } finally {
    // Leaves the page first, so that its pending requests do not fail when the server stops.
    await page.goto('about:blank');
    await server.dispose();
  }
});
