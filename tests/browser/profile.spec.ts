import type { Page } from '@playwright/test';
import { expectNoSeriousAxeFindings } from '../support/browser/accessibility.ts';
import { Api, registerUser } from '../support/browser/api.ts';
import { expect, signIn, test } from '../support/browser/fixtures.ts';
import { field } from '../support/browser/forms.ts';
import { expectNoSidewaysScrolling } from '../support/browser/screens.ts';
import { unique } from '../support/records.ts';

const section = (page: Page, name: 'Details' | 'Edit' | 'Password') =>
  page.getByRole('heading', { name, exact: true, level: 2 });
const toggle = (page: Page, name: 'Details' | 'Edit') => page.getByRole('button', { name, exact: true });
/** Found by label, since password inputs have no ARIA role. The label of a required field ends in an asterisk. */
const passwordField = (page: Page, label: string) => page.getByLabel(new RegExp(`^${label}\\*?$`));
const message = (page: Page, text: string) => page.getByText(text, { exact: true });
const readSession = (page: Page, key: string) => page.evaluate((name) => sessionStorage.getItem(name), key);

async function openEdit(page: Page): Promise<void> {
  await page.goto('/list-users');
  await toggle(page, 'Edit').click();
  await expect(section(page, 'Edit')).toBeVisible();
}

// Covers 2.2, 2.80, 2.81, 2.82, 2.83, 2.84, 2.89
test('the profile opens its sections Edit and Password and returns to the details', async ({
  staffPage: page,
  account,
}) => {
  await page.goto('/');
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

// Covers 2.91, 6.8, 7.8
test('the users table lists every account and marks the user’s own', async ({
  staffPage: page,
  account,
  server,
}) => {
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

// Covers 3.2, 3.40, 4.32, 7.9, 7.10, 8.4
test('details are updated only with the current password', async ({
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

  await passwordField(page, 'Current Password').fill('not my password');
  await page.getByRole('button', { name: 'Update Details' }).click();
  await expect(message(page, 'Incorrect password entered')).toBeVisible();
  await expect(page).toHaveURL('/list-users#edit');
  await expect(field(page, 'Email')).toHaveValue(email);

  await passwordField(page, 'Current Password').fill(account.password);
  await page.getByRole('button', { name: 'Update Details' }).click();
  await expect(message(page, 'User details updated successfully')).toBeVisible();
  await expect(passwordField(page, 'Current Password')).toHaveValue('');
  await expect(field(page, 'Name')).toHaveValue('Sana Malik-Bhatti');
  expect(await readSession(page, 'CURRENT-USER-NAME')).toBe('Sana Malik-Bhatti');
  expect(await readSession(page, 'CURRENT-USER-EMAIL')).toBe(email);
  await expect(page.getByRole('banner').getByText('Sana Malik-Bhatti')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText('You');
});

// Covers 2.86, 2.90, 5.13, 5.18, 7.11
test('details that the server rejects are reported at their fields', async ({
  page,
  server,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const other = await registerUser(server.url);
  // Not an administrator: only the first account registered on a server becomes one.
  const account = await registerUser(server.url);
  await signIn(page, account);
  await openEdit(page);
  await field(page, 'Name').fill('');
  await page.getByRole('button', { name: 'Update Details' }).click();
  await expect(field(page, 'Name')).toHaveAccessibleDescription('Required');
  await expect(passwordField(page, 'Current Password')).toHaveAccessibleDescription('Required');
  await expectNoSeriousAxeFindings(page);

  await field(page, 'Name').fill('Sana');
  await field(page, 'Email').fill(other.user.email);
  await passwordField(page, 'Current Password').fill(account.password);
  await page.getByRole('button', { name: 'Update Details' }).click();
  await expect(field(page, 'Email')).toHaveAccessibleDescription('Already taken');

  await field(page, 'Email').fill(account.user.email);
  await field(page, 'Role').selectOption('admin');
  await page.getByRole('button', { name: 'Update Details' }).click();
  await expect(field(page, 'Role')).toHaveAccessibleDescription(
    /The role can be changed by an administrator only\./,
  );
});

// Covers 3.39, 4.31, 5.35, 7.12, 7.13, 8.5
test('a new password replaces the current one', async ({
  staffPage: page,
  account,
  server,
  expectedProblems,
}) => {
  expectedProblems.add(401).add(422);
  const newPassword = `a new password ${unique()}`;
  const submit = async (current: string, password: string, confirmation: string) => {
    await passwordField(page, 'Current Password').fill(current);
    await passwordField(page, 'New Password').fill(password);
    await passwordField(page, 'Confirm Password').fill(confirmation);
    await page.getByRole('button', { name: 'Update Password' }).click();
  };
  await page.goto('/list-users');
  await page.getByRole('link', { name: 'Change password' }).click();
  await submit('not my password', newPassword, newPassword);
  await expect(passwordField(page, 'Current Password')).toHaveAccessibleDescription(
    'Incorrect current password.',
  );
  await submit(account.password, newPassword, 'something else');
  await expect(passwordField(page, 'Confirm Password')).toHaveAccessibleDescription(
    'The password confirmation does not match.',
  );
  await page.getByRole('alert').getByRole('link', { name: 'Confirm Password' }).click();
  await expect(passwordField(page, 'Confirm Password')).toBeFocused();
  await submit(account.password, newPassword, newPassword);
  await expect(message(page, 'Password updated successfully')).toBeVisible();
  await expect(section(page, 'Details')).toBeFocused();
  await new Api(server.url).post('/api/login', { email: account.user.email, password: newPassword });
});

// Covers 2.83
test('a picture replaces the default one; a file that is not a picture is refused', async ({
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
  await expect(message(page, 'Profile picture updated successfully')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Your profile' })).toHaveAttribute('src', /^blob:/);
  await page.reload();
  await expect(page.getByRole('img', { name: 'Your profile' })).toBeVisible();
});

// Covers 3.3
test('an administrator changes the role of another user', async ({ page, ownServer }) => {
  const admin = await registerUser(ownServer.url, 'Asad Admin');
  const other = await registerUser(ownServer.url, 'Elias Bhatti');
  await signIn(page, admin, ownServer.url);
  await page.goto(`${ownServer.url}/list-users`);
  await page.getByRole('link', { name: 'Edit Elias Bhatti' }).click();
  await expect(page.getByRole('heading', { name: 'Edit Elias Bhatti' })).toBeFocused();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account of Elias Bhatti');
  // The administrator's own picture is not shown: it could be mistaken for that of the account.
  await expect(page.getByRole('button', { name: 'Change profile picture' })).toHaveCount(0);
  await field(page, 'Role').selectOption('viewer');
  await passwordField(page, 'Your Current Password').fill(admin.password);
  await page.getByRole('button', { name: 'Update Details' }).click();
  await expect(message(page, 'User details updated successfully')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: other.user.email })).toContainText('Viewer');
  expect(await readSession(page, 'CURRENT-USER-NAME')).toBe('Asad Admin');
});

test('the URL of an account that can’t be edited shows the user’s own details', async ({
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

test('a role changed by an administrator takes effect when the users are loaded', async ({
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
  await expect.poll(() => readSession(page, 'CURRENT-USER-ROLE')).toBe('viewer');
});

test.describe('at 320 pixels', () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test('the profile needs no horizontal scrolling', async ({ staffPage: page }) => {
    for (const hash of ['', '#edit', '#password']) {
      await page.goto(`/list-users${hash}`);
      await expect(page.getByRole('table', { name: 'Users' })).toBeVisible();
      await expectNoSidewaysScrolling(page);
    }
  });
});
