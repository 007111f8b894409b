import { expect, test } from '../../support/browser/fixtures.ts';

test('Home lists the classes with incomplete entries and the records opened last', async ({
  staffPage: page,
  api,
}) => {
  const student = await api.createRecord([[{ title: 'Calculus', credits: 3, grade: 'A' }]], {
    current_sem: 4,
  });
  await page.goto(`/students/${student.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();

  const opened = page.getByRole('region', { name: 'Opened last' }).getByRole('listitem');
  await expect(opened.filter({ hasText: student.id })).toContainText('Incomplete');
  const toComplete = page.getByRole('region', { name: 'Entries to complete' });
  await toComplete.getByRole('listitem').first().getByRole('link').click();
  await expect(page).toHaveURL(/incomplete=true/);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
});
