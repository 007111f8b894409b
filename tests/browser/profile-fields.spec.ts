import { expect, type Page, test } from '../support/browser.ts';

const section = (page: Page) => page.getByRole('heading', { level: 2 }).first();
const labels = (page: Page) =>
  page.locator('form label').evaluateAll((all) => all.map((label) => label.textContent));

test('each section of the profile has its fields and its button, and leads back to the details', async ({
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
  await expect.poll(() => labels(page)).toEqual(['Name*', 'Role*', 'Email*', 'Current Password']);
  await expect(page.getByRole('button', { name: 'Update Details', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Details', exact: true }).click();
  await expect(section(page)).toHaveText('Details');

  await page.getByRole('link', { name: 'Change password', exact: true }).click();
  await expect(section(page)).toHaveText('Password');
  await expect.poll(() => labels(page)).toEqual(['Current Password*', 'New Password*', 'Confirm Password*']);
  await expect(page.locator('form input[type=password]')).toHaveCount(3);
  await expect(page.getByRole('button', { name: 'Update Password', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Details', exact: true }).click();
  await expect(section(page)).toHaveText('Details');
});

test('the password section says at each field what is missing', async ({
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
