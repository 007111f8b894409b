import { registerUser } from '../support/api.ts';
import { expect, signIn, test } from '../support/browser.ts';

test('without any student the list says so and leads to the first entry', async ({ page, ownServer }) => {
  await signIn(page, await registerUser(ownServer.url), ownServer.url);
  await page.goto(`${ownServer.url}/students`);
  await expect(page.getByText('No student entries have been created yet')).toBeVisible();
  await page.getByRole('link', { name: 'Create New Entry' }).click();
  await expect(page).toHaveURL(`${ownServer.url}/students/create`);
  await expect(page.getByRole('heading', { name: 'Create an Entry' })).toBeVisible();
});
