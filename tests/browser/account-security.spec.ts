import type { Page } from '@playwright/test';
import { expectNoSeriousAxeFindings } from '../support/accessibility.ts';
import { Api, registerUser } from '../support/api.ts';
import { expect, signIn, test } from '../support/browser.ts';
import { expectNoSidewaysScrolling } from '../support/screens.ts';

const sessions = (page: Page) => page.getByRole('table', { name: 'Where you are signed in' });
const users = (page: Page) => page.getByRole('table', { name: 'Users' });

test('a person sees where they are signed in, and signs out elsewhere', async ({ page, server, account }) => {
  const login = () =>
    new Api(server.url).post<{ token: string }>('/api/login', {
      email: account.user.email,
      password: account.password,
    });
  const elsewhere = await Promise.all([login(), login(), login()]);
  const answers = () =>
    Promise.all(
      elsewhere.map(async ({ token }) => (await new Api(server.url, token).send('GET', '/api/users')).status),
    );
  await signIn(page, account);
  await page.goto('/list-users');
  const rows = sessions(page).getByRole('row');
  await expect(rows).toHaveCount(5);
  await expect(rows.nth(1)).toContainText('This one');
  await expect(rows.nth(1)).toContainText('127.0.0.1');
  await expect(rows.nth(1).getByRole('button')).toHaveCount(0);
  await expectNoSeriousAxeFindings(page);

  await rows
    .nth(2)
    .getByRole('button', { name: /^Sign out Unknown device, 127/ })
    .press('Enter');
  await expect(page.getByRole('status')).toHaveText('The session has been ended.');
  await expect(rows).toHaveCount(4);
  await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeFocused();
  expect((await answers()).sort()).toEqual([200, 200, 401]);

  await page.setViewportSize({ width: 320, height: 640 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoSeriousAxeFindings(page);
  await expectNoSidewaysScrolling(page);

  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(page.getByRole('status')).toHaveText('You have been signed out everywhere else.');
  await expect(rows).toHaveCount(2);
  expect(await answers()).toEqual([401, 401, 401]);
  await page.reload();
  await expect(rows).toHaveCount(2);
});

test('an administrator locks an account and unlocks it, with their own password', async ({
  page,
  ownServer,
  expectedProblems,
}) => {
  expectedProblems.add(401);
  const admin = await registerUser(ownServer.url, 'Asad Admin');
  const staff = await registerUser(ownServer.url, 'Elias Bhatti');
  const tryPassword = async () => {
    const body = { email: staff.user.email, password: staff.password };
    return (await new Api(ownServer.url).send('POST', '/api/login', body)).status;
  };
  await signIn(page, admin, ownServer.url);
  await page.goto(`${ownServer.url}/list-users`);
  await page.getByRole('link', { name: 'Edit Elias Bhatti' }).click();
  await page.getByRole('button', { name: 'Lock account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Lock the account of Elias Bhatti' });
  const password = dialog.getByLabel('Your Current Password');
  await expectNoSeriousAxeFindings(page);
  await password.fill('not my password');
  await password.press('Enter');
  await expect(password).toHaveAccessibleDescription('Incorrect password entered');
  await expect(password).toBeFocused();
  await password.fill(admin.password);
  await dialog.getByRole('button', { name: 'Lock account' }).click();
  await expect(page.getByRole('status')).toHaveText('The account has been locked.');
  await expect(dialog).toHaveCount(0);
  const row = users(page).getByRole('row').filter({ hasText: 'Elias Bhatti' });
  await expect(row).toContainText('Locked');
  expect(await tryPassword()).toBe(401);
  await expectNoSeriousAxeFindings(page);

  const unlock = page.getByRole('button', { name: 'Unlock account' });
  await expect(unlock).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Your Current Password').fill(admin.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText('The account has been unlocked.');
  await expect(row).not.toContainText('Locked');
  expect(await tryPassword()).toBe(200);
});
