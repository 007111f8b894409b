import type { Locator, Request } from '@playwright/test';
import { expectNoSeriousAxeFindings } from '../../../support/browser/accessibility.ts';
import { expect, type Page, test } from '../../../support/browser/fixtures.ts';
import {
  field,
  fillFamilyForm,
  fillSemesterForm,
  fillStudentForm,
  subjectCard,
} from '../../../support/browser/forms.ts';
import { expectScreen, follow } from '../../../support/browser/screens.ts';
import { aFamily, aStudent, unique } from '../../../support/records.ts';

const paste = (field: Locator, text: string) =>
  field.evaluate((input, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    input.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
  }, text);
const readStoredSemesters = (page: Page) =>
  page.evaluate(() => ({
    current: sessionStorage.getItem('CURRENT-SEM'),
    starting: sessionStorage.getItem('STARTING-SEM'),
    local: localStorage.getItem('CURRENT-SEM'),
  }));
const group = (page: Page, name: 'HSSC/FSC' | 'SSC/Matric') => page.getByRole('group', { name });
const optionValues = (page: Page, label: string) =>
  field(page, label)
    .getByRole('option')
    .evaluateAll((all) => all.map((option) => option.getAttribute('value')));

test('an entry whose ID or name and date of birth resemble those of another is saved with a warning', async ({
  staffPage: page,
  api,
}) => {
  await test.step('an ID that differs from another only in case is saved, and the next step shows a warning', async () => {
    const { id } = await api.createStudent({ id: `ab-${unique()}-007` });
    await page.goto('/students/create');
    await fillStudentForm(page, aStudent({ id: id.toUpperCase() }));
    await page.getByRole('button', { name: 'Create Entry', exact: true }).click();
    await expect(page).toHaveURL(`/students/${id.toUpperCase()}/family/create`);
    await expect(page.getByRole('status')).toContainText(
      `The registration number differs from ${id} only in upper and lower case. Both are kept.`,
    );
  });

  await test.step('a new entry with the name and date of birth of another leads to it, and can be saved', async () => {
    const last_name = `Khan ${unique()}`;
    const { id } = await api.createRecord([], { last_name, dob: '2005-03-04' });
    const student = aStudent({ last_name: last_name.toUpperCase(), dob: '2005-03-04' });
    await follow(page, '/students/create');
    // What the class has in common is there from the entry before.
    await expect(page.getByText('those of your last entry')).toBeVisible();
    await expect(field(page, 'Degree')).toHaveValue(aStudent().degree);
    await expect(page.getByLabel('Joining date')).toHaveValue(aStudent().joining_date);
    await expect(field(page, 'First name')).toHaveValue('');
    await expect(field(page, 'Registration number')).toHaveValue(/^AB-.*-008$/);
    await expect(page.getByText('The one after your last entry.')).toBeVisible();
    // Enter passes over what is there, and the division follows from the marks.
    await field(page, 'Phone number').press('Enter');
    await expect(field(group(page, 'HSSC/FSC'), 'Marks')).toBeFocused();
    await page.keyboard.type('600');
    await expect(field(group(page, 'HSSC/FSC'), 'Division')).toHaveValue('2');
    await page.keyboard.press('Enter');
    await expect(field(group(page, 'SSC/Matric'), 'Marks')).toBeFocused();
    await fillStudentForm(page, student);
    const hint = page.getByText(`There is already Ayesha ${last_name}, born 4 March 2005: ${id}`);
    await expect(hint).toBeVisible();
    await expectNoSeriousAxeFindings(page);
    await page.getByLabel('Date of birth').fill('2005-03-05');
    await expect(hint).toBeHidden();
    await page.getByLabel('Date of birth').fill('2005-03-04');
    await hint.getByRole('link', { name: id }).click();
    await expect(page).toHaveURL(`/students/${id}`);
    await page.goBack();
    await expect(field(page, 'First name')).toHaveValue('Ayesha');
    await expect(hint).toBeVisible();
    await page.getByRole('button', { name: 'Create Entry', exact: true }).click();
    await expect(page).toHaveURL(`/students/${student.id}/family/create`);
  });

  await test.step('after the family, F9 leads to the next admission', async () => {
    await fillFamilyForm(page, aFamily(''));
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('link', { name: 'Next admission' })).toBeVisible();
    await page.keyboard.press('F9');
    await expect(page).toHaveURL('/students/create');
    await expect(field(page, 'First name')).toBeFocused();
  });
});

