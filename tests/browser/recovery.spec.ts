import { createServer } from 'node:net';
import { expectNoSeriousAxeFindings } from '../support/browser/accessibility.ts';
import { Api } from '../support/browser/api.ts';
import { test as base, expect, type Page } from '../support/browser/fixtures.ts';
import { field, password } from '../support/browser/forms.ts';
import { expectNoSidewaysScrolling, expectScreen } from '../support/browser/screens.ts';
import { Server } from '../support/processes/server.ts';
import { linkIn, MailServer } from '../support/services/mail-server.ts';

/** Mailed links contain the public URL, so the port has to be known before the server starts. */
function getFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

async function startServerWithMail(smtpUrl: URL): Promise<Server> {
  const port = await getFreePort();
  return Server.start({
    PORT: String(port),
    SIMS_SMTP_URL: smtpUrl.href,
    SIMS_PUBLIC_URL: `http://127.0.0.1:${port}`,
    SIMS_REGISTRATION: 'open',
  });
}

const NEW_PASSWORD = 'four dry umbrellas';
const LINK_REQUESTED = 'If there is an account with this address, a recovery link will be sent to it.';

const newPassword = (page: Page) => page.getByLabel(/^New Password\*?$/);
const updateButton = (page: Page) => page.getByRole('button', { name: 'Update Password' });

/** Everything stored in the tab: its URL, its history state, its session storage and its local storage. */
const readTabState = (page: Page) =>
  page.evaluate(() =>
    JSON.stringify([location.href, history.state, { ...sessionStorage }, { ...localStorage }]),
  );

base.describe('without a mail server', () => {
  // Covers 2.19, 2.73, 2.77
  base('the recovery pages are placeholders that make no request', async ({ page }) => {
    const calls: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api')) calls.push(request.url());
    });
    await page.goto('/forgot-password');
    await expect(page.getByRole('heading', { name: 'Recover Password' })).toBeVisible();
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page).toHaveURL('/login');
    await expect(page.getByRole('status')).toHaveText(
      'A recovery link will be sent to this email. (Feature in progress)',
    );
    await page.goto('/password-recovery?token=abc');
    await expect(page.getByRole('main')).toHaveText('please help');
    await expect(page.locator('input')).toHaveCount(0);
    expect(calls).toEqual([]);
  });

  // Covers 2.77
  base('the placeholder is shown to signed-in users too', async ({ staffPage: page }) => {
    await page.goto('/password-recovery');
    await expect(page.getByText('please help', { exact: true })).toBeVisible();
    await expect(page).toHaveURL('/password-recovery');
  });
});

const test = base.extend<object, { mails: MailServer }>({
  mails: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the requested fixtures from this pattern.
    async ({}, use) => {
      const mails = await MailServer.start();
      await use(mails);
      await mails.stop();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ mails }, use) => {
      const server = await startServerWithMail(mails.url);
      await use(server);
      await server.dispose();
    },
    { scope: 'worker' },
  ],
});

/** Requests a recovery link through the API and returns the one in the mail. */
async function requestLink(server: Server, mails: MailServer, email: string): Promise<string> {
  const before = mails.mailsTo(email).length;
  await new Api(server.url).post('/api/forgot-password', { email });
  return linkIn(await mails.mailTo(email, before + 1)).href;
}

// Covers 2.78
test('a forgotten password is replaced through the mailed link', async ({ page, account, mails }) => {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expectScreen(page, 'Recover Password');
  await field(page, 'Email').fill(account.user.email);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('status')).toHaveText(LINK_REQUESTED);

  const link = linkIn(await mails.mailTo(account.user.email));
  await page.goto(link.href);
  await expect(page.getByRole('heading', { name: 'Set a New Password' })).toBeVisible();
  await newPassword(page).fill(NEW_PASSWORD);
  await expect(newPassword(page)).toHaveAttribute('type', 'password');
  const showButtons = page.getByRole('button', { name: 'Show password' });
  await showButtons.first().click();
  await expect(newPassword(page)).toHaveAttribute('type', 'text');
  await expect(password(page, 'Confirm Password')).toHaveAttribute('type', 'password');
  await password(page, 'Confirm Password').fill(NEW_PASSWORD);
  await updateButton(page).click();

  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('status')).toHaveText('The password has been set. Sign in with it.');
  await expectScreen(page, 'Login');
  await field(page, 'Email').fill(account.user.email);
  await password(page).fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();
});

test('the token is removed from the URL and stored nowhere in the tab', async ({
  page,
  account,
  server,
  mails,
}) => {
  const link = await requestLink(server, mails, account.user.email);
  const token = new URL(link).searchParams.get('token') ?? 'no token';
  await page.goto('/login');
  await page.goto(link);
  await newPassword(page).fill(NEW_PASSWORD);
  await expect(page).toHaveURL('/password-recovery');
  expect(await readTabState(page)).not.toContain(token);
  await expect
    .poll(() => page.evaluate(() => sessionStorage.getItem('VISITED-PATH')))
    .toBe('/password-recovery');

  await page.getByRole('link', { name: 'Sign in.' }).click();
  await expect(page).toHaveURL('/login');
  await expectScreen(page, 'Login');
  await page.goBack();
  await expect(page).toHaveURL('/password-recovery');
  await expect(page.getByRole('link', { name: 'Ask for a new link' })).toBeVisible();
  expect(await readTabState(page)).not.toContain(token);
});

