import { Api, registerUser } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { test as base, expect, type Page } from '../../support/browser/fixtures.ts';
import { field, password } from '../../support/browser/forms.ts';
import { expectAccessible, follow } from '../../support/browser/screens.ts';
import { Server } from '../../support/processes/server.ts';
import { unique } from '../../support/records.ts';
import { linkIn, MailServer } from '../../support/services/mail-server.ts';

const PASSWORD = 'seven wet umbrellas';

/** Fills the registration form, which is shown, and sends it. Returns the email address. */
async function register(page: Page, name: string): Promise<string> {
  const email = `${unique()}@faculty.example`;
  await field(page, 'Name').fill(name);
  await field(page, 'Email').fill(email);
  await password(page).fill(PASSWORD);
  await field(page, 'Confirm Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Register' }).click();
  return email;
}

async function signIn(page: Page, email: string): Promise<void> {
  await field(page, 'Email').fill(email);
  await password(page).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

const test = base.extend<{ approvalServer: Server; mails: MailServer; verifyingServer: Server }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the requested fixtures from this pattern.
  approvalServer: async ({}, use) => {
    const server = await Server.start({ SIMS_REGISTRATION: 'approval' });
    await use(server);
    await server.dispose();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the requested fixtures from this pattern.
  mails: async ({}, use) => {
    const mails = await MailServer.start();
    await use(mails);
    await mails.stop();
  },
  verifyingServer: async ({ mails }, use) => {
    const server = await Server.start({
      SIMS_REGISTRATION: 'domains:faculty.example',
      SIMS_SMTP_URL: mails.url.href,
      SIMS_PUBLIC_URL: 'http://127.0.0.1:9',
    });
    await use(server);
    await server.dispose();
  },
});

test('a new account waits until an administrator approves or rejects it', async ({
  page,
  approvalServer: { url },
  expectedProblems,
}) => {
  expectedProblems.add(401).add(403);
  const admin = await registerUser(url, 'Asad Admin');
  const heading = page.getByRole('heading', { name: 'An administrator has to approve your account' });
  await page.goto(`${url}/register`);
  const approved = await register(page, 'Elias Bhatti');
  await expect(heading).toBeVisible();
  await expect(page.getByText(approved)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Sign in.' }).click();
  await signIn(page, approved);
  await expect(heading).toBeVisible();
  await page.getByRole('link', { name: 'Sign in.' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to the Login Page' })).toBeVisible();
  await follow(page, '/register');
  await register(page, 'Nobody Known');
  await expect(heading).toBeVisible();

  await follow(page, '/login');
  await field(page, 'Email').fill(admin.user.email);
  await password(page).fill(admin.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(`${url}/`);
  await follow(page, '/list-users');
  const waiting = page.getByRole('region', { name: 'Waiting (2)' });
  await expect(waiting.getByRole('listitem')).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Approve Elias Bhatti' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(`The address ${approved} has not been verified`);
  const currentPassword = dialog.getByLabel('Your Current Password');
  await currentPassword.fill('not my password');
  await currentPassword.press('Enter');
  await expect(currentPassword).toHaveAccessibleDescription('Incorrect password entered');
  await currentPassword.fill(admin.password);
  await currentPassword.press('Enter');
  await expect(page.getByRole('status')).toHaveText('The account has been approved.');
  await expect(page.getByRole('region', { name: 'Waiting (1)' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Users' })).toBeFocused();
  const row = page.getByRole('row').filter({ hasText: 'Nobody Known' });
  await expect(row).toContainText('Waiting');

  await page.getByRole('button', { name: 'Reject Nobody Known' }).click();
  await expect(dialog).toContainText('can’t be undone');
  await expectNoSeriousAxeFindings(page);
  await currentPassword.fill(admin.password);
  await dialog.getByRole('button', { name: 'Reject and delete' }).click();
  await expect(page.getByRole('status')).toHaveText('The account has been rejected and deleted.');
  await expect(row).toHaveCount(0);
  await expect(page.getByRole('heading', { name: /^Waiting/ })).toHaveCount(0);
  const body = { email: approved, password: PASSWORD };
  expect((await new Api(url).send('POST', '/api/login', body)).status).toBe(200);
});

test('a new account is verified with the mailed link and its password, and the link can be sent again', async ({
  page,
  mails,
  verifyingServer: { url },
  expectedProblems,
}) => {
  expectedProblems.add(401).add(403).add(422);
  await registerUser(url, 'Asad Admin');
  const heading = page.getByRole('heading', { name: 'Check your mail' });
  await page.goto(`${url}/register`);
  const email = await register(page, 'Elias Bhatti');
  await expect(heading).toBeVisible();
  await expectAccessible(page);
  const first = linkIn(await mails.mailTo(email));
  await page.getByRole('link', { name: 'Sign in.' }).click();
  await signIn(page, email);
  await expect(heading).toBeVisible();
  await page.getByRole('button', { name: 'Send the link again' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'a link will be sent' })).toBeVisible();
  const second = linkIn(await mails.mailTo(email, 2));

  await page.goto(`${url}${second.pathname}${second.hash}`);
  await expect(page).toHaveURL(`${url}/verify-email`);
  await expectAccessible(page);
  await password(page).fill('not the password');
  await password(page).press('Enter');
  await expect(password(page)).toHaveAccessibleDescription('Incorrect password entered');
  await password(page).fill(PASSWORD);
  await page.getByRole('button', { name: 'Verify and Sign In' }).click();
  await expect(page).toHaveURL(`${url}/`);

  await page.evaluate(() => sessionStorage.clear());
  await page.goto(`${url}${first.pathname}${first.hash}`);
  await password(page).fill(PASSWORD);
  await password(page).press('Enter');
  await expect(page.getByRole('alert')).toContainText('This link is no longer valid.');
  await follow(page, '/login');
  await follow(page, '/verify-email');
  await expect(page.getByText(/It works once, and for 24 hours/)).toBeVisible();
});
