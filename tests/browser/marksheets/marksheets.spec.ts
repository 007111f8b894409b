import { Api, registerUser } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { makeSheet, putMarks } from '../../support/browser/mark-sheets.ts';
import {
  createSheet,
  expectStored,
  markCell,
  openGrid,
  sheetPage,
} from '../../support/browser/marks-grid.ts';

/** Pastes text as from a spreadsheet. The clipboard of the machine is shared between tests. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);
}

const quizzes = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ name: `Quiz ${i + 1}`, max: 10 }));

test('marks are typed like in a spreadsheet, and saved by themselves', async ({
  staffPage: page,
  server,
  admin,
  api,
}) => {
  const sheet = await createSheet(new Api(server.url, admin.token), { students: 3 });
  await openGrid(page, sheet);
  await page.keyboard.type('30');
  await page.keyboard.press('Tab');
  await page.keyboard.type('64,5');
  // Back below the cell in which the row began.
  await page.keyboard.press('Enter');
  await page.keyboard.type('a');
  await page.keyboard.press('Tab');
  await page.keyboard.type('80');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.type('7');
  await page.keyboard.press('Escape');
  await page.keyboard.type('e');
  await page.keyboard.press('Enter');
  await expect(markCell(page, 2, 1)).toBeFocused();
  await expect(page.getByRole('row').nth(2)).toContainText('68.70');
  await expect(page.getByRole('row').nth(3)).toContainText('48.00');
  await expect(page.getByRole('row', { name: 'Missing' })).toContainText('Missing101');
  await expectStored(api, sheet, ['30 64.5', 'A 80', '- E']);
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();

  // F2 changes the text that is there; Delete empties.
  await markCell(page, 0, 0).click();
  await page.keyboard.press('F2');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('9');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Delete');
  await expectStored(api, sheet, ['39 64.5', '- 80', '- E']);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expectStored(api, sheet, ['30 64.5', 'A 80', '- E']);
  await page.keyboard.press('Control+y');
  await expectStored(api, sheet, ['39 64.5', 'A 80', '- E']);
  await page.reload();
  await expect(markCell(page, 0, 0)).toHaveText('39');
});

test('total and grade stay in sight beside a class that fills the window', async ({
  staffPage: page,
  server,
  admin,
  api,
}) => {
  const categories = [
    { name: 'Quizzes', weight: 30, best_of: 2, components: quizzes(6) },
    {
      name: 'Tests',
      weight: 20,
      components: [
        { name: 'Test 1', max: 50 },
        { name: 'Test 2', max: 50 },
      ],
    },
    { name: 'Final', weight: 50, components: [{ name: 'Final', max: 100 }] },
  ];
  const sheet = await createSheet(new Api(server.url, admin.token), { students: 36, categories });
  const [first] = sheet.rows;
  const cells = sheet.categories.flatMap(({ components }) =>
    components.map(({ component_id, max }) => ({
      ...{ student_id: first?.student_id, component_id, value: max, was: null },
    })),
  );
  await api.send('PUT', `/api/sheets/${sheet.sheet_id}/cells`, { cells });
  await openGrid(page, sheet);
  const row = page.getByRole('row').filter({ hasText: first?.student_id ?? '' });
  const [total, grade] = [row.getByRole('gridcell').nth(-2), row.getByRole('gridcell').last()];
  for (const [width, height] of [
    [1920, 1080],
    [1366, 768],
    [1280, 720],
    [1024, 768],
    [768, 1024],
  ] as const) {
    await test.step(`${width} × ${height}`, async () => {
      await page.setViewportSize({ width, height });
      // Each tab is whole: its middle is its own.
      for (const tab of await page.getByRole('navigation', { name: 'Mark sheet' }).getByRole('link').all()) {
        await tab.click({ trial: true });
        expect((await tab.boundingBox())?.height).toBeGreaterThanOrEqual(40);
      }
      for (const key of ['Home', 'End']) {
        await page.keyboard.press(key);
        await expect(total).toHaveText('100.00');
        await expect(total).toBeInViewport({ ratio: 1 });
        await expect(grade).toHaveText('A');
        await expect(grade).toBeInViewport({ ratio: 1 });
        // What is typed into is between the columns that stay.
        const cell = await page.locator('td:focus').boundingBox();
        const edge = await total.boundingBox();
        expect((cell?.x ?? 0) + (cell?.width ?? 0)).toBeLessThanOrEqual((edge?.x ?? 0) + 1);
      }
    });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.getByRole('columnheader', { name: 'Quizzes 30 %, best 2 of 6' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Grade proposed' })).toBeVisible();
  await page.keyboard.press('Delete');
  await expect(total).toHaveText('50.00 of 50');
  await expect(grade).toHaveText('--');
  await expectNoSeriousAxeFindings(page);
});

test('ranges are copied, cut, filled down and emptied', async ({ staffPage: page, server, admin, api }) => {
  const sheet = await createSheet(new Api(server.url, admin.token), { students: 4 });
  await openGrid(page, sheet);
  await paste(page, '10\t20\n11\t21\n');
  await expectStored(api, sheet, ['10 20', '11 21', '- -', '- -']);
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Control+Shift+ArrowDown');
  await expect(page.getByText('8 cells')).toBeVisible();
  await page.keyboard.press('Control+d');
  await expectStored(api, sheet, ['10 20', '10 20', '10 20', '10 20']);
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Shift+Home');
  const copied = await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('cut', { clipboardData, bubbles: true, cancelable: true }),
    );
    return clipboardData.getData('text/plain');
  });
  expect(copied).toBe('10\t20');
  await expectStored(api, sheet, ['10 20', '10 20', '10 20', '- -']);
  // All cells are copied with the heads, the IDs and the names.
  await page.keyboard.press('Control+a');
  const whole = await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }),
    );
    return clipboardData.getData('text/plain').split('\n');
  });
  expect(whole.slice(0, 2)).toEqual([
    'CMS ID\tName\tMid\tFinal',
    `${sheet.rows[0]?.student_id}\tAyesha Siddiqui\t10\t20`,
  ]);
  await page.keyboard.press('Delete');
  await expectStored(api, sheet, ['- -', '- -', '- -', '- -']);
});

test('a wrong mark stays in its cell, is explained and not sent', async ({
  staffPage: page,
  server,
  admin,
  api,
}) => {
  const sheet = await createSheet(new Api(server.url, admin.token), { students: 2 });
  await openGrid(page, sheet);
  await page.keyboard.type('41');
  await page.keyboard.press('Enter');
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await expectStored(api, sheet, ['- -', '12 -']);
  await page.reload();
  await markCell(page, 0, 0).click();
  await expect(markCell(page, 0, 0)).toHaveAttribute('aria-invalid', 'true');
  await expect(markCell(page, 0, 0)).toHaveAccessibleDescription('41 is over the full marks of 40.');
  await expectNoSeriousAxeFindings(page);
  await page.getByRole('button', { name: 'Wrong 1' }).click();
  // Two rows of heads, three of statistics.
  await expect(page.getByRole('row')).toHaveCount(6);
  await markCell(page, 0, 0).click();
  await page.keyboard.type('14');
  await page.keyboard.press('Enter');
  await expectStored(api, sheet, ['14 -', '12 -']);
});

test('what is pasted goes to its students and component, after what it changes and leaves out was shown', async ({
  staffPage: page,
  server,
  admin,
  api,
}) => {
  const sheet = await createSheet(new Api(server.url, admin.token), { students: 3 });
  const [first, second, third] = sheet.rows.map(({ student_id }) => student_id);
  const [name] = sheet.rows.map((row) => `${row.first_name} ${row.last_name}`);
  await openGrid(page, sheet);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('50');
  await page.keyboard.press('Enter');

  await test.step('by ID, what is at fault first, with one key', async () => {
    await markCell(page, 0, 1).click();
    await paste(page, `CMS ID\tFinal\n${third}\t71.5\nX-1\t55\n${first}\t60\n${second}\t640\n`);
    const dialog = page.getByRole('dialog', { name: 'Paste 5 rows?' });
    await expect(dialog.getByText('2 marks fit, 2 are left out.')).toBeVisible();
    await expect(dialog.getByRole('row').nth(1)).toContainText('Not on this mark sheet');
    await expect(dialog.getByRole('row', { name: `${first} ` })).toContainText('5060');
    await expect(dialog.getByRole('row').nth(2)).toContainText('over the full marks of 100');
    await expectNoSeriousAxeFindings(page);
    await expect(dialog.getByRole('button', { name: 'Paste 2 marks' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expectStored(api, sheet, ['- 60', '- -', '- 71.5']);
    await expect(markCell(page, 0, 1)).toBeFocused();
    await page.keyboard.press('Control+z');
    await expectStored(api, sheet, ['- 50', '- -', '- -']);
  });

  await test.step('serial numbers and names are left out; a heading chooses the component', async () => {
    await markCell(page, 0, 1).click();
    await paste(
      page,
      `S.No\tCMS ID\tName\t"Mid\n(out of 40)"\n1\t${first}\t${name}\t31\n2\t${second}\tSomebody Else\t32\n`,
    );
    const dialog = page.getByRole('dialog', { name: 'Paste 3 rows?' });
    await expect(dialog.getByText('Left out: “S.No”; “Name”.')).toBeVisible();
    await expect(dialog.getByRole('row').nth(1)).toContainText('Pasted with the name Somebody Else.');
    await expect(dialog.getByText('1 mark with another name.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Paste 2 marks' }).click();
    await expectStored(api, sheet, ['31 50', '32 -', '- -']);
    await page.keyboard.press('Control+z');
    await expectStored(api, sheet, ['- 50', '- -', '- -']);
  });

  await test.step('students are known by their IDs, also those that a search hides', async () => {
    const find = page.getByRole('searchbox', { name: 'Find a student' });
    await find.fill(first ?? '');
    await expect(page.getByRole('row', { name: second ?? '' })).toHaveCount(0);
    await markCell(page, 0, 1).click();
    await paste(page, `CMS ID,Final\n${second},62\n${third},63\n`);
    const dialog = page.getByRole('dialog', { name: 'Paste 3 rows?' });
    await dialog.getByRole('button', { name: 'Paste 2 marks' }).click();
    await expectStored(api, sheet, ['- 50', '- 62', '- 63']);
    await find.clear();
    await markCell(page, 0, 1).click();
    await page.keyboard.press('Control+z');
    await expectStored(api, sheet, ['- 50', '- -', '- -']);
  });

  await test.step('a column with its heading goes to the rows in their order', async () => {
    await markCell(page, 0, 0).click();
    await paste(page, 'Mid\r\n31\r\n32\r\n33\r\n');
    await expectStored(api, sheet, ['31 50', '32 -', '33 -']);
    await page.keyboard.press('Control+z');
    await expectStored(api, sheet, ['- 50', '- -', '- -']);
  });

  await test.step('words are taken as absent, and a dash if it is chosen', async () => {
    await paste(page, 'Absent\n-\nabs\n');
    const dialog = page.getByRole('dialog', { name: 'Paste 3 rows?' });
    await expect(dialog.getByText('2 marks fit, 1 is left out.')).toBeVisible();
    await dialog.getByRole('checkbox', { name: '“-” is absent (A)' }).check();
    await dialog.getByRole('button', { name: 'Paste 3 marks' }).click();
    await expectStored(api, sheet, ['A 50', 'A -', 'A -']);
  });

  await test.step('a block that does not fit is not the answer that Enter gives', async () => {
    await markCell(page, 1, 0).click();
    await paste(page, '1\n2\n3\n');
    const dialog = page.getByRole('dialog', { name: 'Paste 3 rows?' });
    await expect(dialog.getByText('These rows do not fit the place')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Paste 2 marks anyway' })).toBeVisible();
    await expectNoSeriousAxeFindings(page);
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await expectStored(api, sheet, ['A 50', 'A -', 'A -']);
  });
});

test('two people type at once: each sees the marks of the other, and no mark is overwritten unseen', async ({
  staffPage: page,
  server,
  admin,
  api,
  context,
}) => {
  const sheet = await createSheet(new Api(server.url, admin.token), { students: 3 });
  const other = await registerUser(server.url, 'Bushra Mirani');
  const theirs = await context.newPage();
  await signIn(theirs, other);
  await openGrid(page, sheet);
  await openGrid(theirs, sheet);
  await expect(page.getByText('Also here: Bushra Mirani')).toBeVisible();

  const search = page.getByRole('searchbox', { name: 'Find a student' });
  await search.fill('nobody of this name');
  await expect(page.getByRole('heading', { name: 'No student matches the search' })).toBeVisible();
  await expect(page.getByRole('grid')).toBeHidden();
  await page.getByRole('button', { name: 'Clear search' }).last().click();
  await expect(search).toBeFocused();
  await markCell(page, 0, 0).click();

  await page.keyboard.type('30');
  await page.keyboard.press('Enter');
  await theirs.keyboard.press('ArrowRight');
  await theirs.keyboard.type('90');
  await theirs.keyboard.press('Enter');
  await expect(page.getByRole('row').nth(2)).toContainText('84.00');
  await expect(theirs.getByRole('row').nth(2)).toContainText('84.00');

  // Both type into the same cell, the second before the first mark has arrived.
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/cells', async (route) => {
    await released;
    await route.continue();
  });
  await page.keyboard.type('17');
  await page.keyboard.press('Enter');
  await theirs.keyboard.press('ArrowLeft');
  await theirs.keyboard.type('19');
  await theirs.keyboard.press('Enter');
  await expectStored(api, sheet, ['30 90', '19 -', '- -']);
  release();
  await page.getByRole('button', { name: 'Conflicts 1' }).click();
  await markCell(page, 0, 0).click();
  const note = page.getByText('Somebody else entered 19. You typed 17.');
  await expect(note).toBeVisible();
  await expectNoSeriousAxeFindings(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Keep 17' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expectStored(api, sheet, ['30 90', '17 -', '- -']);
  await expect(markCell(theirs, 1, 0)).toHaveText('17');
  // Their mark is another one now, so their undo leaves it.
  await theirs.getByRole('button', { name: 'Undo' }).click();
  await expect(theirs.getByText('1 mark has been changed since and stays as it is.')).toBeVisible();
  await theirs.close();
  await expect(page.getByText('Also here: Bushra Mirani')).toBeHidden();
});

test('marks that are typed offline are kept and sent later', async ({
  staffPage: page,
  server,
  admin,
  api,
  context,
  expectedProblems,
}) => {
  expectedProblems.add('offline');
  const sheet = await createSheet(new Api(server.url, admin.token), { students: 2 });
  await openGrid(page, sheet);
  await context.setOffline(true);
  await page.keyboard.type('30');
  await page.keyboard.press('Enter');
  await page.keyboard.type('31');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Offline. 2 marks are kept on this computer.')).toBeVisible();
  await expectStored(api, sheet, ['- -', '- -']);
  await context.setOffline(false);
  await expectStored(api, sheet, ['30 -', '31 -']);
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();
});

test('marks that could not be sent survive the end of the browser window', async ({
  account,
  server,
  admin,
  api,
  context,
}) => {
  const sheet = await createSheet(new Api(server.url, admin.token), { students: 3 });
  const page = await context.newPage();
  await signIn(page, account);
  await openGrid(page, sheet);
  await page.route('**/cells', (route) => route.abort());
  await page.keyboard.type('30');
  await page.keyboard.press('Enter');
  await page.keyboard.type('x');
  await page.keyboard.press('Enter');
  await page.keyboard.type('32');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Not saved. Trying again in')).toBeVisible();
  // Without the question that a person would be asked.
  await page.close({ runBeforeUnload: false });
  // Meanwhile somebody else fills one of the cells.
  const componentId = sheet.categories[0]?.components[0]?.component_id;
  await api.send('PUT', `/api/sheets/${sheet.sheet_id}/cells`, {
    cells: [{ student_id: sheet.rows[2]?.student_id, component_id: componentId, value: 5, was: null }],
  });
  const again = await context.newPage();
  await signIn(again, account);
  await openGrid(again, sheet);
  await expectStored(api, sheet, ['30 -', '- -', '5 -']);
  await expect(markCell(again, 1, 0)).toHaveText('x');
  await expect(again.getByRole('button', { name: 'Conflicts 1' })).toBeVisible();
});

