import { Api } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { makeSheet, putMarks } from '../../support/browser/mark-sheets.ts';
import { expectStored, markCell, openGrid } from '../../support/browser/marks-grid.ts';
import { follow } from '../../support/browser/screens.ts';

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Mark sheet' }).getByRole('link', { name, exact: true });

test('a sheet is not submitted while marks of this browser are wrong, in conflict or not sent', async ({
  staffPage: page,
  account,
  server,
  admin,
  api,
  context,
  expectedProblems,
}) => {
  expectedProblems.add('offline');
  const { sheet, ids } = await makeSheet({ api, admin: new Api(server.url, admin.token) }, [90, 72, 50]);
  const [first = '', second = ''] = ids;
  const submissions: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/submit')) submissions.push(request.url());
  });
  const submit = page.getByRole('button', { name: 'Submit' });
  const isFree = async () => {
    await expect(page.getByText(/^Ready (to submit|when)/)).toBeVisible();
    await expect(submit).toBeEnabled();
  };

  await test.step('a wrong mark is listed with a link to its cell, also after a reload', async () => {
    await openGrid(page, sheet);
    await page.keyboard.type('899');
    await page.keyboard.press('Enter');
    await expect(page.getByText('1 mark not saved')).toBeVisible();
    await expect(page.getByText('2 of 3 marks')).toBeVisible();
    await follow(page, '/');
    await page.getByRole('link', { name: `Mark sheet ${sheet.sheet_id}: 1 mark` }).press('Enter');
    await tab(page, 'Confirm').click();
    await page.reload();
    await expect(page.getByText('1 mark that was typed in this browser is not saved.')).toBeVisible();
    await expect(page.getByText('899. 899 is over the full marks of 100.')).toBeVisible();
    await expect(page.getByText('1 mark not saved')).toBeVisible();
    await expect(submit).toBeDisabled();
    const reason = page.getByRole('textbox', { name: 'Reason' }).first();
    await reason.fill('Discussed in the department meeting.');
    await page.keyboard.press('Control+Enter');
    await expectNoSeriousAxeFindings(page);
    await page.getByRole('link', { name: `Ali 1 Siddiqui ${first}, Final` }).click();
    await expect(markCell(page, 0, 0)).toBeFocused();
    await expect(markCell(page, 0, 0)).toHaveAccessibleDescription('899 is over the full marks of 100.');
    await page.keyboard.type('89');
    await page.keyboard.press('Enter');
    await expectStored(api, sheet, ['89', '72', '50']);
    await tab(page, 'Confirm').click();
    await isFree();
  });

  await test.step('so is a mark that waits, and a conflict', async () => {
    await tab(page, 'Marks').click();
    await page.route('**/cells', (route) => route.abort('connectionrefused'));
    await markCell(page, 1, 0).click();
    await page.keyboard.type('73');
    await page.keyboard.press('Enter');
    await tab(page, 'Confirm').click();
    await expect(page.getByText('73. It is not sent yet.')).toBeVisible();
    await expect(submit).toBeDisabled();
    await putMarks(api, sheet, [[second, 74, 72]]);
    await expect(page.getByText('73. Somebody else has changed the cell.')).toBeVisible();
    await page.unroute('**/cells');
    await page.getByRole('link', { name: new RegExp(second) }).click();
    await expect(markCell(page, 1, 0)).toBeFocused();
    await page.getByRole('button', { name: 'Take 74' }).click();
    await tab(page, 'Confirm').click();
    await isFree();
  });

  await test.step('another window of this browser counts, too', async () => {
    const other = await context.newPage();
    await signIn(other, account);
    await openGrid(other, sheet);
    await other.keyboard.type('x');
    await other.keyboard.press('Enter');
    await expect(page.getByText(/^: x\. “x” is no mark\./)).toBeVisible();
    await expect(submit).toBeDisabled();
    await page.getByRole('link', { name: new RegExp(first) }).click();
    await expect(markCell(page, 0, 0)).toContainText('“x” is no mark.');
    await other.keyboard.press('Control+Home');
    await other.keyboard.type('88');
    await other.keyboard.press('Enter');
    await expectStored(api, sheet, ['88', '74', '50']);
    await expect(markCell(page, 0, 0)).toHaveText('88');
    await other.close();
    await tab(page, 'Confirm').click();
    await isFree();
  });

  await test.step('on a phone the link leads to the field', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await tab(page, 'Marks').click();
    const field = page.getByRole('textbox', { name: second });
    await field.fill('740');
    await field.press('Enter');
    await tab(page, 'Confirm').click();
    await page.getByRole('link', { name: new RegExp(second) }).click();
    await expect(field).toBeFocused();
    await field.fill('75');
    await field.press('Enter');
    await expectStored(api, sheet, ['88', '75', '50']);
  });

  await test.step('what is still being typed is kept when the page is printed, turned, left or loaded again', async () => {
    const third = ids[2] ?? '';
    const field = page.getByRole('textbox', { name: third });
    await field.fill('51');
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await expect(page.getByRole('grid')).toBeVisible();
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await expect(page.getByRole('grid')).toHaveCount(0);
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('51');
    await page.setViewportSize({ width: 1440, height: 900 });
    await expectStored(api, sheet, ['88', '75', '51']);
    await markCell(page, 2, 0).click();
    await page.keyboard.type('52');
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(field).toHaveValue('52');
    await expectStored(api, sheet, ['88', '75', '52']);
    await page.setViewportSize({ width: 1440, height: 900 });
    await markCell(page, 2, 0).click();
    await page.keyboard.type('53');
    await page.reload();
    await expectStored(api, sheet, ['88', '75', '53']);
    await markCell(page, 2, 0).click();
    await page.keyboard.type('54');
    await page.close({ runBeforeUnload: true });
    const later = await context.newPage();
    await signIn(later, account);
    await openGrid(later, sheet);
    await expectStored(api, sheet, ['88', '75', '54']);
    await later.close();
  });
  expect(submissions, 'submissions while marks were unsaved').toEqual([]);
});

