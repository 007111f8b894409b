import type { Page } from '@playwright/test';
import { expectNoSeriousAxeFindings } from '../support/accessibility.ts';
import { Api, registerUser } from '../support/api.ts';
import { expect, signIn, test } from '../support/browser.ts';
import { field } from '../support/forms.ts';
import { unique } from '../support/records.ts';
import { expectNoSidewaysScrolling } from '../support/screens.ts';

const section = (page: Page, name: 'Details' | 'Edit' | 'Password') =>
  page.getByRole('heading', { name, exact: true, level: 2 });
const toggle = (page: Page, name: 'Details' | 'Edit') => page.getByRole('button', { name, exact: true });
/** Password inputs have no role to find them by; the mark of a required one is part of its label's text. */
const secret = (page: Page, label: string) => page.getByLabel(new RegExp(`^${label}\\*?$`));
const flash = (page: Page, text: string) => page.getByText(text, { exact: true });
const stored = (page: Page, key: string) => page.evaluate((name) => sessionStorage.getItem(name), key);

async function openEdit(page: Page): Promise<void> {
  await page.goto('/list-users');
  await toggle(page, 'Edit').click();
  await expect(section(page, 'Edit')).toBeVisible();
}

test('the profile goes from details to edit and password, and back', async ({ staffPage: page, account }) => {
  await page.getByRole('navigation').getByRole('link', { name: 'Users' }).click();
  await expect(page.getByRole('heading', { name: 'Your Profile' })).toBeVisible();
  await expect(page.getByRole('definition')).toHaveText([
    account.user.name,
    account.user.email,
    new RegExp(`^${account.user.role}$`, 'i'),
  ]);
  await expect(page.getByRole('img', { name: 'Default profile picture' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Change profile picture' })).toBeVisible();
  await expectNoSeriousAxeFindings(page);

  await toggle(page, 'Edit').click();
  await expect(toggle(page, 'Edit')).toHaveAttribute('aria-pressed', 'true');
  await expect(field(page, 'Name')).toHaveValue(account.user.name);
  await expect(field(page, 'Role')).toHaveValue(account.user.role);
  await expectNoSeriousAxeFindings(page);

  await page.getByRole('link', { name: 'Change password' }).click();
  await expect(section(page, 'Password')).toBeFocused();
  await expectNoSeriousAxeFindings(page);
  await page.reload();
  await expect(section(page, 'Password')).toBeVisible();

  await toggle(page, 'Details').click();
  await expect(section(page, 'Details')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click();
  await expect(page).toHaveURL('/');
});

test('everybody with an account is listed, oneself marked', async ({ staffPage: page, account, server }) => {
  const other = await registerUser(server.url, 'Elias Bhatti');
  await page.goto('/list-users');
  const users = page.getByRole('table', { name: 'Users' });
  const row = (email: string) => users.getByRole('row').filter({ hasText: email });
  await expect(users.getByRole('columnheader')).toContainText(['ID', 'Name', 'Email', 'Role']);
  await expect(row(other.user.email)).toContainText('Elias Bhatti');
  await expect(row(other.user.email)).toContainText(String(other.user.id));
  await expect(row(account.user.email)).toContainText('You');
  await expect(row(other.user.email)).not.toContainText('You');
});

test('details change only with the current password', async ({
  staffPage: page,
  account,
  expectedProblems,
}) => {
  expectedProblems.add(401);
  const email = `${unique()}@faculty.example`;
  await openEdit(page);
  await field(page, 'Name').fill('Sana Malik-Bhatti');
  await field(page, 'Email').fill(email);
  await page.reload();
  await expect(field(page, 'Email')).toHaveValue(email);

  await secret(page, 'Current Password').fill('not my password');
  await page.getByRole('button', { name: 'Update Details' }).click();
  await expect(flash(page, 'Incorrect password entered')).toBeVisible();
  await expect(page).toHaveURL('/list-users#edit');
  await expect(field(page, 'Email')).toHaveValue(email);

  await secret(page, 'Current Password').fill(account.password);
  await page.getByRole('button', { name: 'Update Details' }).click();
  await expect(flash(page, 'User details updated successfully')).toBeVisible();
  await expect(secret(page, 'Current Password')).toHaveValue('');
  await expect(field(page, 'Name')).toHaveValue('Sana Malik-Bhatti');
  expect(await stored(page, 'CURRENT-USER-NAME')).toBe('Sana Malik-Bhatti');
  expect(await stored(page, 'CURRENT-USER-EMAIL')).toBe(email);
  await expect(page.getByRole('banner').getByText('Sana Malik-Bhatti')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText('You');
});

test('what the server refuses of the details stands at its field', async ({
  page,
  server,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const other = await registerUser(server.url);
  // Never the first account of a server, so not its administrator.
  const account = await registerUser(server.url);
  await signIn(page, account);
  await openEdit(page);
  await field(page, 'Name').fill('');
  await page.getByRole('button', { name: 'Update Details' }).click();
  await expect(field(page, 'Name')).toHaveAccessibleDescription('Required');
  await expect(secret(page, 'Current Password')).toHaveAccessibleDescription('Required');
  await expectNoSeriousAxeFindings(page);

  await field(page, 'Name').fill('Sana');
  await field(page, 'Email').fill(other.user.email);
  await secret(page, 'Current Password').fill(account.password);
  await page.getByRole('button', { name: 'Update Details' }).click();
  await expect(field(page, 'Email')).toHaveAccessibleDescription('Already taken');

  await field(page, 'Email').fill(account.user.email);
  await field(page, 'Role').selectOption('admin');
  await page.getByRole('button', { name: 'Update Details' }).click();
  await expect(field(page, 'Role')).toHaveAccessibleDescription(
    /The role can be changed by an administrator only\./,
  );
});

test('a new password takes the place of the current one', async ({
  staffPage: page,
  account,
  server,
  expectedProblems,
}) => {
  expectedProblems.add(401).add(422);
  const next = `a new password ${unique()}`;
  const fill = async (current: string, first: string, second: string) => {
    await secret(page, 'Current Password').fill(current);
    await secret(page, 'New Password').fill(first);
    await secret(page, 'Confirm Password').fill(second);
    await page.getByRole('button', { name: 'Update Password' }).click();
  };
  await page.goto('/list-users');
  await page.getByRole('link', { name: 'Change password' }).click();
  await fill('not my password', next, next);
  await expect(secret(page, 'Current Password')).toHaveAccessibleDescription('Incorrect current password.');
  await fill(account.password, next, 'something else');
  await expect(secret(page, 'Confirm Password')).toHaveAccessibleDescription(
    'The password confirmation does not match.',
  );
  await page.getByRole('alert').getByRole('link', { name: 'Confirm Password' }).click();
  await expect(secret(page, 'Confirm Password')).toBeFocused();
  await fill(account.password, next, next);
  await expect(flash(page, 'Password updated successfully')).toBeVisible();
  await expect(section(page, 'Details')).toBeFocused();
  await new Api(server.url).post('/api/login', { email: account.user.email, password: next });
});

test('a picture takes the place of the default one; what is no picture is refused', async ({
  staffPage: page,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  await page.goto('/list-users');
  const file = page.locator('input[type=file]');
  await file.setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') });
  await expect(page.getByRole('alert').filter({ hasText: /picture/i })).toBeVisible();

  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') });
  await expect(flash(page, 'Profile picture updated successfully')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Your profile' })).toHaveAttribute('src', /^blob:/);
  await page.reload();
  await expect(page.getByRole('img', { name: 'Your profile' })).toBeVisible();
});

test('an administrator changes the role of somebody else', async ({ page, ownServer }) => {
  const admin = await registerUser(ownServer.url, 'Asad Admin');
  const other = await registerUser(ownServer.url, 'Elias Bhatti');
  await signIn(page, admin, ownServer.url);
  await page.goto(`${ownServer.url}/list-users`);
  await page.getByRole('link', { name: 'Edit Elias Bhatti' }).click();
  await expect(page.getByRole('heading', { name: 'Edit Elias Bhatti' })).toBeFocused();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account of Elias Bhatti');
  // Nothing of one's own stands there that could be taken for theirs.
  await expect(page.getByRole('button', { name: 'Change profile picture' })).toHaveCount(0);
  await field(page, 'Role').selectOption('viewer');
  await secret(page, 'Your Current Password').fill(admin.password);
  await page.getByRole('button', { name: 'Update Details' }).click();
  await expect(flash(page, 'User details updated successfully')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: other.user.email })).toContainText('Viewer');
  expect(await stored(page, 'CURRENT-USER-NAME')).toBe('Asad Admin');
});

test('the address of an account that can’t be edited shows the details', async ({
  page,
  ownServer: { url },
}) => {
  const admin = await registerUser(url, 'Asad Admin');
  const other = await registerUser(url, 'Elias Bhatti');
  const expectDetails = async () => {
    await expect(page.getByRole('table', { name: 'Users' })).toBeVisible();
    await expect(section(page, 'Details')).toBeVisible();
    await expect(toggle(page, 'Details')).toHaveAttribute('aria-pressed', 'true');
  };
  await signIn(page, admin, url);
  await page.goto(`${url}/list-users#edit-999`);
  await expectDetails();
  await signIn(page, other, url);
  await page.goto(`${url}/list-users#edit-${admin.user.id}`);
  await expectDetails();
  await page.goto(`${url}/list-users#edit-${other.user.id}`);
  await expect(section(page, 'Edit')).toBeVisible();
});

test('a role that an administrator has changed is known as soon as the users are read', async ({
  page,
  ownServer: { url },
}) => {
  const admin = await registerUser(url, 'Asad Admin');
  const other = await registerUser(url, 'Elias Bhatti');
  await signIn(page, other, url);
  await new Api(url, admin.token).send('PUT', `/api/users/${other.user.id}`, {
    ...other.user,
    role: 'viewer',
    password: admin.password,
  });
  await page.goto(`${url}/list-users`);
  await expect(page.getByRole('definition').last()).toHaveText('Viewer');
  await expect.poll(() => stored(page, 'CURRENT-USER-ROLE')).toBe('viewer');
});

test.describe('at 320 pixels', () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test('the profile needs no scrolling sideways', async ({ staffPage: page }) => {
    for (const hash of ['', '#edit', '#password']) {
      await page.goto(`/list-users${hash}`);
      await expect(page.getByRole('table', { name: 'Users' })).toBeVisible();
      await expectNoSidewaysScrolling(page);
    }
  });
});
