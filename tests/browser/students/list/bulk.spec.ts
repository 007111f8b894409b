import type { Locator } from '@playwright/test';
import type { StudentBase } from '../../../../src/contract/students/students.ts';
import { Api, registerUser } from '../../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../../support/browser/accessibility.ts';
import { expect, type Page, signIn, test } from '../../../support/browser/fixtures.ts';
import { follow } from '../../../support/browser/screens.ts';
import { unique } from '../../../support/records.ts';

const selectionBar = (page: Page) => page.getByRole('region', { name: 'Selected students' });
const dialog = (page: Page) => page.getByRole('dialog', { name: /^(Change|Delete) / });
const selectAll = (page: Page) => page.getByRole('checkbox', { name: 'Select all loaded students' });
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** Types letter by letter, so that no timer runs between the letters even on a busy machine. */
const typeWithoutPause = (field: Locator, text: string) =>
  field.evaluate(async (input, text) => {
    if (!(input instanceof HTMLInputElement)) throw new Error('Not an input.');
    for (const letter of text) {
      input.setRangeText(letter, input.value.length, input.value.length, 'end');
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      // React renders in microtasks.
      await Promise.resolve();
    }
  }, text);

test('selected students are moved with the keyboard after an outdated preview is refreshed; undo skips a student changed since', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(412);
  const lastName = `Khan-${unique()}`;
  const createStudent = (first_name: string, current_sem: number) =>
    api.createStudent({ first_name, last_name: lastName, current_sem });
  const ayesha = await createStudent('Ayesha', 3);
  const bilal = await createStudent('Bilal', 4);
  const zainab = await createStudent('Zainab', 8);
  const readSemester = async ({ id }: { id: string }) =>
    (await api.get<StudentBase>(`/api/students/${id}/base`)).student.current_sem;

  await page.goto(`/students?q=${lastName}`);
  await expect(row(page, 'Zainab')).toBeVisible();
  await expect(selectionBar(page)).toHaveCount(0);
  await selectAll(page).press('Space');
  await expect(selectionBar(page).getByRole('status')).toHaveText('3 selected');

  await selectionBar(page).getByRole('button', { name: 'Change' }).press('Enter');
  await expect(dialog(page)).toHaveAccessibleName('Change 3 students');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(selectionBar(page).getByRole('button', { name: 'Change' })).toBeFocused();
  await page.keyboard.press('Enter');

  await test.step('the reason of a status is previewed after a pause in typing, beside the preview before it', async () => {
    await dialog(page).getByLabel('What to change').selectOption('Set the status');
    await dialog(page).getByLabel('Status').selectOption('On leave');
    const preview = dialog(page).getByText('3 students will be given the status On leave.');
    const apply = dialog(page).getByRole('button', { name: 'Set 3 students to On leave' });
    await expect(apply).toBeEnabled();
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const previewed: unknown[] = [];
    await page.route('**/api/students/bulk/preview', async (route) => {
      previewed.push(route.request().postDataJSON().reason);
      await isAnswered;
      await route.continue();
    });
    await typeWithoutPause(dialog(page).getByLabel('Reason (optional)'), 'Fees');
    await expect.poll(() => previewed).toEqual(['Fees']);
    await expect(preview).toBeVisible();
    await expect(apply).toBeDisabled();
    answer();
    await expect(apply).toBeEnabled();
    await page.unroute('**/api/students/bulk/preview');
  });

  await dialog(page).getByLabel('What to change').selectOption('Move to the next semester');
  await expect(dialog(page).getByText('2 students will move to the next semester.')).toBeVisible();
  await expect(dialog(page).getByText('1 student stays in semester 8, the last one.')).toBeVisible();
  await expect(dialog(page).getByRole('listitem').filter({ hasText: 'Ayesha' })).toContainText(
    'Semester 3 → becomes Semester 4',
  );
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSeriousAxeFindings(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await api.send('PUT', `/api/students/${zainab.id}`, { ...zainab, current_sem: 7 });
  await dialog(page).getByRole('button', { name: 'Move 2 students' }).press('Enter');
  await expect(dialog(page).getByRole('alert')).toContainText('have changed since the preview');
  await expect(dialog(page).getByText('3 students will move to the next semester.')).toBeVisible();
  expect(await readSemester(ayesha)).toBe(3);

  await dialog(page).getByRole('button', { name: 'Move 3 students' }).press('Enter');
  await expect(page.getByText('3 students have been moved to the next semester.')).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  await expect(selectionBar(page)).toHaveCount(0);
  await expect(page.locator('#main')).toBeFocused();
  await expect(row(page, 'Zainab')).toBeVisible();
  expect(await Promise.all([ayesha, bilal, zainab].map(readSemester))).toEqual([4, 5, 8]);

  await api.send('PUT', `/api/students/${bilal.id}`, { ...bilal, current_sem: 6 });
  await page.keyboard.press('F8');
  await page.keyboard.press('Enter');
  await expect(
    page.getByText('2 students are as before. 1 of 3 had been changed since and was left as it is.'),
  ).toBeVisible();
  expect(await Promise.all([ayesha, bilal, zainab].map(readSemester))).toEqual([3, 6, 7]);
});

test('an administrator deletes all matching students but one and undoes it in the history; a viewer cannot select students', async ({
  page,
  server: { url },
  admin,
}) => {
  const api = new Api(url, admin.token);
  const degree = unique();
  const names = Array.from({ length: 11 }, (_, i) => `Ayesha ${String.fromCharCode(65 + i)}`);
  for (const first_name of [...names, 'Hamza']) {
    await api.createRecord([[{ title: 'Calculus', credits: 3, grade: 'A' }]], { first_name, degree });
  }
  await signIn(page, admin);
  await page.goto(`/students?degree=${degree}`);
  await selectAll(page).check();
  await page.getByRole('checkbox', { name: /^Select Hamza/ }).uncheck();
  await selectionBar(page).getByRole('button', { name: 'Delete' }).click();
  await expect(dialog(page).getByText('11 students will be deleted')).toBeVisible();
  await expect(dialog(page).getByText('Hamza')).toHaveCount(0);
  const deleteAll = dialog(page).getByRole('button', { name: 'Delete 11 students' });
  await expect(deleteAll).toBeDisabled();
  await dialog(page).getByRole('textbox', { name: 'Type 11 to delete them' }).fill('1');
  await expect(deleteAll).toBeDisabled();
  await dialog(page).getByRole('textbox').fill('11');
  await deleteAll.click();
  await expect(page.getByText('11 students have been deleted from the database.')).toBeVisible();
  await expect(row(page, 'Hamza')).toBeVisible();
  await expect(row(page, names[0] ?? '')).toHaveCount(0);

  // Later, the history undoes it for all of them.
  await follow(page, '/history');
  await page
    .getByRole('button', { name: /^Undo for all 11, / })
    .first()
    .click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByText('11 students have been restored.')).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await follow(page, '/bulk-changes');
  const change = page.getByRole('listitem').filter({ hasText: 'You deleted 11 students' });
  await expect(change.getByText('Undone: 11 students have been restored.')).toBeVisible();
  await expect(change.getByRole('button')).toHaveCount(0);

  const viewer = await registerUser(url);
  await api.send('PUT', `/api/users/${viewer.user.id}`, {
    ...viewer.user,
    role: 'viewer',
    password: admin.password,
  });
  await signIn(page, { ...viewer, user: { ...viewer.user, role: 'viewer' } });
  await page.goto(`/students?degree=${degree}`);
  await expect(row(page, 'Hamza')).toBeVisible();
  await expect(page.getByRole('checkbox')).toHaveCount(0);
});
