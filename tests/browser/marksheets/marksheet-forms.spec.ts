import type { Sheet } from '../../../src/contract/marksheets/sheets.ts';
import { Api } from '../../support/api.ts';
import { expect, type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { field } from '../../support/browser/forms.ts';
import { putMarks } from '../../support/browser/mark-sheets.ts';
import {
  createSheet,
  expectStored,
  markCell,
  openGrid,
  sheetPage,
} from '../../support/browser/marks-grid.ts';
import { expectScreen, follow } from '../../support/browser/screens.ts';
import { aCourse, aTerm, unique } from '../../support/records.ts';

const save = (page: Page) => page.getByRole('button', { name: 'Create mark sheet' }).click();

test('a mark sheet is made for a class, with the assessments of a template', async ({
  staffPage: page,
  server,
  admin,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const course = { ...aCourse(), credits: 4 };
  await api.post('/api/courses', course);
  const term = aTerm();
  await new Api(server.url, admin.token).post('/api/terms', term);
  const degree = unique();
  for (const syn of ['A', 'A', 'B'] as const) {
    await api.createStudent({ degree, department: 'CE', syn, current_sem: 5 });
  }

  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/sheets')) sent.push(request.url());
  });
  await page.goto('/marksheets/new');
  await save(page);
  const summary = page.getByRole('alert').filter({ hasText: /needs? attention/ });
  await expect(summary).toContainText('Course, Department, Batch, Semester');
  // Enter takes the marked course, or the one that is typed, and sends nothing.
  const list = page.getByRole('listbox', { name: 'Suggestions' });
  for (const keys of [['ArrowDown', 'Enter'], ['Enter']]) {
    await field(page, 'Course').fill(course.course_code.toLowerCase());
    await expect(list).toBeVisible();
    for (const key of keys) await page.keyboard.press(key);
    await expect(list).toBeHidden();
    await expect(field(page, 'Course')).toHaveValue(`${course.course_code} ${course.course_name}`);
    await expect(field(page, 'Course')).toBeFocused();
  }
  await field(page, 'Course').fill(course.course_code.toLowerCase());
  await page.keyboard.press('Tab');
  await expect(field(page, 'Title')).toHaveValue(course.course_name);
  await expect(field(page, 'Credit hours')).toHaveValue('4');
  await field(page, 'Term').selectOption({ label: term.name });
  await field(page, 'Department').selectOption('CE');
  await field(page, 'Batch').selectOption(degree);
  await expect(field(page, 'Semester')).toHaveValue('5');
  await expect(page.getByText('3 students active in this class.')).toBeVisible();
  await page.getByRole('checkbox', { name: 'A', exact: true }).check();
  await expect(page.getByText('2 students active in this class.')).toBeVisible();

  await page.getByRole('button', { name: 'Template: Theory with lab' }).click();
  await page.getByRole('button', { name: 'Remove Lab' }).click();
  await expect(page.getByText('The weights add up to 75 %: 25 % missing.')).toBeVisible();
  await save(page);
  await expect(summary).toContainText('Assessments');
  // What was typed survives a reload.
  await page.reload();
  await expect(page.getByText('The weights add up to 75 %: 25 % missing.')).toBeVisible();
  await page.getByRole('button', { name: 'Template: Theory', exact: true }).click();
  await page.getByRole('button', { name: 'Split into components' }).first().click();
  await page.getByRole('spinbutton', { name: 'Best' }).fill('1');
  await save(page);
  await expectScreen(page, 'Mark sheet');
  expect(sent, 'calls for the three times that it was saved').toHaveLength(3);
  await expect(page.getByRole('columnheader', { name: 'Quizzes 10 %, best 1 of 2' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Quizzes 2 of 40' })).toBeVisible();
  await expect(page.getByText('2 students', { exact: true })).toBeVisible();

  // The next sheet of the course takes the set-up over.
  await page.goto('/marksheets/new');
  await field(page, 'Course').fill(course.course_code);
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: `Copy from CE-${degree}-A, ${term.name}` }).click();
  await expect(page.getByRole('spinbutton', { name: 'Best' })).toHaveValue('1');
});

test('the set-up of a sheet is changed while somebody enters marks', async ({
  staffPage: page,
  account,
  server,
  admin,
  api,
  context,
  expectedProblems,
}) => {
  expectedProblems.add(412);
  const sheet = await createSheet(new Api(server.url, admin.token), { students: 2 });
  await page.goto(`${sheetPage(sheet)}/setup`);
  await field(page, 'Title').fill('Signals and systems');
  const typist = await context.newPage();
  await signIn(typist, account);
  await openGrid(typist, sheet);
  await typist.keyboard.type('30');
  await typist.keyboard.press('Enter');
  await expectStored(api, sheet, ['30 -', '- -']);
  // The mark made another version, but no other set-up.
  await page.getByRole('button', { name: 'Save set-up' }).click();
  await expect(page.getByRole('heading', { name: 'Signals and systems' })).toBeVisible();
  await expect(typist.getByRole('heading', { name: 'Signals and systems' })).toBeVisible();

  await page.getByRole('link', { name: 'Set-up' }).click();
  await page.getByRole('button', { name: 'Remove Mid' }).click();
  await page.getByRole('spinbutton', { name: 'Weight' }).fill('100');
  await page.getByRole('button', { name: 'Save set-up' }).click();
  const question = page.getByRole('alertdialog', {
    name: 'Are you sure you want to remove Mid with all marks?',
  });
  await question.getByRole('button', { name: 'Yes' }).click();
  await expect(markCell(page, 0, 0)).toBeVisible();
  await expect(markCell(page, 0, 1)).toBeHidden();
  await expectStored(api, sheet, ['-', '-']);
});

test('what another user changes in a set-up is shown before it is replaced, and so are marks before they are removed', async ({
  staffPage: page,
  server,
  admin,
  expectedProblems,
}) => {
  expectedProblems.add(412);
  const other = new Api(server.url, admin.token);
  const sheet = await createSheet(other, { students: 1 });
  const { sheet_id, categories } = sheet;
  await page.goto(`${sheetPage(sheet)}/setup`);
  await field(page, 'Title').fill('Mine');
  await page.getByRole('button', { name: 'Remove Mid' }).click();
  await page.getByRole('spinbutton', { name: 'Weight' }).fill('100');
  expect(
    (await other.send('PUT', `/api/sheets/${sheet_id}`, { title: 'Theirs', credits: 2, categories })).status,
  ).toBe(200);
  await page.getByRole('button', { name: 'Save set-up' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'changed this record' });
  await expect(notice.getByRole('row', { name: 'Title Theirs Mine' })).toBeVisible();
  await expect(notice).toContainText('Credit hours. This form has the stored values now.');
  await expect(notice).toContainText('Your assessments are kept.');
  await notice.getByRole('button', { name: 'Use the stored value: Title' }).click();
  await expect(field(page, 'Title')).toHaveValue('Theirs');

  await putMarks(other, sheet, [[sheet.rows[0]?.student_id ?? '', 30, null]]);
  await page.getByRole('button', { name: 'Save set-up' }).click();
  await expect(page.getByText('Saving removes the marks of Mid.')).toBeVisible();
  await notice.getByRole('button', { name: 'Use the stored assessments' }).click();
  await expect(notice).toContainText('This form matches the stored record.');
  await page.getByRole('button', { name: 'Save set-up' }).click();
  await expect(page.getByRole('heading', { name: 'Theirs' })).toBeVisible();
  await expectStored(other, sheet, ['30 -']);
});

test('students are added to a class list, taken off, and end without a grade; the list of sheets is searched and filtered', async ({
  staffPage: page,
  server,
  admin,
  api,
  expectedProblems,
}) => {
  await test.step('students are added to a class list, taken off, and end without a grade', async () => {
    expectedProblems.add(422);
    const sheet = await createSheet(new Api(server.url, admin.token), { students: 2 });
    const repeater = await api.createStudent({ first_name: 'Zara', last_name: 'Repeater' });
    await page.goto(sheetPage(sheet));
    await page.getByRole('link', { name: 'Class', exact: true }).click();
    await page.getByRole('button', { name: 'Add students' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add students' });
    await expect(dialog.getByRole('list', { name: 'To be looked at' })).toHaveCount(0);
    await dialog.getByLabel('CMS IDs').fill(`${repeater.id}, X-404`);
    await expect(dialog.getByText('There is no student with ID X-404.')).toBeVisible();
    // While an answer is slow, the field keeps the focus, and what was found before stays.
    const ids = dialog.getByLabel('CMS IDs');
    await ids.fill(repeater.id);
    await expect(dialog.getByRole('listitem')).toContainText(repeater.id);
    await ids.evaluate((field) => field.addEventListener('blur', () => field.setAttribute('data-left', '')));
    await page.route('**/students/preview', () => {});
    for (const text of [`,${sheet.rows[0]?.student_id}`, ',X-405']) {
      const asked = page.waitForRequest('**/students/preview');
      await page.keyboard.type(text);
      await asked;
    }
    await expect(dialog.getByRole('listitem')).toContainText(repeater.id);
    await expect(ids).not.toHaveAttribute('data-left');
    await page.unroute('**/students/preview');
    // Who stands on another sheet of the course is named, and the others are added.
    const taken = await api.createStudent({ first_name: 'Omar', last_name: 'Elsewhere' });
    const { course_id, term_id, department, degree, semester, categories } = sheet;
    await api.post('/api/sheets', {
      ...{ course_id, term_id, department, degree, semester, title: 'Lab', credits: 1, ids: [taken.id] },
      categories: categories.map(({ name, weight, best_of, components }) => ({
        ...{ name, weight, best_of },
        components: components.map((component) => ({ name: component.name, max: component.max })),
      })),
    });
    await dialog.getByLabel('CMS IDs').fill(`${repeater.id} ${taken.id}`);
    const notable = dialog.getByRole('list', { name: 'To be looked at' });
    const noted = (id: string) => notable.getByRole('listitem').filter({ hasText: id });
    await expect(noted(taken.id)).toContainText(/On mark sheet \d+ of this course already/);
    await expect(noted(taken.id).getByRole('img', { name: 'Refused' })).toBeVisible();
    await expect(noted(repeater.id)).toContainText(
      `counts in semester ${repeater.current_sem}, the class in ${semester}`,
    );
    await dialog.getByRole('button', { name: 'Add 1 student' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Zara Repeater' });
    await row.getByRole('button', { name: 'Change the row of Zara Repeater' }).click();
    await page.getByLabel('Result').selectOption('withdrawn');
    await page.getByLabel('Reason').fill('Left in October');
    await page.getByLabel('Counts in semester').selectOption('3');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(row).toContainText(`3, the class in ${semester}`);
    await expect(row).toContainText('WithdrawnLeft in October');

    expectedProblems.add(412);
    await row.getByRole('button', { name: 'Change the row of Zara Repeater' }).click();
    await page.getByLabel('Counts in semester').selectOption('4');
    const theirs = { status: 'incomplete', reason: 'Ill in January', semester: 3 };
    const path = `/api/sheets/${sheet.sheet_id}/rows/${repeater.id}`;
    expect((await api.send('PUT', path, theirs)).status).toBe(200);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(
      page.getByText('Stored now: Incomplete, “Ill in January”, semester 3. Save again'),
    ).toBeVisible();
    await expect(page.getByLabel('Result')).toHaveValue('incomplete');
    await expect(page.getByLabel('Counts in semester')).toHaveValue('4');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(row).toContainText(`4, the class in ${semester}`);
    const other = page.getByRole('row').filter({ hasText: sheet.rows[0]?.student_id ?? '' });
    await other.getByRole('button', { name: /^Take .* off the list$/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
    await expect(other).toBeHidden();
    await expect(page.getByRole('main')).toBeFocused();
    await expect(row).toBeVisible();
    const { sheet: stored } = await api.get<{ sheet: Sheet }>(`/api/sheets/${sheet.sheet_id}`);
    expect(stored.rows).toHaveLength(2);
    expect(stored.rows.find(({ student_id }) => student_id === repeater.id)).toMatchObject({
      ...{ status: 'incomplete', reason: 'Ill in January', semester: 4 },
    });
  });

  await test.step('the list shows the sheets of a term, finds and filters them', async () => {
    const asAdmin = new Api(server.url, admin.token);
    const sheet = await createSheet(asAdmin, { students: 1 });
    await follow(page, `/marksheets?term=${sheet.term_id}`);
    const row = page.getByRole('row').filter({ hasText: `CE-${sheet.degree}` });
    await expect(row).toContainText('none');
    await expect(row).toContainText('Draft');
    await page.getByLabel('State').selectOption('confirmed');
    await expect(page.getByText('No mark sheet matches')).toBeVisible();
    await page.getByRole('button', { name: 'Clear search and state' }).click();
    const search = page.getByRole('searchbox');
    await search.pressSequentially(sheet.degree);
    await search.press('Home');
    await search.pressSequentially('ce-');
    await expect(search).toHaveValue(`ce-${sheet.degree}`);
    await row.getByRole('link').click();
    await expectScreen(page, 'Mark sheet');
  });
});

test('a viewer reads the marks and changes nothing', async ({ page, account, server, admin, api }) => {
  const asAdmin = new Api(server.url, admin.token);
  const sheet = await createSheet(asAdmin, { students: 2 });
  await signIn(page, { ...account, user: { ...account.user, role: 'viewer' } });
  await openGrid(page, sheet);
  await page.keyboard.type('30');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Delete');
  await expect(page.getByRole('grid')).toHaveAttribute('aria-readonly', 'true');
  await expect(page.getByRole('link', { name: 'Set-up' })).toBeHidden();
  await expectStored(api, sheet, ['- -', '- -']);
});
