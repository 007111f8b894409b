import type { Sheet } from '../../../src/contract/marksheets/sheets.ts';
import { Api, registerUser } from '../../support/api.ts';
import { expect, type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { createSheet, markCell, storedCells } from '../../support/browser/marks-grid.ts';

const STUDENTS = 40;
const ONE = [
  { name: 'Final', weight: 100, best_of: null, components: [{ name: 'Final', max: 100 }] },
] as const;

/** Types a value into each row of a column, from the one that has the focus on. */
async function typeColumn(page: Page, values: readonly number[]): Promise<void> {
  for (const value of values) {
    await page.keyboard.type(String(value));
    await page.keyboard.press('Enter');
  }
}

const openedSheet = async (api: Api, { sheet_id }: Sheet) =>
  (await api.get<{ sheet: Sheet }>(`/api/sheets/${sheet_id}`)).sheet;

// Covers 6.4
test('staff name a teacher, who fills a class of 40 by keyboard, loses it while it is open and nothing typed, and submits it', async ({
  browser,
  page: office,
  server,
  admin,
  account,
  api,
}) => {
  test.slow();
  const adminApi = new Api(server.url, admin.token);
  const teacher = await registerUser(server.url, 'Sumaira Naz');
  const user = { ...teacher.user, role: 'teacher' as const };
  const changed = await adminApi.send('PUT', `/api/users/${user.id}`, { ...user, password: admin.password });
  expect(changed.status).toBe(200);
  const sheet = await createSheet(adminApi, { students: STUDENTS, categories: ONE });
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  const marks = Array.from({ length: STUDENTS }, (_, i) => 50 + i);
  const attended = Array.from({ length: STUDENTS }, (_, i) => (i === 0 ? 20 : 28));

  const addTeacher = async () => {
    await office.getByRole('button', { name: 'Add a teacher' }).press('Enter');
    const dialog = office.getByRole('dialog', { name: 'Add a teacher' });
    const option = dialog.getByRole('option', { name: `Sumaira Naz, Teacher, ${user.email}` });
    await dialog.getByRole('combobox', { name: 'Account' }).selectOption(await option.innerText());
    await dialog.getByRole('combobox', { name: 'Account' }).press('Enter');
    await dialog.getByRole('button', { name: 'Add', exact: true }).press('Enter');
    await expect(office.getByRole('list', { name: 'Teachers' })).toContainText('Sumaira Naz');
  };

  await test.step('staff name the teacher of a sheet that has none', async () => {
    await signIn(office, account);
    await office.goto(`/marksheets/${sheet.sheet_id}/class`);
    await expect(office.getByText('nobody', { exact: true })).toBeVisible();
    await addTeacher();
    await expect(office.getByText('nobody', { exact: true })).toBeHidden();
  });

  await test.step('the teacher enters the marks from Home', async () => {
    await signIn(page, { ...teacher, user });
    await page.goto('/');
    await page.getByRole('link', { name: 'Enter marks: Signals' }).press('Enter');
    await markCell(page, 0, 0).click();
    await typeColumn(page, marks);
    await expect.poll(() => storedCells(api, sheet)).toEqual(marks.map(String));
    // The office sees it without a reload.
    await office.getByRole('link', { name: 'Marks', exact: true }).click();
    await expect(markCell(office, 0, 0)).toContainText('50');
  });

  await test.step('and the attendance in the class list', async () => {
    await page.getByRole('link', { name: 'Class', exact: true }).press('Enter');
    await page
      .getByRole('textbox', { name: /^Theory, / })
      .first()
      .focus();
    await page.keyboard.press('h');
    await page.keyboard.type('30');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeHidden();
    await typeColumn(page, attended);
    await expect
      .poll(async () => (await openedSheet(api, sheet)).rows.map((row) => row.attendance?.theory?.attended))
      .toEqual(attended);
  });

  await test.step('a mark that is typed after the right is gone is refused and kept', async () => {
    await page.getByRole('link', { name: 'Marks', exact: true }).press('Enter');
    await markCell(page, 0, 0).click();
    await office.getByRole('link', { name: 'Class', exact: true }).click();
    await office.getByRole('button', { name: 'Take Sumaira Naz off this mark sheet' }).click();
    await office.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
    await expect(office.getByText('nobody', { exact: true })).toBeVisible();
    await page.keyboard.type('99');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Not saved. There is no such mark sheet.')).toBeVisible();
    await expect(markCell(page, 0, 0)).toContainText('99');
    expect((await storedCells(api, sheet))[0]).toBe('50');
  });

  await test.step('it is stored once the teacher is named again', async () => {
    await addTeacher();
    await page.goto(`/marksheets/${sheet.sheet_id}`);
    await expect.poll(async () => (await storedCells(api, sheet))[0]).toBe('99');
  });

  await test.step('the teacher submits with a reason for who is short', async () => {
    await page.getByRole('link', { name: 'Submit', exact: true }).press('Enter');
    const reasons = page.getByRole('textbox', { name: 'Reason' });
    await expect(page.getByText('1 student short of attendance, not condoned.')).toBeVisible();
    for (const reason of await reasons.all()) await reason.fill('Discussed in the department meeting.');
    await page.getByRole('button', { name: 'Submit' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Take back' })).toBeVisible();
    expect(await openedSheet(api, sheet)).toMatchObject({
      state: 'submitted',
      submitted_by: { id: user.id },
    });
  });
  await context.close();
});
