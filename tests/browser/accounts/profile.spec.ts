import type { Page } from '@playwright/test';
import { Api, registerUser } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, signIn, test } from '../../support/browser/fixtures.ts';
import { field } from '../../support/browser/forms.ts';
import { expectNoSidewaysScrolling, follow } from '../../support/browser/screens.ts';
import { unique } from '../../support/records.ts';

const section = (page: Page, name: 'Details' | 'Edit' | 'Password') =>
  page.getByRole('heading', { name, exact: true, level: 2 });
const toggle = (page: Page, name: 'Details' | 'Edit') => page.getByRole('button', { name, exact: true });
/** Found by label, since password inputs have no ARIA role. The label of a required field ends in an asterisk. */
const passwordField = (page: Page, label: string) => page.getByLabel(new RegExp(`^${label}\\*?$`));
const message = (page: Page, text: string) => page.getByText(text, { exact: true });
const readSession = (page: Page, key: string) => page.evaluate((name) => sessionStorage.getItem(name), key);

const readLabels = (page: Page) =>
  page.locator('form label').evaluateAll((elements) => elements.map((label) => label.textContent));

// Covers 2.2, 2.79, 2.80, 2.81, 2.82, 2.83, 2.84, 2.85, 2.86, 2.87, 2.88, 2.89, 2.90, 2.91, 3.3, 4.29, 4.30, 4.31
// Covers 5.13, 5.14, 6.8, 7.8, 7.14
test('the profile has the sections Details, Edit and Password, a picture and the table of all users', async ({
  staffPage: page,
  account,
  server,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const other = await registerUser(server.url, 'Elias Bhatti');
  await page.goto('/');
  await page.getByRole('navigation').getByRole('link', { name: 'Users' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Profile');

  await test.step('the users, with the user’s own account marked', async () => {
    const users = page.getByRole('table', { name: 'Users' });
    const row = (email: string) => users.getByRole('row').filter({ hasText: email });
    await expect(users.getByRole('columnheader')).toContainText(['ID', 'Name', 'Email', 'Role']);
    await expect(row(other.user.email)).toContainText('Elias Bhatti');
    await expect(row(other.user.email)).toContainText(String(other.user.id));
    await expect(row(account.user.email)).toContainText('You');
    await expect(row(other.user.email)).not.toContainText('You');
  });

  await test.step('the details', async () => {
    await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Details');
    await expect(page.getByRole('term')).toHaveText(['Name', 'Email', 'Role']);
    await expect(page.getByRole('definition')).toHaveText([
      account.user.name,
      account.user.email,
      new RegExp(`^${account.user.role}$`, 'i'),
    ]);
    await expect(page.locator('form')).toHaveCount(0);
    await expect(page.getByRole('img', { name: 'Default profile picture' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Change profile picture' })).toBeVisible();
  });

  await test.step('the section Edit', async () => {
    await toggle(page, 'Edit').click();
    await expect(toggle(page, 'Edit')).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Edit');
    await expect.poll(() => readLabels(page)).toEqual(['Name*', 'Role*', 'Email*', 'Current Password']);
    await expect(field(page, 'Name')).toHaveValue(account.user.name);
    await expect(field(page, 'Role')).toHaveValue(account.user.role);
    await expect(page.getByRole('button', { name: 'Update Details', exact: true })).toBeVisible();
    await expectNoSeriousAxeFindings(page);
    await toggle(page, 'Details').click();
    await expect(section(page, 'Details')).toBeVisible();
  });

  await test.step('the section Password, which marks every empty field as required', async () => {
    await page.getByRole('link', { name: 'Change password', exact: true }).click();
    await expect(section(page, 'Password')).toBeFocused();
    const labels = ['Current Password', 'New Password', 'Confirm Password'];
    await expect.poll(() => readLabels(page)).toEqual(labels.map((label) => `${label}*`));
    await expect(page.locator('form input[type=password]')).toHaveCount(3);
    await page.getByRole('button', { name: 'Update Password', exact: true }).click();
    for (const label of labels) {
      await expect(passwordField(page, label)).toHaveAccessibleDescription(/^Required/);
    }
    await expectNoSeriousAxeFindings(page);
  });

  await test.step('a picture replaces the default one; a file that is not a picture is refused', async () => {
    const file = page.locator('input[type=file]');
    await file.setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') });
    await expect(page.getByRole('button', { name: 'Change profile picture' })).toHaveAccessibleDescription(
      /The picture must be a JPEG, PNG or WebP picture/,
    );
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') });
    await expect(message(page, 'Profile picture updated successfully')).toBeVisible();
    await expect(page.getByRole('img', { name: 'Profile picture' })).toHaveAttribute('src', /^blob:/);
  });

  await test.step('a reload keeps the section and the picture', async () => {
    await page.reload();
    await expect(section(page, 'Password')).toBeVisible();
    await expect(page.getByRole('img', { name: 'Profile picture' })).toBeVisible();
    await toggle(page, 'Details').click();
    await expect(section(page, 'Details')).toBeVisible();
  });

  await test.step('no horizontal scrolling at 320 pixels', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const hash of ['', '#edit', '#password']) {
      await follow(page, `/list-users${hash}`);
      await expect(page.getByRole('table', { name: 'Users' })).toBeVisible();
      await expectNoSidewaysScrolling(page);
    }
  });

  const homeLink = page.getByRole('main').getByRole('link', { name: 'Home' });
  await expect(homeLink).toHaveAttribute('href', '/');
  await homeLink.click();
  await expect(page).toHaveURL('/');
});

// Covers 2.86, 2.90, 3.2, 3.39, 3.40, 4.31, 4.32, 5.13, 5.18, 5.35, 7.9, 7.10, 7.11, 7.12, 7.13, 8.4, 8.5
test('details and password are updated only with valid values and the current password', async ({
  staffPage: page,
  account,
  server,
  expectedProblems,
}) => {
  expectedProblems.add(401).add(422);
  const other = await registerUser(server.url);
  const email = `${unique()}@faculty.example`;
  const update = () => page.getByRole('button', { name: 'Update Details' }).click();
  await page.goto('/list-users');
  await toggle(page, 'Edit').click();
  await expect(section(page, 'Edit')).toBeVisible();

  await test.step('details that the server rejects are reported at their fields', async () => {
    await field(page, 'Name').fill('');
    await update();
    await expect(field(page, 'Name')).toHaveAccessibleDescription('Required');
    await expect(passwordField(page, 'Current Password')).toHaveAccessibleDescription('Required');
    await expectNoSeriousAxeFindings(page);

    await field(page, 'Name').fill('Sana Malik-Bhatti');
    await field(page, 'Email').fill(other.user.email);
    await passwordField(page, 'Current Password').fill(account.password);
    await update();
    await expect(field(page, 'Email')).toHaveAccessibleDescription('Already taken');

    await field(page, 'Email').fill(email);
    await field(page, 'Role').selectOption('admin');
    await update();
    await expect(field(page, 'Role')).toHaveAccessibleDescription(
      /The role can be changed by an administrator only\./,
    );
    await field(page, 'Role').selectOption(account.user.role);
  });

  await test.step('typed details are kept after a reload and a wrong password', async () => {
    await page.reload();
    await expect(field(page, 'Email')).toHaveValue(email);
    await passwordField(page, 'Current Password').fill('not my password');
    await update();
    await expect(message(page, 'Incorrect password entered')).toBeVisible();
    await expect(page).toHaveURL('/list-users#edit');
    await expect(field(page, 'Email')).toHaveValue(email);
  });

  await test.step('the details are updated', async () => {
    await passwordField(page, 'Current Password').fill(account.password);
    await update();
    await expect(message(page, 'User details updated successfully')).toBeVisible();
    await expect(passwordField(page, 'Current Password')).toHaveValue('');
    await expect(field(page, 'Name')).toHaveValue('Sana Malik-Bhatti');
    expect(await readSession(page, 'CURRENT-USER-NAME')).toBe('Sana Malik-Bhatti');
    expect(await readSession(page, 'CURRENT-USER-EMAIL')).toBe(email);
    await expect(page.getByRole('banner').getByText('Sana Malik-Bhatti')).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: email })).toContainText('You');
  });

  await test.step('a new password replaces the current one', async () => {
    const newPassword = `a new password ${unique()}`;
    const submit = async (current: string, password: string, confirmation: string) => {
      await passwordField(page, 'Current Password').fill(current);
      await passwordField(page, 'New Password').fill(password);
      await passwordField(page, 'Confirm Password').fill(confirmation);
      await page.getByRole('button', { name: 'Update Password' }).click();
    };
    await page.getByRole('link', { name: 'Change password' }).click();
    await expect(section(page, 'Password')).toBeFocused();
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
    await new Api(server.url).post('/api/login', { email, password: newPassword });
  });
});

// Covers 3.3
test('an administrator changes the role of another user, which takes effect when that user loads the users', async ({
  page,
  server,
  admin,
}) => {
  const other = await registerUser(server.url, `Elias ${unique()}`);
  const { name } = other.user;
  const expectDetails = async () => {
    await expect(page.getByRole('table', { name: 'Users' })).toBeVisible();
    await expect(section(page, 'Details')).toBeVisible();
    await expect(toggle(page, 'Details')).toHaveAttribute('aria-pressed', 'true');
  };
  await signIn(page, admin);
  await page.goto('/list-users#edit-999999');
  await expectDetails();
  await page.getByRole('link', { name: `Edit ${name}` }).click();
  await expect(page.getByRole('heading', { name: `Edit ${name}` })).toBeFocused();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Account of ${name}`);
  // The administrator's own picture is not shown: it could be mistaken for that of the account.
  await expect(page.getByRole('button', { name: 'Change profile picture' })).toHaveCount(0);
  await field(page, 'Role').selectOption('viewer');
  await passwordField(page, 'Your Current Password').fill(admin.password);
  await page.getByRole('button', { name: 'Update Details' }).click();
  await expect(message(page, 'User details updated successfully')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: other.user.email })).toContainText('Viewer');
  expect(await readSession(page, 'CURRENT-USER-NAME')).toBe(admin.user.name);

  // The URL of an account that the user can't edit shows the user's own details.
  await signIn(page, other);
  await page.goto(`/list-users#edit-${admin.user.id}`);
  await expectDetails();
  await expect(page.getByRole('definition').last()).toHaveText('Viewer');
  await expect.poll(() => readSession(page, 'CURRENT-USER-ROLE')).toBe('viewer');
  await follow(page, `/list-users#edit-${other.user.id}`);
  await expect(section(page, 'Edit')).toBeVisible();
});
