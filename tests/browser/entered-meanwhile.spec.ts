import { expectNoSeriousAxeFindings } from '../support/accessibility.ts';
import { expect, test } from '../support/browser.ts';
import { field } from '../support/forms.ts';
import { aFamily } from '../support/records.ts';

test('a family that somebody else has entered meanwhile is compared with what was typed', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const { id } = await api.createStudent();
  await page.goto(`/students/${id}/family/create`);
  await field(page, "Father's name").fill('Mine');
  await field(page, "Father's occupation").fill('Teacher');
  await api.post(
    '/api/students/family',
    aFamily(id, { father_name: 'Theirs', father_occupation: 'Teacher' }),
  );
  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(page).toHaveURL(`/students/${id}/family/edit`);
  await expect(page.getByText('The family has been entered by somebody else meanwhile.')).toBeVisible();
  await expect(page.getByRole('row', { name: "Father's name Theirs Mine" })).toBeVisible();
  await expect(field(page, 'Home phone')).toHaveValue('051-5550100');
  await expectNoSeriousAxeFindings(page);
  await page.getByRole('button', { name: "Take Father's name" }).click();
  await expect(field(page, "Father's name")).toHaveValue('Theirs');
  await page.getByRole('button', { name: 'Update Entry' }).click();
  await expect(page).toHaveURL(`/students/${id}/academics/edit`);
});