test('what was typed and not saved is removed a day later, or by logging out, which says so', async ({
  staffPage: page,
  server,
  admin,
  api,
}) => {
  const { sheet } = await makeSheet({ api, admin: new Api(server.url, admin.token) }, [90, 72]);
  const findDrafts = () =>
    page.evaluate(() =>
      [sessionStorage, localStorage].flatMap((storage) =>
        Object.keys(storage).filter((key) => key.startsWith('DRAFT:')),
      ),
    );
  /** As if all that is stored had been typed that long ago. */
  const setBack = (hours: number) =>
    page.evaluate((milliseconds) => {
      for (const storage of [sessionStorage, localStorage]) {
        for (const key of Object.keys(storage).filter((key) => key.startsWith('DRAFT:'))) {
          const stored = JSON.parse(storage.getItem(key) ?? '{}') as { at: number };
          storage.setItem(key, JSON.stringify({ ...stored, at: stored.at - milliseconds }));
        }
      }
    }, hours * 3_600_000);
  const typeWrongMark = async () => {
    await openGrid(page, sheet);
    await page.keyboard.type('899');
    await page.keyboard.press('Enter');
    await expect(page.getByText('1 mark not saved')).toBeVisible();
  };
  const courseName = page.getByRole('textbox', { name: 'Course name' });

  await test.step('within a day a draft and an unsent mark are found again', async () => {
    await typeWrongMark();
    await follow(page, '/courses/create');
    await courseName.fill('Thermodynamics');
    expect(await findDrafts()).toHaveLength(2);
    await setBack(23.9);
    await page.reload();
    await expect(courseName).toHaveValue('Thermodynamics');
    expect(await findDrafts()).toHaveLength(2);
  });

  await test.step('after a day they are gone', async () => {
    await setBack(0.2);
    await page.reload();
    await expect(courseName).toHaveValue('');
    expect(await findDrafts()).toEqual([]);
    await openGrid(page, sheet);
    await expect(markCell(page, 0, 0)).toHaveText('90');
  });

  await test.step('logging out says which marks it discards', async () => {
    const dialog = page.getByRole('alertdialog', { name: 'You will be logged out. Do you wish to proceed?' });
    const logout = page.getByRole('navigation').getByRole('button', { name: 'Logout' });
    await logout.click();
    await expect(dialog).toBeVisible();
    await expect(dialog).not.toContainText('not saved');
    await dialog.getByRole('button', { name: 'No' }).click();
    await typeWrongMark();
    await logout.click();
    await expect(dialog).toHaveAccessibleDescription('1 mark is not saved. Logging out discards it.');
    expect(await findDrafts()).toHaveLength(1);
    await dialog.getByRole('button', { name: 'Yes' }).click();
    await expect(page).toHaveURL('/login');
    expect(await findDrafts()).toEqual([]);
  });
});