test('an invalid new password is reported at its field, and the link stays valid', async ({
  page,
  account,
  server,
  mails,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  await page.goto(await requestLink(server, mails, account.user.email));
  await updateButton(page).click();
  await expect(newPassword(page)).toHaveAccessibleDescription(/^Required/);
  await expect(password(page, 'Confirm Password')).toHaveAccessibleDescription('Required');

  await newPassword(page).fill(NEW_PASSWORD);
  await password(page, 'Confirm Password').fill('five dry umbrellas');
  await updateButton(page).click();
  await expect(password(page, 'Confirm Password')).toHaveAccessibleDescription(
    'The password confirmation does not match.',
  );
  await expect(newPassword(page)).not.toHaveAttribute('aria-invalid');

  await newPassword(page).fill('iloveyou1');
  await password(page, 'Confirm Password').fill('iloveyou1');
  await updateButton(page).click();
  await expect(newPassword(page)).toHaveAccessibleDescription(
    /The password must not be one of the common passwords\./,
  );
  await newPassword(page).fill(NEW_PASSWORD);
  await password(page, 'Confirm Password').fill(NEW_PASSWORD);
  await updateButton(page).click();
  await expect(page).toHaveURL('/login');
});

test('a used link shows an error above the form, with a link to request another', async ({
  page,
  account,
  server,
  mails,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const link = await requestLink(server, mails, account.user.email);
  await new Api(server.url).post('/api/reset-password', {
    token: new URL(link).searchParams.get('token'),
    password: NEW_PASSWORD,
    password_confirmation: NEW_PASSWORD,
  });
  await page.goto(link);
  await newPassword(page).fill('five dry umbrellas');
  await password(page, 'Confirm Password').fill('five dry umbrellas');
  await updateButton(page).click();
  await expect(page.getByRole('alert')).toContainText('This link is no longer valid.');
  await page.getByRole('alert').getByRole('link', { name: 'Ask for a new link' }).click();
  await expect(page).toHaveURL('/forgot-password');
});

test('the page without a token links to the request form, which reports an invalid email at its field', async ({
  page,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  await page.goto('/password-recovery');
  await expect(page.getByText('Open the link in the mail that was sent to you.')).toBeVisible();
  await page.getByRole('link', { name: 'Ask for a new link' }).click();
  await expect(page).toHaveURL('/forgot-password');
  await expectScreen(page, 'Recover Password');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(field(page, 'Email')).toHaveAccessibleDescription('Required');
  await field(page, 'Email').fill('nobody');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(field(page, 'Email')).toHaveAccessibleDescription('The email must be an email address.');
  await expect(page).toHaveURL('/forgot-password');
});

test('a signed-in user can use a link and has to sign in again', async ({
  staffPage: page,
  account,
  server,
  mails,
}) => {
  await page.goto('/password-recovery');
  await expect(page.getByRole('link', { name: 'Change it in Your Profile' })).toHaveAttribute(
    'href',
    '/list-users',
  );
  await page.goto(await requestLink(server, mails, account.user.email));
  await expect(page.getByRole('link', { name: 'Home' })).toBeVisible();
  await newPassword(page).fill(NEW_PASSWORD);
  await password(page, 'Confirm Password').fill(NEW_PASSWORD);
  await updateButton(page).click();
  await expect(page.getByRole('heading', { name: 'Welcome to the Login Page' })).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('The password has been set. Sign in with it.');
  expect(await page.evaluate(() => sessionStorage.getItem('AUTH-TOKEN'))).toBeNull();
});

test('a server keeps running when it cannot reach its mail server', async ({ page }) => {
  const mailServer = await MailServer.start();
  await mailServer.stop();
  const server = await startServerWithMail(mailServer.url);
  try {
    const email = 'sana@faculty.example';
    const account = {
      name: 'Sana Malik',
      email,
      password: NEW_PASSWORD,
      password_confirmation: NEW_PASSWORD,
    };
    await new Api(server.url).post('/api/register', account);
    await page.goto(`${server.url}/forgot-password`);
    await field(page, 'Email').fill(email);
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByRole('status')).toHaveText(LINK_REQUESTED);
    await expect.poll(() => server.logs).toContain('recovery mail not sent');
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
  } finally {
    // Leaves the page first, so that its pending requests do not fail when the server stops.
    await page.goto('about:blank');
    await server.dispose();
  }
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`in the ${colorScheme} theme the recovery form and its errors are accessible and fit 320 pixels`, async ({
    page,
    expectedProblems,
  }) => {
    expectedProblems.add(422);
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto('/password-recovery');
    await expectNoSeriousAxeFindings(page);
    await page.goto('/password-recovery?token=spent');
    await updateButton(page).click();
    await expect(newPassword(page)).toHaveAttribute('aria-invalid', 'true');
    await expectNoSeriousAxeFindings(page);
    await newPassword(page).fill(NEW_PASSWORD);
    await password(page, 'Confirm Password').fill(NEW_PASSWORD);
    await updateButton(page).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await expectNoSeriousAxeFindings(page);
    await expectNoSidewaysScrolling(page);
  });
}
