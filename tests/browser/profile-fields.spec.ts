import { expect, type Page, test } from '../support/browser/fixtures.ts';

const section = (page: Page) => page.getByRole('heading', { level: 2 }).first();
const readLabels = (page: Page) =>
  page.locator('form label').evaluateAll((elements) => elements.map((label) => label.textContent));

// Covers 2.79, 2.80, 2.84, 2.85, 2.86, 2.87, 2.88, 2.89, 3.3, 4.29, 4.30, 4.31, 5.13, 5.14
test('each section of the profile has its fields and its button, and returns to the details', async ({
  staffPage: page,
}) => {
  await page.goto('/list-users');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Profile');
  await expect(page.getByRole('main').getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/');
  await expect(section(page)).toHaveText('Details');
  await expect(page.getByRole('term')).toHaveText(['Name', 'Email', 'Role']);
  await expect(page.locator('form')).toHaveCount(0);

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(section(page)).toHaveText('Edit');
  await expect.poll(() => readLabels(page)).toEqual(['Name*', 'Role*', 'Email*', 'Current Password']);
  await expect(page.getByRole('button', { name: 'Update Details', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Details', exact: true }).click();
  await expect(section(page)).toHaveText('Details');

  await page.getByRole('link', { name: 'Change password', exact: true }).click();
  await expect(section(page)).toHaveText('Password');
  await expect
    .poll(() => readLabels(page))
    .toEqual(['Current Password*', 'New Password*', 'Confirm Password*']);
  await expect(page.locator('form input[type=password]')).toHaveCount(3);
  await expect(page.getByRole('button', { name: 'Update Password', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Details', exact: true }).click();
  await expect(section(page)).toHaveText('Details');
});

// Covers 2.88, 2.90, 5.14, 7.14
test('the password section marks every empty field as required', async ({
  staffPage: page,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  await page.goto('/list-users');
  await page.getByRole('link', { name: 'Change password' }).click();
  await page.getByRole('button', { name: 'Update Password' }).click();
  for (const label of ['Current Password', 'New Password', 'Confirm Password']) {
    await expect(page.getByLabel(new RegExp(`^${label}\\*?$`))).toHaveAccessibleDescription(/^Required/);
  }
});
