import { registerUser } from '../support/browser/api.ts';
import { expect, signIn, test } from '../support/browser/fixtures.ts';

// Covers 2.92, 2.94, 3.42, 7.19, 8.10
test('an empty student list says so and links to the form for the first entry', async ({
  page,
  ownServer,
}) => {
  await signIn(page, await registerUser(ownServer.url), ownServer.url);
  await page.goto(`${ownServer.url}/students`);
  await expect(page.getByText('No student entries have been created yet')).toBeVisible();
  await page.getByRole('link', { name: 'Create New Entry' }).click();
  await expect(page).toHaveURL(`${ownServer.url}/students/create`);
  await expect(page.getByRole('heading', { name: 'Create an Entry' })).toBeVisible();
});
