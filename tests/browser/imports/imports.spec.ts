import { readFile } from 'node:fs/promises';
import { writeXlsx } from 'hucre';
import { registerUser } from '../../support/api.ts';
import { toCsv } from '../../support/app/import-file.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { field } from '../../support/browser/forms.ts';
import { chooseFile, rowCount } from '../../support/browser/imports.ts';
import { chooseInMore, expectNoSidewaysScrolling, follow } from '../../support/browser/screens.ts';
import { aFamily, aStudent, unique } from '../../support/records.ts';

/** A row of a file with a student and the family. */
function aRow(changes: Record<string, unknown> = {}) {
  const { img: _, reason: __, ...student } = aStudent();
  const { student_id: ___, ...family } = aFamily(student.id);
  return { ...student, ...family, ...changes };
}

const rowOfLine = (page: Page, line: number) =>
  page
    .getByRole('table', { name: 'Rows' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: String(line), exact: true }) });

test('staff import students, correct a cell in place, leave a refused row out, and undo what nobody has changed since', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(409);
  const present = await api.createRecord([]);
  const rows = [
    aRow({ last_name: 'Umrani' }),
    aRow({ last_name: 'Kasuri' }),
    aRow({ department: 'CV' }),
    aRow({ dob: '2004-02-31' }),
    { ...aRow(), ...present, img: undefined, reason: undefined, phone_number: '0300-5559999' },
  ].map(({ img: _, reason: __, ...row }: Record<string, unknown>) => row);
  const keys = Object.keys(rows[0] ?? {});
  const file = `intake-${unique()}.csv`;
  const csv = toCsv(rows.map((row) => Object.fromEntries(keys.map((key) => [key, row[key]]))));

  // Otherwise the browser asks where to save.
  await page.addInitScript(() => Object.defineProperty(window, 'showSaveFilePicker', { value: undefined }));
  await page.goto('/students');
  await chooseInMore(page, 'Imports and undo');
  await page.getByRole('main').getByRole('link', { name: 'New import' }).first().click();
  await expect(page.getByRole('radio', { name: 'Students with families' })).toBeChecked();
  await chooseFile(page, file, csv);
  await expect(page.getByText(`${file}, 5 rows`)).toBeVisible();
  await expect(page.getByLabel('Field of department')).toHaveValue('department');
  await expectNoSeriousAxeFindings(page);
  await expect(page.getByRole('button', { name: 'Preview 5 rows' })).toBeEnabled();
  // The focus is on no field of the page yet.
  await page.keyboard.press('Control+Enter');

  await expect(rowCount(page, 'New')).toContainText('2');
  await expect(rowCount(page, 'Changed')).toContainText('1');
  await expect(rowCount(page, 'Refused')).toContainText('2');
  await expect(rowOfLine(page, 6)).toContainText('0300-5550123');
  await expect(rowOfLine(page, 6)).toContainText('0300-5559999');
  await expectNoSeriousAxeFindings(page);
  await expect(page.getByRole('button', { name: 'Import 3 rows' })).toBeDisabled();

  await test.step('Escape puts a value back, Enter keeps it and asks for a new preview', async () => {
    const wrong = page.getByRole('button', { name: /^Department: CV/ });
    await wrong.focus();
    await page.keyboard.press('Enter');
    const editor = page.getByLabel('Department, row 4');
    await expect(editor).toBeFocused();
    await expectNoSeriousAxeFindings(page);
    await page.keyboard.type('ME');
    await page.keyboard.press('Escape');
    await expect(wrong).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.type('ME');
    await page.keyboard.press('Enter');
    await expect(rowCount(page, 'Refused')).toContainText('1');
    await expect(rowCount(page, 'New')).toContainText('3');
    await expect(rowOfLine(page, 4)).toContainText('New');
  });

  await test.step('only the refused row is shown, and saved as a file', async () => {
    await rowCount(page, 'Refused').click();
    await expect(page).toHaveURL(/state=refused/);
    await expect(page.getByRole('table', { name: 'Rows' }).getByRole('row')).toHaveCount(2);
    await expect(rowOfLine(page, 5)).toContainText('2004-02-31');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download refused rows' }).click();
    expect((await download).suggestedFilename()).toMatch(/refused\.csv$/);
    await page.getByRole('searchbox', { name: 'Search in the rows' }).fill('nobody has this name');
    await expect(page.getByRole('heading', { name: 'No row matches the search' })).toBeVisible();
    await page.getByRole('button', { name: 'Clear search' }).last().click();
    await expect(rowOfLine(page, 2)).toContainText('Umrani');
    // Two more letters, typed between the search for the first ones and its address.
    await page.evaluate(() => {
      const replaceState = history.replaceState.bind(history);
      history.replaceState = (...entry) => {
        history.replaceState = replaceState;
        replaceState(...entry);
        document.execCommand('insertText', false, 'ni');
      };
    });
    await page.getByRole('searchbox', { name: 'Search in the rows' }).fill('Umra');
    await expect(page).toHaveURL(/q=Umrani$/);
    await expect(page.getByRole('searchbox', { name: 'Search in the rows' })).toHaveValue('Umrani');
    await page.getByRole('searchbox', { name: 'Search in the rows' }).fill('');
    await expect(page).not.toHaveURL(/q=/);
  });

  await page.getByRole('radio', { name: 'Import the good rows' }).check();
  await expect(page.getByText('1 row left out.')).toBeVisible();
  // The search is not a part of what is sent.
  await page.getByRole('searchbox', { name: 'Search in the rows' }).press('Control+Enter');
  await page.getByRole('button', { name: 'Import 4 rows' }).click();
  await expect(page.getByRole('heading', { name: '4 students saved' })).toBeVisible();
  await expectNoSeriousAxeFindings(page);
  await page.getByRole('link', { name: 'Students The list' }).click();
  await page.getByRole('searchbox').fill('Umrani');
  const imported = page.getByRole('row').filter({ hasText: 'Umrani' }).first();
  await expect(imported).toBeVisible();
  await expect(page).toHaveURL(/q=Umrani/);

  await follow(page, `/students/${rows[0]?.id}/history`);
  await page
    .getByRole('link', { name: new RegExp(`^Import \\d+, ${file}$`) })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: '4 students saved' })).toBeVisible();

  await test.step('the undo names what was changed since and keeps it', async () => {
    const changed = { ...aStudent(), id: rows[1]?.id, last_name: 'Kasuri', reason: 'Changed later' };
    expect((await api.send('PUT', `/api/students/${rows[1]?.id}`, changed)).ok).toBe(true);
    await follow(page, '/imports');
    const row = page.getByRole('row').filter({ hasText: file });
    await expect(row).toContainText('Applied');
    const dialog = page.getByRole('dialog', { name: /^Undo import/ });
    const preview = '**/api/imports/*/undo';
    // As of an import whose results are an administrator's to take back.
    await page.route(preview, async (route) => {
      const response = await route.fetch();
      const found: object = await response.json();
      await route.fulfill({ response, json: { ...found, needs_reason: 'These are results of batch 46.' } });
    });
    await row.getByRole('button', { name: /^Undo import/ }).click();
    await expect(
      dialog.getByText('These are results of batch 46. Ask an administrator to undo this import.'),
    ).toBeVisible();
    await page.keyboard.press('Escape');
    await page.unroute(preview);
    await row.getByRole('button', { name: /^Undo import/ }).click();
    await expect(dialog.getByRole('listitem').filter({ hasText: String(rows[1]?.id) })).toBeVisible();
    await expectNoSeriousAxeFindings(page);
    await dialog.getByRole('button', { name: 'Undo the other 3' }).click();
    await expect(row).toContainText('Partly undone');
    await expect(row.getByRole('button')).toHaveCount(0);
    expect((await api.send('GET', `/api/students/${rows[0]?.id}`)).status).toBe(404);
    expect((await api.send('GET', `/api/students/${rows[1]?.id}`)).status).toBe(200);
  });
});

