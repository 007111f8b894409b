import { createServer } from 'node:net';
import { Api, registerUser } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { test as base, expect, type Page } from '../../support/browser/fixtures.ts';
import { field, password } from '../../support/browser/forms.ts';
import { expectNoSidewaysScrolling, expectScreen, follow } from '../../support/browser/screens.ts';
import { Server } from '../../support/processes/server.ts';
import { linkIn, MailServer, tokenIn } from '../../support/services/mail-server.ts';

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

async function submitPassword(page: Page, text: string, confirmation = text): Promise<void> {
  await newPassword(page).fill(text);
  await password(page, 'Confirm Password').fill(confirmation);
  await updateButton(page).click();
}

/** Everything stored in the tab: its URL, its history state, its session storage and its local storage. */
const readTabState = (page: Page) =>
  page.evaluate(() =>
    JSON.stringify([location.href, history.state, { ...sessionStorage }, { ...localStorage }]),
  );

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
async function requestLink(server: Server, mails: MailServer, email: string): Promise<URL> {
  const before = mails.mailsTo(email).length;
  await new Api(server.url).post('/api/forgot-password', { email });
  return linkIn(await mails.mailTo(email, before + 1));
}

// Covers 2.78
test('a forgotten password is replaced through the mailed link, whose token is stored nowhere in the tab', async ({
  page,
  account,
  mails,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const { email } = account.user;
  const submit = () => page.getByRole('button', { name: 'Submit' }).click();
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expectScreen(page, 'Recover Password');

  await test.step('an invalid email is reported at its field', async () => {
    await submit();
    await expect(field(page, 'Email')).toHaveAccessibleDescription('Required');
    await field(page, 'Email').fill('nobody');
    await submit();
    await expect(field(page, 'Email')).toHaveAccessibleDescription('The email must be an email address.');
    await expect(page).toHaveURL('/forgot-password');
  });

  await field(page, 'Email').fill(email);
  await submit();
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('status')).toHaveText(LINK_REQUESTED);
  const link = linkIn(await mails.mailTo(email));

  await test.step('the token is removed from the URL and stored nowhere in the tab', async () => {
    const token = tokenIn(link);
    await page.goto(link.href);
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

  await follow(page, '/login');
  // As the links of earlier versions have it.
  await follow(page, `${link.pathname}?token=${tokenIn(link)}`);
  await expect(page.getByRole('heading', { name: 'Set a New Password' })).toBeVisible();

  await test.step('an invalid new password is reported at its field, and the link stays valid', async () => {
    await updateButton(page).click();
    await expect(newPassword(page)).toHaveAccessibleDescription(/^Required/);
    await expect(password(page, 'Confirm Password')).toHaveAccessibleDescription('Required');

    await submitPassword(page, NEW_PASSWORD, 'five dry umbrellas');
    await expect(password(page, 'Confirm Password')).toHaveAccessibleDescription(
      'The password confirmation does not match.',
    );
    await expect(newPassword(page)).not.toHaveAttribute('aria-invalid');

    await submitPassword(page, 'iloveyou1');
    await expect(newPassword(page)).toHaveAccessibleDescription(
      /The password must not be one of the common passwords\./,
    );
  });

  await expect(newPassword(page)).toHaveAttribute('type', 'password');
  const showButtons = page.getByRole('button', { name: 'Show password' });
  await showButtons.first().click();
  await expect(newPassword(page)).toHaveAttribute('type', 'text');
  await expect(password(page, 'Confirm Password')).toHaveAttribute('type', 'password');
  await submitPassword(page, NEW_PASSWORD);

  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('status')).toHaveText('The password has been set. Sign in with it.');
  await expectScreen(page, 'Login');
  await field(page, 'Email').fill(email);
  await password(page).fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();
});

test('a used link and a page without a link lead to the request form; they fit 320 pixels and are accessible in either theme', async ({
  page,
  account,
  server,
  mails,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const link = await requestLink(server, mails, account.user.email);
  await new Api(server.url).post('/api/reset-password', {
    token: tokenIn(link),
    password: NEW_PASSWORD,
    password_confirmation: NEW_PASSWORD,
  });
  const expectAccessible = async () => {
    await expectNoSeriousAxeFindings(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectNoSeriousAxeFindings(page, ['color-contrast']);
    await page.emulateMedia({ colorScheme: 'light' });
    await expectNoSidewaysScrolling(page);
  };
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/password-recovery');
  await expect(page.getByText('Open the link in the mail that was sent to you.')).toBeVisible();
  await expectAccessible();
  await page.getByRole('link', { name: 'Ask for a new link' }).click();
  await expect(page).toHaveURL('/forgot-password');
  await expectScreen(page, 'Recover Password');

  // As the links of earlier versions have it.
  await follow(page, `${link.pathname}?token=${tokenIn(link)}`);
  await updateButton(page).click();
  await expect(newPassword(page)).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible();
  await submitPassword(page, 'five dry umbrellas');
  await expect(page.getByRole('alert')).toContainText('This link is no longer valid.');
  await expectAccessible();
  await page.getByRole('alert').getByRole('link', { name: 'Ask for a new link' }).click();
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
  const link = await requestLink(server, mails, account.user.email);
  await follow(page, '/');
  // As the links of earlier versions have it.
  await follow(page, `${link.pathname}?token=${tokenIn(link)}`);
  await expect(page.getByRole('link', { name: 'Home' })).toBeVisible();
  await submitPassword(page, NEW_PASSWORD);
  await expect(page.getByRole('heading', { name: 'Welcome to the Login Page' })).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('The password has been set. Sign in with it.');
  expect(await page.evaluate(() => sessionStorage.getItem('AUTH-TOKEN'))).toBeNull();
});

test('a server keeps running when it cannot reach its mail server', async () => {
  const mailServer = await MailServer.start();
  await mailServer.stop();
  const server = await startServerWithMail(mailServer.url);
  try {
    const { user } = await registerUser(server.url);
    await new Api(server.url).post('/api/forgot-password', { email: user.email });
    await expect.poll(() => server.logs).toContain('recovery mail not sent');
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
  } finally {
    await server.dispose();
  }
});
