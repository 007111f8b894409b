import { expectNoSeriousAxeFindings } from '../support/browser/accessibility.ts';
import { expect, type Page, test } from '../support/browser/fixtures.ts';
import { field, subjectCard } from '../support/browser/forms.ts';

const SUBJECTS = [{ title: 'Calculus', credits: 3, grade: 'A' }] as const;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('an edit can stop at a semester without results as long as its form is empty', async ({
  staffPage: page,
  api,
}) => {
  const { id } = await api.createRecord([SUBJECTS], { current_sem: 2 });
  await page.goto(`/students/${id}/academics/edit`);
  await expect(page.getByRole('heading', { name: 'Semester 1', exact: true })).toBeVisible();
  await expect(button(page, 'Leave it for later')).toBeHidden();
  await button(page, 'Update Semester Entry').click();
  await expect(page.getByRole('heading', { name: 'Semester 2', exact: true })).toBeVisible();
  await expectNoSeriousAxeFindings(page);
  const title = field(subjectCard(page, 1), 'Title');
  await title.fill('Physics');
  await expect(button(page, 'Leave it for later')).toBeHidden();
  await title.fill('');
  await button(page, 'Leave it for later').click();
  await expect(page).toHaveURL('/students');
  await expect(page.getByText('Entry has been updated successfully', { exact: true })).toBeVisible();
  const { academics } = await api.get<{ academics: unknown[] }>(`/api/students/${id}`);
  expect(academics).toHaveLength(1);
});