test('on a phone one component is entered as a list', async ({ staffPage: page, server, admin, api }) => {
  const sheet = await createSheet(new Api(server.url, admin.token), { students: 3 });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(sheetPage(sheet));
  const marks = page.getByRole('list', { name: 'Marks of Mid' }).getByRole('textbox');
  await marks.first().fill('30');
  await marks.first().press('Enter');
  await expect(marks.nth(1)).toBeFocused();
  await marks.nth(1).fill('300');
  await page
    .getByRole('button', { name: /: absent$/ })
    .nth(2)
    .click();
  await expect(page.getByText('300 is over the full marks of 40.')).toBeVisible();
  await expectStored(api, sheet, ['30 -', '- -', 'A -']);
  await expect(page.getByText('Mean 30.00', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Next component' }).click();
  await page.getByRole('button', { name: 'Next missing' }).click();
  const finals = page.getByRole('list', { name: 'Marks of Final' }).getByRole('textbox');
  await expect(finals.first()).toBeFocused();
  await page.keyboard.type('70');
  await page.keyboard.press('Enter');
  await expectStored(api, sheet, ['30 70', '- -', 'A -']);
  await expectNoSeriousAxeFindings(page);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('on a phone, a conflict leaves no choice once the sheet is submitted', async ({
  staffPage: page,
  server,
  admin,
  api,
  expectedProblems,
}) => {
  expectedProblems.add('offline');
  const { sheet, ids } = await makeSheet({ api, admin: new Api(server.url, admin.token) }, [90, 72]);
  const [, second = ''] = ids;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.route('**/cells', (route) => route.abort('connectionrefused'));
  await page.goto(sheetPage(sheet));
  const mark = page.getByRole('textbox', { name: second });
  await mark.fill('73');
  await mark.press('Enter');
  await putMarks(api, sheet, [[second, 74, 72]]);
  await expect(page.getByText('Somebody else has entered 74. You typed 73.')).toBeVisible();
  const take = page.getByRole('button', { name: 'Take 74' });
  await expect(take).toBeVisible();
  const reasons = { 'max-a-share': 'One of two students is very good.' };
  await api.post(`/api/sheets/${sheet.sheet_id}/submit`, { reasons });
  await expect(mark).toHaveAttribute('readonly');
  await expect(page.getByText('Somebody else has entered 74. You typed 73.')).toBeVisible();
  await expect(take).toBeHidden();
});