// Covers 2.102, 2.103, 2.132, 3.6, 3.9, 3.11, 3.12, 3.13, 3.14, 3.15, 3.17, 3.19, 5.5, 5.6, 5.7, 5.8, 5.9, 5.11
// Covers 9.2, 9.4, 9.5, 9.6, 9.8, 9.9, 9.10, 2.143, 3.26, 4.28, 5.36, 8.8, 9.7
test('the forms of an entry limit their numbers, offer the specified options and mark required fields', async ({
  staffPage: page,
  api,
}) => {
  await test.step('the student form limits its numbers, offers the specified options and marks required fields', async () => {
    await page.goto('/students/create');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create an Entry');
    for (const name of ['HSSC/FSC', 'SSC/Matric'] as const) {
      for (const [label, min, max, step] of [
        ['Marks', '100', '1100', '0.01'],
        ['Passing year', '1900', '2099', '1'],
        ['Division', '1', '3', '1'],
      ] as const) {
        const input = field(group(page, name), label);
        await expect(input).toHaveAttribute('type', 'number');
        await expect(input).toHaveAttribute('min', min);
        await expect(input).toHaveAttribute('max', max);
        await expect(input).toHaveAttribute('step', step);
      }
      await expect(group(page, name).getByText('/1100', { exact: true })).toBeVisible();
    }
    const semester = field(page, 'Semester');
    for (const [bound, value] of [
      ['min', '1'],
      ['max', '8'],
      ['step', '1'],
    ] as const) {
      await expect(semester).toHaveAttribute(bound, value);
    }
    expect((await optionValues(page, 'Gender')).toSorted()).toEqual(['', 'F', 'M']);
    expect(await optionValues(page, 'Department')).toEqual(['', 'EE', 'CE', 'ME', 'MTS']);
    await expect(field(page, 'Department').getByRole('option')).toContainText([
      'Select department',
      'Electrical Engineering',
      'Computer and Software Engineering',
      'Mechanical Engineering',
      'Mechatronics Engineering',
    ]);
    expect(await optionValues(page, 'Syndicate')).toEqual(['', 'A', 'B', 'C']);
    await expect(field(page, 'Syndicate').getByRole('option')).toHaveText([
      'Select syndicate',
      'Syndicate A',
      'Syndicate B',
      'Syndicate C',
    ]);
    await expect(field(page, 'Reasons/Comments')).toHaveJSProperty('tagName', 'TEXTAREA');
    await expect(field(page, 'Student portrait')).toHaveAttribute('type', 'text');

    const required = await page
      .locator('form [required]')
      .evaluateAll((all) => all.map((input) => input.getAttribute('name')).toSorted());
    expect(required).toEqual([
      'current_sem',
      'degree',
      'department',
      'dob',
      'first_name',
      'fsc_div',
      'fsc_marks',
      'fsc_year',
      'id',
      'joining_date',
      'last_name',
      'matric_div',
      'matric_marks',
      'matric_year',
      'syn',
    ]);
    await page.getByRole('main').getByRole('link', { name: 'Students' }).click();
    await expect(page).toHaveURL('/students');
  });

  await test.step('a subject has four fields, the number of subjects sets how many are shown, and pasting an eleventh shows a message', async () => {
    const { id } = await api.createRecord([], { current_sem: 1 });
    await follow(page, `/students/${id}/academics/create`);
    const cards = page.getByRole('group', { name: /^Subject \d+$/ });
    const card = subjectCard(page, 1);
    for (const label of ['Title', 'Subject ID', 'Credit Hours', 'Grade']) {
      await expect(field(card, label)).toBeVisible();
    }
    await field(card, 'Grade').click();
    const options = page.getByRole('option');
    await expect(options).toHaveText(['A', 'B+', 'B', 'C+', 'C', 'D+', 'D', 'F']);
    await options.nth(1).click();
    await expect(field(card, 'Grade')).toHaveValue('B+');
    await expect(options).toHaveCount(0);
    await page.getByRole('spinbutton', { name: 'Number of subjects' }).fill('7');
    await expect(cards).toHaveCount(7);

    await field(card, 'Grade').fill('');
    await paste(field(card, 'Title'), 'Physics\t\t4\tb+\nChemistry\t\t3\tE');
    await expect(page.getByText('Pasted 2 subjects: Physics, Chemistry', { exact: true })).toBeVisible();
    await expect(field(card, 'Grade')).toHaveValue('B+');
    const second = field(subjectCard(page, 2), 'Grade');
    await expect(second).toHaveValue('E');
    await expect(second).toHaveAccessibleDescription('Grade must be one of A, B+, B, C+, C, D+, D, F.');

    await paste(field(card, 'Title'), Array.from({ length: 11 }, (_, i) => `Subject ${i}`).join('\n'));
    await expect(
      page.getByText('10 is the maximum number of subjects per semester', { exact: true }),
    ).toBeVisible();
    await expect(cards).toHaveCount(10);
  });
});