test('another sheet of a workbook is read; a file that can’t be read says why, and marks ask for their course', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  await test.step('another sheet of a workbook is read, with a title above its headings', async () => {
    const row = aRow({ last_name: 'Lehri' });
    const workbook = await writeXlsx({
      sheets: [
        { name: 'Notes', rows: [['Nothing here'], ['Ask the office']] },
        { name: 'Intake', rows: [['Intake of 2023'], [], Object.keys(row), Object.values(row).map(String)] },
      ],
    });
    await page.goto('/imports/new?kind=students');
    await chooseFile(page, 'intake.xlsx', workbook);
    await expect(page.getByText('intake.xlsx, sheet Notes, 1 row')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Preview 1 row' })).toBeDisabled();
    await page.getByLabel('Sheet').selectOption('Intake');
    await expect(page.getByText('intake.xlsx, sheet Intake, 1 row')).toBeVisible();
    await page.getByRole('button', { name: 'Preview 1 row' }).click();
    await expect(rowCount(page, 'New')).toContainText('1');
    await expect(rowOfLine(page, 4)).toContainText('Lehri');
  });

  await test.step('a file that can’t be read says why where it was chosen, and marks ask for their course', async () => {
    expectedProblems.add(422);
    const course = await api.createCourse();
    expectedProblems.add('offline');
    await page.route('**/api/courses', (route) => route.abort('connectionrefused'), { times: 1 });
    await follow(page, '/imports/new?kind=marks');
    await expect(page.getByRole('alert')).toContainText('The server could not be reached');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(field(page, 'Course').getByRole('option')).not.toHaveCount(1);
    await chooseFile(page, 'marks.csv', 'CMS ID,Marks\nT-1,55\nT-2,101\n');
    await expect(field(page, 'Course')).toBeFocused();
    await expect(page.getByText('Choose the course of the marks, then the file.')).toBeVisible();
    await field(page, 'Course').selectOption(String(course.course_id));
    await page.getByRole('button', { name: 'Upload' }).click();
    await expect(page.getByRole('heading', { name: 'Import course marks' })).toBeVisible();
    await page.getByRole('button', { name: 'Preview 2 rows' }).click();
    await expect(rowCount(page, 'Refused')).toContainText('1');

    await follow(page, '/imports/new?kind=courses');
    await chooseFile(page, 'letter.pdf', '%PDF-1.7 \0\xe2\xe3');
    await expect(page.getByText('letter.pdf has not been uploaded.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Choose another file' })).toBeVisible();
    await expect(page.getByRole('radio', { name: 'Courses', exact: true })).toBeChecked();
    await expectNoSeriousAxeFindings(page);
  });
});

