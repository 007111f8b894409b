import { registerUser } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, signIn, test } from '../../support/browser/fixtures.ts';
import { follow } from '../../support/browser/screens.ts';

// Covers 2.92, 2.94, 2.147, 2.151, 2.155, 3.42, 7.19, 7.35, 8.10, 8.11
test('an empty catalogue and an empty student list say so, link to the forms for the first entry, and are filled with invented people', async ({
  page,
  ownServer,
}) => {
  await signIn(page, await registerUser(ownServer.url));
  await page.goto(`${ownServer.url}/courses`);
  await expect(page.getByText('No courses have been created yet')).toBeVisible();
  await expectNoSeriousAxeFindings(page);

  await page.getByRole('link', { name: 'Create New Course' }).click();
  await expect(page.getByRole('heading', { name: 'Add a course' })).toBeVisible();
  await expect(page.getByText('Enter details of the course or go back')).toBeVisible();
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(page).toHaveURL(`${ownServer.url}/students`);
  await expect(page.getByText('No student entries have been created yet')).toBeVisible();

  await page.getByRole('link', { name: 'Create New Entry' }).click();
  await expect(page).toHaveURL(`${ownServer.url}/students/create`);
  await expect(page.getByRole('heading', { name: 'Create an Entry' })).toBeVisible();

  await follow(page, '/students');
  await page.getByRole('button', { name: 'Fill with invented people' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('table', { name: 'Students' })).toBeVisible();
  await expect(page.getByText('No student entries have been created yet')).toHaveCount(0);
});
