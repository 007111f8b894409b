import type { Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { Api, registerUser } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, signIn, test } from '../../support/browser/fixtures.ts';
import { field, password as passwordField } from '../../support/browser/forms.ts';
import { expectNoSidewaysScrolling } from '../../support/browser/screens.ts';
import { Server } from '../../support/processes/server.ts';
import { unique } from '../../support/records.ts';

const sessions = (page: Page) => page.getByRole('table', { name: 'Where you are signed in' });
/** A password field; its button to show the password has the same words in its name. */
const secretField = (page: Page, label: string) => page.getByLabel(new RegExp(`^${label}\\*?$`));
const users = (page: Page) => page.getByRole('table', { name: 'Users' });

test('a user sees their sessions, ends one of them and then all the others', async ({
  page,
  server,
  account,
  expectedProblems,
}) => {
  const login = () =>
    new Api(server.url).post<{ token: string }>('/api/login', {
      email: account.user.email,
      password: account.password,
    });
  const otherSessions = await Promise.all([login(), login(), login()]);
  const readStatuses = () =>
    Promise.all(
      otherSessions.map(
        async ({ token }) => (await new Api(server.url, token).send('GET', '/api/users')).status,
      ),
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
  expect((await readStatuses()).sort()).toEqual([200, 200, 401]);

  await page.setViewportSize({ width: 320, height: 640 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoSeriousAxeFindings(page);
  await expectNoSidewaysScrolling(page);

  // As ten minutes after signing in.
  expectedProblems.add(401);
  expectedProblems.add(422);
  const needed = 'Enter your current password: you signed in more than ten minutes ago.';
  await page.route('**/api/sessions', (route) =>
    route.request().method() === 'DELETE' && route.request().postData() === null
      ? route.fulfill({ status: 422, json: { message: needed, errors: { password: [needed] } } })
      : route.continue(),
  );
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign out everywhere else' });
  await dialog.getByLabel('Your Current Password').fill('not mine');
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await expect(dialog.getByText('Incorrect password entered')).toBeVisible();
  await expectNoSeriousAxeFindings(page);
  expect((await readStatuses()).sort()).toEqual([200, 200, 401]);
  await dialog.getByLabel('Your Current Password').fill(account.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText('You have been signed out everywhere else.');
  await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeFocused();
  await expect(rows).toHaveCount(2);
  expect(await readStatuses()).toEqual([401, 401, 401]);
  await page.reload();
  await expect(rows).toHaveCount(2);
});

test('an administrator locks and unlocks an account with their own password', async ({
  page,
  server,
  admin,
  expectedProblems,
}) => {
  expectedProblems.add(401);
  const name = `Elias ${unique()}`;
  const staff = await registerUser(server.url, name);
  const loginStatus = async () => {
    const body = { email: staff.user.email, password: staff.password };
    return (await new Api(server.url).send('POST', '/api/login', body)).status;
  };
  await signIn(page, admin);
  await page.goto('/list-users');
  await page.getByRole('link', { name: `Edit ${name}` }).click();
  await page.getByRole('button', { name: 'Lock account' }).click();
  const dialog = page.getByRole('dialog', { name: `Lock the account of ${name}` });
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
  const row = users(page).getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('Locked');
  expect(await loginStatus()).toBe(401);
  await expectNoSeriousAxeFindings(page);

  const unlock = page.getByRole('button', { name: 'Unlock account' });
  await expect(unlock).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Your Current Password').fill(admin.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText('The account has been unlocked.');
  await expect(row).not.toContainText('Locked');
  expect(await loginStatus()).toBe(200);
});

test('two-factor authentication is set up with an app, requested at Login, replaced once by a recovery code, and removed', async ({
  page,
  account,
  expectedProblems,
}) => {
  expectedProblems.add(401).add(422);
  await signIn(page, account);
  await page.goto('/list-users');
  await page.getByRole('link', { name: 'Two-factor authentication' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeFocused();
  await secretField(page, 'Current Password').fill('not my password');
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(secretField(page, 'Current Password')).toHaveAccessibleDescription(
    'Incorrect password entered',
  );
  await secretField(page, 'Current Password').fill(account.password);
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByRole('img', { name: 'The key for the app' })).toBeVisible();
  await expectNoSeriousAxeFindings(page);
  const key = (await page.getByText(/^([A-Z2-7]{4} ?){8}$/).textContent()) ?? '';
  const app = new TOTP({ secret: key.replaceAll(' ', '') });
  await field(page, 'Code').fill('no code');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(field(page, 'Code')).toHaveAccessibleDescription(/The code is not valid/);
  await field(page, 'Code').fill(app.generate());
  await page.keyboard.press('Enter');
  const codes = page.getByRole('list', { name: 'Recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoSeriousAxeFindings(page);
  await expectNoSidewaysScrolling(page);
  const [first = '', second = ''] = await codes.getByRole('listitem').allTextContents();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByText('10 recovery codes are left')).toBeVisible();
  await expectNoSeriousAxeFindings(page);
  await expectNoSidewaysScrolling(page);

  await page.evaluate(() => sessionStorage.clear());
  await page.goto('/login');
  await field(page, 'Email').fill(account.user.email);
  await passwordField(page).fill(account.password);
  await expect(field(page, 'Code')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(field(page, 'Code')).toBeFocused();
  await expect(field(page, 'Code')).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(page.locator('[aria-invalid]')).toHaveCount(0);
  await expect(field(page, 'Email')).toHaveValue(account.user.email);
  await expectNoSeriousAxeFindings(page);
  await expectNoSidewaysScrolling(page);
  await page.keyboard.press('Enter');
  await expect(field(page, 'Code')).toHaveAccessibleDescription(/Required/);
  await field(page, 'Code').fill('aaaa-aaaa-aaaa-aaaa');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Invalid Creditentials.');
  await expect(passwordField(page)).toHaveValue(account.password);
  await field(page, 'Code').fill(first.toUpperCase());
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');

  await page.goto('/list-users#second-factor');
  await expect(page.getByText('9 recovery codes are left')).toBeVisible();
  await secretField(page, 'Current Password').fill(account.password);
  await field(page, 'Code').fill(second);
  await page.getByRole('button', { name: 'Turn off two-factor authentication' }).click();
  await expect(page.getByRole('status')).toHaveText('Two-factor authentication has been turned off.');
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible();
});

test('a user whose role requires two-factor authentication sets it up before anything else', async ({
  page,
  expectedProblems,
}) => {
  expectedProblems.add(403);
  const strictServer = await Server.start({ SIMS_TWO_FACTOR_ROLES: 'admin, staff' });
  try {
    const { user, password } = await registerUser(strictServer.url);
    await page.goto(`${strictServer.url}/login`);
    await field(page, 'Email').fill(user.email);
    await passwordField(page).fill(password);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Two-factor Authentication' })).toBeVisible();
    await expectNoSeriousAxeFindings(page);
    await page.goto(`${strictServer.url}/students`);
    await expect(page).toHaveURL(`${strictServer.url}/two-factor`);

    await page.setViewportSize({ width: 320, height: 640 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('button', { name: 'Logout' }).press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
    await expect(page).toHaveURL(`${strictServer.url}/login`);
    await field(page, 'Email').fill(user.email);
    await passwordField(page).fill(password);
    await page.keyboard.press('Enter');
    await secretField(page, 'Current Password').fill(password);
    await page.getByRole('button', { name: 'Set up' }).click();
    const key = (await page.getByText(/^([A-Z2-7]{4} ?){8}$/).textContent()) ?? '';
    await expectNoSeriousAxeFindings(page);
    await expectNoSidewaysScrolling(page);
    await field(page, 'Code').fill(new TOTP({ secret: key.replaceAll(' ', '') }).generate());
    await page.keyboard.press('Enter');
    await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
    await expectNoSidewaysScrolling(page);
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await expect(page).toHaveURL(`${strictServer.url}/`);
    await page.goto(`${strictServer.url}/students`);
    await expect(page.getByRole('heading', { name: 'Students', exact: true })).toBeVisible();
    await expect(page).toHaveURL(/\/students$/);
  } finally {
    await page.goto('about:blank');
    await strictServer.dispose();
  }
});