test('rows are pasted, ambiguous dates and a missing field are asked for, and all is imported by the keyboard alone', async ({
  staffPage: page,
}) => {
  const { matric_div: _, dob: __, ...row } = aRow({ last_name: 'Brohi' });
  const csv = toCsv([{ ...row, DOB: '03/04/2005', Remark: 'Unknown column' }]);
  await page.goto('/imports/new?kind=students');
  await page.getByRole('button', { name: 'Paste rows' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Rows', { exact: true }).focus();
  await page.keyboard.insertText(csv);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');

  await expect(page.getByText('Matric division is required and has no column.')).toBeVisible();
  const preview = page.getByRole('button', { name: 'Preview 1 row' });
  await expect(preview).toBeDisabled();
  await expect(page.getByText('03/04/2005 is 3 April 2005.')).toBeVisible();
  await page
    .getByRole('group', { name: 'Order of the dates in DOB' })
    .getByRole('button', { name: 'Month first' })
    .press('Enter');
  await expect(page.getByText('03/04/2005 is 4 March 2005.')).toBeVisible();
  await page.getByLabel('Matric division, all rows').focus();
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');

  await expect(rowOfLine(page, 2)).toContainText('4 March 2005');
  await page.reload();
  await expect(rowOfLine(page, 2)).toContainText('4 March 2005');
  await page.getByRole('button', { name: 'Back' }).press('Enter');
  await expect(page.getByLabel('Matric division, all rows')).toHaveValue('2');
  await page.getByRole('button', { name: 'Back to the preview' }).press('Enter');
  await page.getByRole('button', { name: 'Import 1 row' }).press('Enter');
  await expect(page.getByRole('heading', { name: '1 student saved' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo this import' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Undo 1 student' })).toBeEnabled();
  await page.getByRole('button', { name: 'Undo 1 student' }).press('Enter');
  await expect(page.getByRole('heading', { name: '1 student taken back' })).toBeVisible();
});

test('a template is filled in, and choices of columns that were not sent survive a reload', async ({
  staffPage: page,
}) => {
  // Otherwise the browser asks where to save.
  await page.addInitScript(() => Object.defineProperty(window, 'showSaveFilePicker', { value: undefined }));
  await page.goto('/imports/new?kind=students');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Template for Students with families Excel' }).click();
  const template = await readFile(await (await saved).path());
  await chooseFile(page, 'students.xlsx', template);
  const preview = page.getByRole('button', { name: 'Preview 2 rows' });
  await expect(preview).toBeEnabled();

  const rows = page.getByRole('group', { name: 'Rows' });
  await rows.getByRole('button', { name: 'Only new' }).click();
  await page.getByLabel('Field of Degree').selectOption('Leave out');
  await page.getByLabel('Degree, all rows').fill('52');
  await page.reload();
  await expect(page.getByLabel('Degree, all rows')).toHaveValue('52');
  await expect(page.getByLabel('Field of Degree')).toHaveValue('');
  await expect(rows.getByRole('button', { name: 'Only new' })).toHaveAttribute('aria-pressed', 'true');
  await preview.click();
  await expect(rowOfLine(page, 2)).toContainText('14 March 2008');

  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Degree, all rows')).toHaveValue('52');
  await page.getByLabel('Degree, all rows').fill('53');
  await page.getByRole('button', { name: 'Back to the preview' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Degree, all rows')).toHaveValue('52');
});

test('imports are searched, and the question whether to cancel one never loses the focus', async ({
  staffPage: page,
  api,
}) => {
  const { import: uploaded } = await api.post<{ import: { import_id: number } }>('/api/imports', {
    kind: 'students',
    text: toCsv([aRow()]),
  });
  await page.goto('/imports');
  const cancel = page.getByRole('button', { name: `Cancel import ${uploaded.import_id}` });
  const question = page.getByRole('alertdialog');
  for (const answer of ['No', 'Close']) {
    await cancel.press('Enter');
    await question.getByRole('button', { name: answer }).click();
    await expect(question).toBeHidden();
    await expect(cancel).toBeFocused();
  }

  // What is typed before a word stays before it.
  const search = page.getByRole('searchbox', { name: 'Search imports' });
  await search.pressSequentially('rows');
  await search.press('Home');
  await search.pressSequentially('pasted ');
  await expect(search).toHaveValue('pasted rows');
  await cancel.press('Enter');
  await question.getByRole('button', { name: 'Yes' }).press('Enter');
  await expect(cancel).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
});

test('a column of grades is given a course where its heading names none', async ({
  staffPage: page,
  api,
}) => {
  const { id } = await api.createRecord([]);
  const { course_code, course_name } = await api.createCourse();
  const { import: uploaded } = await api.post<{ import: { import_id: number } }>('/api/imports', {
    kind: 'results',
    text: `CMS ID,Semester,${course_code.toLowerCase()},Elective ${id}\n${id},1,A,B\n`,
  });
  await page.goto(`/imports/${uploaded.import_id}`);
  const columns = page.getByRole('table', { name: 'Columns' });
  await expect(columns.getByRole('row').nth(3)).toContainText(`${course_code}, ${course_name}`);
  const elective = columns.getByRole('row').nth(4);
  await expect(elective).toContainText('No course has this ID, code or title.');
  await expect(page.getByText('3 matched, 1 to check, 0 left out')).toBeVisible();
  await expectNoSeriousAxeFindings(page);
  const other = await api.createCourse();
  await page.reload();
  await elective.getByRole('combobox').selectOption(`${other.course_code}, ${other.course_name}`);
  await expect(page.getByText('4 matched, 0 left out')).toBeVisible();
  await page.getByRole('button', { name: 'Preview 1 row' }).press('Enter');
  await expect(rowCount(page, 'New')).toContainText('1');
  await expect(page.getByRole('columnheader', { name: `Elective ${id}` })).toBeVisible();
});

test('another member of staff sees the import, and is not asked to go on with it', async ({
  page,
  api,
  server,
}) => {
  const { import: uploaded } = await api.post<{ import: { import_id: number } }>('/api/imports', {
    kind: 'students',
    text: toCsv([aRow()]),
  });
  await signIn(page, await registerUser(server.url));
  await page.goto(`/imports/${uploaded.import_id}`);
  await expect(page.getByText('Only they and administrators can go on with it.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Preview/ })).toHaveCount(0);
  await follow(page, '/imports');
  const row = page.getByRole('row', { name: new RegExp(`^${uploaded.import_id} `) });
  await expect(row).toContainText('Not applied yet');
  await expect(row.getByRole('button')).toHaveCount(0);
});

test('an import is previewed again when a record has changed since, and on a phone as cards that are corrected', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  await test.step('when a record has changed since the preview, the preview as it is now is shown before anything is stored', async () => {
    expectedProblems.add(412);
    const present = await api.createStudent({ phone_number: '0300-5550001' });
    const { import: uploaded } = await api.post<{ import: { import_id: number } }>('/api/imports', {
      kind: 'students',
      text: toCsv([{ id: present.id, phone_number: '0300-5550002' }]),
    });
    await page.goto(`/imports/${uploaded.import_id}`);
    await page.getByRole('button', { name: 'Only changed' }).click();
    await page.getByRole('button', { name: 'Preview 1 row' }).click();
    await expect(rowOfLine(page, 2)).toContainText('0300-5550001');
    const changed = { ...present, phone_number: '0300-5550003' };
    expect((await api.send('PUT', `/api/students/${present.id}`, changed)).ok).toBe(true);
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await expect(page.getByText('This is the preview as it is now.')).toBeVisible();
    await expect(rowOfLine(page, 2)).toContainText('0300-5550003');
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await expect(page.getByRole('heading', { name: '1 student saved' })).toBeVisible();
  });

  await test.step('on a phone the rows of a preview are cards, and a cell is corrected in its card', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const { import: uploaded } = await api.post<{ import: { import_id: number } }>('/api/imports', {
      kind: 'students',
      text: toCsv([aRow({ last_name: 'Achakzai', syn: 'Q' }), aRow()]),
    });
    await follow(page, `/imports/${uploaded.import_id}`);
    await page.getByRole('button', { name: 'Preview 2 rows' }).click();
    const card = page.getByRole('listitem').filter({ hasText: 'Achakzai' });
    await expect(card).toContainText('Refused');
    await expectNoSidewaysScrolling(page);
    await expectNoSeriousAxeFindings(page);
    await card.getByRole('button', { name: /^Syndicate: Q/ }).click();
    await page.getByLabel('Syndicate, row 2').fill('A');
    await page.keyboard.press('Enter');
    await expect(card).toContainText('New');
    await expect(page.getByRole('button', { name: 'Import 2 rows' })).toBeEnabled();
  });

  await test.step('nothing is imported without a correction that could not be checked', async () => {
    expectedProblems.add('offline');
    const card = page.getByRole('listitem').filter({ hasText: 'Achakzai' });
    await page.route('**/preview', (route) => route.abort('connectionrefused'), { times: 1 });
    // Other values, where the row has a warning.
    await card.getByText(/^(Values|Other values)$/).click();
    await card.getByRole('button', { name: /^Syndicate: A/ }).click();
    await page.getByLabel('Syndicate, row 2').fill('B');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('The server could not be reached');
    await expect(card.getByRole('button', { name: 'Syndicate: B , not checked' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Import 2 rows' })).toBeDisabled();
    await expect(page.getByText('Corrections have not been checked: try again above.')).toBeVisible();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('main')).toBeFocused();
    await expect(card.getByRole('button', { name: 'Syndicate: B', exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Import 2 rows' })).toBeEnabled();
  });
});
