import { expectNoSeriousAxeFindings } from '../../../support/browser/accessibility.ts';
import { expect, test } from '../../../support/browser/fixtures.ts';

test('staff delete the last recorded semester from its drawer and undo it', async ({
  staffPage: page,
  api,
}) => {
  const { id } = await api.createRecord([
    [{ title: 'Calculus', credits: 3, grade: 'A' }],
    [{ title: 'Statics', credits: 3, grade: 'C' }],
  ]);
  const semester = (number: number) =>
    page.getByRole('button', { name: new RegExp(`^Semester ${number} SGPA`) });
  const remove = page.getByRole('button', { name: /^Delete semester/ });

  await page.goto(`/students/${id}`);
  await semester(1).click();
  await page.getByRole('link', { name: 'Edit Semester 1' }).click();
  await expect(page.getByRole('heading', { name: 'Semester 1' })).toBeVisible();
  await expect(remove).toHaveCount(0);
  await page.getByRole('button', { name: 'Update Semester Entry' }).click();
  await expect(page.getByRole('heading', { name: 'Semester 2' })).toBeVisible();
  await remove.click();
  await expect(page.getByText('Are you sure you want to delete semester 2 with its results?')).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();

  await expect(page).toHaveURL(`/students/${id}`);
  await expect(page.getByText('Semester 2 has been deleted.')).toBeVisible();
  await expect(semester(1)).toBeVisible();
  await expect(semester(2)).toHaveCount(0);
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Semester 2 has been restored.')).toBeVisible();
  await expect(semester(2)).toBeVisible();
  await expectNoSeriousAxeFindings(page);
});
