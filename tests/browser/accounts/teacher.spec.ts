import { Api, registerUser } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, signIn, test } from '../../support/browser/fixtures.ts';
import { makeSheet } from '../../support/browser/mark-sheets.ts';
import { follow } from '../../support/browser/screens.ts';

// Covers 6.4
test('a teacher has Home and their own mark sheets, fills and submits one, and finds nothing else', async ({
  page,
  server,
  admin,
  expectedProblems,
}) => {
  const adminApi = new Api(server.url, admin.token);
  const teacher = await registerUser(server.url, 'Tahir Teacher');
  const user = { ...teacher.user, role: 'teacher' as const };
  const changed = await adminApi.send('PUT', `/api/users/${user.id}`, { ...user, password: admin.password });
  expect(changed.status).toBe(200);
  const { sheet, ids } = await makeSheet({ api: adminApi, admin: adminApi }, [90, null]);
  const other = await makeSheet({ api: adminApi, admin: adminApi }, [90]);
  const named = await adminApi.send('PUT', `/api/sheets/${sheet.sheet_id}/teachers`, { ids: [user.id] });
  expect(named.status).toBe(200);
  await signIn(page, { ...teacher, user });

  await page.goto('/');
  const main = page.getByRole('main');
  const enter = main.getByRole('link', { name: 'Enter marks: Signals' });
  await expect(enter).toBeVisible();
  await expect(main.getByText('Enter 1 mark', { exact: true })).toBeVisible();
  await expect(main.getByText('1 of 2 marks')).toBeVisible();
  await expect(main.getByRole('heading', { name: 'Opened last' })).toHaveCount(0);
  const entries = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await expect(entries).toHaveText(['Home', 'Users', 'Mark sheets']);
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox').fill('students');
  await expect(dialog.getByRole('option', { name: 'Students' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expectNoSeriousAxeFindings(page);

  await enter.click();
  await expect(page).toHaveURL(`/marksheets/${sheet.sheet_id}`);
  const tabs = page.getByRole('navigation', { name: 'Mark sheet' }).getByRole('link');
  await expect(tabs).toHaveText(['Marks', 'Class', 'Grades', 'Submit']);
  await expect(main.getByRole('link', { name: 'Set-up' })).toHaveCount(0);
  await page
    .getByRole('row')
    .filter({ hasText: ids[1] ?? '' })
    .getByRole('gridcell')
    .nth(2)
    .click();
  await page.keyboard.type('70');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => adminApi.get(`/api/sheets/${sheet.sheet_id}`))
    .toMatchObject({
      sheet: { rows: [{ total: 90 }, { total: 70 }] },
    });
  await tabs.nth(1).click();
  await expect(main.getByRole('button', { name: /Change the row/ }).first()).toBeVisible();
  await expect(main.getByRole('button', { name: /off the list|Add students/ })).toHaveCount(0);
  await expect(main.getByRole('table').getByRole('link')).toHaveCount(0);
  await tabs.nth(2).click();
  await expect(main.getByRole('heading').first()).toBeVisible();
  await tabs.nth(3).click();
  const reasons = main.getByRole('textbox', { name: 'Reason' });
  await reasons.first().waitFor();
  for (const reason of await reasons.all()) await reason.fill('Discussed in the department meeting.');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('button', { name: 'Take back' })).toBeVisible();
  await expectNoSeriousAxeFindings(page);

  await follow(page, '/marksheets');
  await expect(main.getByRole('link', { name: 'Result notifications' })).toHaveCount(0);
  for (const path of ['/students', `/students/${ids[0]}`, '/courses', '/insights', '/reports', '/settings']) {
    await follow(page, path);
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  }
  expectedProblems.add(404);
  await follow(page, `/marksheets/${other.sheet.sheet_id}`);
  await expect(main.getByText('There is no such mark sheet.')).toBeVisible();
});