// Covers 2.111, 2.112, 2.114, 3.20, 3.23, 4.1, 4.2, 4.3, 4.5, 4.6, 4.16, 4.18, 5.12, 7.1, 7.24, 7.26, 7.27
// Covers 9.3
test('each step stores the progress of the entry and sends its data to the server', async ({
  staffPage: page,
}) => {
  const calls: Request[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api')) calls.push(request);
  });
  const student = aStudent({ current_sem: 2 });
  await page.goto('/students/create');
  await fillStudentForm(page, student);
  const base = page.waitForRequest((request) => request.method() === 'POST');
  await page.getByRole('button', { name: 'Create Entry' }).click();
  expect((await base).url()).toMatch(/\/api\/students$/);
  expect(await (await base).headerValue('content-type')).toMatch(/^multipart\/form-data/);
  await expect(page).toHaveURL(`/students/${student.id}/family/create`);
  await expect.poll(() => readStoredSemesters(page)).toEqual({ current: '2', starting: '1', local: '2' });

  const family = page.getByRole('main');
  await expect(family.locator('input, textarea')).toHaveCount(9);
  const required = family.locator('[required]');
  await expect(required).toHaveCount(2);
  await expect(required.first()).toHaveAttribute('name', 'father_name');
  await expect(required.nth(1)).toHaveAttribute('name', 'father_occupation');
  await fillFamilyForm(page, aFamily(student.id));
  // A value left over from another entry.
  await page.evaluate(() => sessionStorage.setItem('STARTING-SEM', '5'));
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await page.getByRole('button', { name: 'Create Entry' }).click();
  expect((await sent).url()).toMatch(/\/api\/students\/family$/);
  expect((await sent).postDataJSON()).toMatchObject({
    student_id: student.id,
    father_name: 'Imran Siddiqui',
  });
  await expect(page).toHaveURL(`/students/${student.id}/academics/create`);

  await expect(page.getByRole('heading', { name: 'Semester 1', exact: true })).toBeVisible();
  await expect.poll(() => readStoredSemesters(page)).toEqual({ current: '2', starting: '1', local: '2' });
  await fillSemesterForm(page, [{ title: 'Calculus', credits: 3, grade: 'B+' }]);
  const results = page.waitForRequest((request) => request.method() === 'POST');
  await page.getByRole('button', { name: 'Create Semester Entry' }).click();
  expect((await results).postDataJSON()).toMatchObject({
    student_id: student.id,
    semester: 1,
    subject_1: 'Calculus',
    subj_credit_1: '3',
    subj_grade_1: 'B+',
  });
  await expect(page.getByRole('heading', { name: 'Semester 2', exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Semester 1', exact: true })).toHaveCount(0);
  await expect.poll(() => readStoredSemesters(page)).toEqual({ current: '2', starting: '2', local: '2' });
  await fillSemesterForm(page, [{ title: 'Statics', credits: 3, grade: 'A' }]);
  await page.getByRole('button', { name: 'Create Semester Entry' }).click();
  await expect(page).toHaveURL('/students');
  await expect(page.getByText('Entry has been created successfully', { exact: true })).toBeVisible();

  const token = await page.evaluate(() => sessionStorage.getItem('AUTH-TOKEN'));
  expect(calls.length).toBeGreaterThan(5);
  for (const call of calls) {
    expect(await call.allHeaders(), call.url()).toMatchObject({
      authorization: `Bearer ${token}`,
      accept: 'application/json',
    });
  }
});

// Covers 2.105, 2.106, 2.107, 2.110, 2.115, 4.9, 4.14, 4.15
test('Back and the links of the steps lead to the page before or the student list, and a step opened out of order to the step that is due', async ({
  staffPage: page,
  api,
}) => {
  await test.step('Back on the family step returns to the previous page, and a link leads to the student list', async () => {
    const { id } = await api.createStudent();
    await page.goto('/courses');
    await expect(page.getByRole('heading', { name: 'Courses', exact: true })).toBeVisible();
    const stepCheck = page.waitForRequest(`**/api/students/${id}/family/create`);
    await follow(page, `/students/${id}/family/create`);
    expect((await stepCheck).method()).toBe('GET');
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await expect(page).toHaveURL('/courses');
    await expectScreen(page, 'Courses');
    await follow(page, `/students/${id}/family/create`);
    await page.getByRole('main').getByRole('link', { name: 'Students' }).click();
    await expect(page).toHaveURL('/students');
  });

  await test.step('a step opened out of order leads to the step that is due, with the message of the server', async () => {
    const { id } = await api.createStudent();
    await follow(page, `/students/${id}/academics/create`);
    await expect(page).toHaveURL(`/students/${id}/family/create`);
    await expect(page.getByText('Enter the family details of the student first.')).toBeVisible();
    await follow(page, '/students/nobody/academics/create');
    await expect(page).toHaveURL('/students/create');
    const recorded = await api.createRecord([]);
    await follow(page, `/students/${recorded.id}/family/create`);
    await expect(page).toHaveURL(`/students/${recorded.id}/academics/create`);
    await page.getByRole('main').getByRole('link', { name: 'Students' }).click();
    await expect(page).toHaveURL('/students');
  });

  await test.step('Back on the family step opens the student list when there is no previous page', async () => {
    const student = await api.createStudent();
    const { id } = await api.createRecord([]);
    await follow(page, '/');
    for (const path of [`/students/${student.id}/family/create`, `/students/${id}/family/edit`]) {
      const opened = page.waitForEvent('popup');
      await page.evaluate((address) => {
        window.open(address);
      }, path);
      const tab = await opened;
      await field(tab, "Father's name").fill('Imran');
      await tab.getByRole('button', { name: 'Back', exact: true }).click();
      await expect(tab).toHaveURL('/students');
      await tab.close();
    }
  });
});
