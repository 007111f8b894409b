import { expectNoSeriousAxeFindings } from '../support/accessibility.ts';
import type { Api } from '../support/api.ts';
import { expect, type Page, test } from '../support/browser.ts';
import { field, subjectCard } from '../support/forms.ts';

const SUBJECTS = [{ title: 'Calculus', credits: 3, grade: 'A' }] as const;

const question = (page: Page, semester: number) =>
  page.getByRole('alertdialog', { name: `Record semester ${semester} without subjects?` });
const answer = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const create = (page: Page) => page.getByRole('button', { name: 'Create Semester Entry' });
const update = (page: Page) => page.getByRole('button', { name: 'Update Semester Entry' });
const sgpas = async (api: Api, id: string) =>
  (await api.get<{ academics: { sgpa: number }[] }>(`/api/students/${id}`)).academics.map(({ sgpa }) => sgpa);

test('a new entry asks before a semester in which nothing stands is recorded', async ({
  staffPage: page,
  api,
}) => {
  const { id } = await api.createRecord([], { current_sem: 1 });
  await page.goto(`/students/${id}/academics/create`);
  await create(page).click();
  await expect(question(page, 1)).toBeVisible();
  await expect(answer(page, 'Go back')).toBeFocused();
  await expect(answer(page, 'Leave it for later')).toBeHidden();
  await expectNoSeriousAxeFindings(page);
  await answer(page, 'Go back').click();
  await expect(question(page, 1)).toBeHidden();
  await expect(create(page)).toBeFocused();
  expect(await sgpas(api, id)).toEqual([]);

  await create(page).click();
  await answer(page, 'Record it empty').click();
  await expect(page.getByText('Entry has been created successfully')).toBeVisible();
  expect(await sgpas(api, id)).toEqual([0]);
});

test('an edit can end before a semester in which nothing stands, without recording it', async ({
  staffPage: page,
  api,
}) => {
  const { id } = await api.createRecord([SUBJECTS], { current_sem: 2 });
  await page.goto(`/students/${id}/academics/edit`);
  await update(page).click();
  await expect(page.getByRole('heading', { name: 'Semester 2', exact: true })).toBeVisible();
  await update(page).click();
  await expect(question(page, 2)).toBeVisible();
  await expectNoSeriousAxeFindings(page);
  await answer(page, 'Leave it for later').click();
  await expect(page).toHaveURL('/students');
  await expect(page.getByText('Entry has been updated successfully', { exact: true })).toBeVisible();
  expect(await sgpas(api, id)).toEqual([4]);
});

test('a semester with anything in it, or recorded before, is not asked about', async ({
  staffPage: page,
  api,
}) => {
  const { id } = await api.createRecord([SUBJECTS], { current_sem: 2 });
  await page.goto(`/students/${id}/academics/edit`);
  await answer(page, 'Remove subject 1').click();
  await update(page).click();
  await expect(page.getByRole('heading', { name: 'Semester 2', exact: true })).toBeVisible();
  await field(subjectCard(page, 1), 'Title').fill('Physics');
  await update(page).click();
  await expect(page.getByText('Entry has been updated successfully', { exact: true })).toBeVisible();
  expect(await sgpas(api, id)).toEqual([0, 0]);
});
