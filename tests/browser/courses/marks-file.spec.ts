import { writeXlsx } from 'hucre';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { fillCourse, findCourseCard, marksField, newCourse } from '../../support/browser/courses.ts';
import { expect, type Page, test } from '../../support/browser/fixtures.ts';
import { field } from '../../support/browser/forms.ts';
import { follow } from '../../support/browser/screens.ts';

const fileField = (page: Page) => page.locator('input[type=file]');

// Covers 3.36
test('the form names the columns it reads, refuses a file that is not text, and reads 400,000 marks and UTF-16 as spreadsheet programs export it', async ({
  staffPage: page,
}) => {
  await page.goto('/courses/create');
  await test.step('columns, of which only the one headed as marks is read if there is one', async () => {
    await marksField(page).fill('1;55\n2;66');
    await expect(page.getByText('4 marks found in 2 columns.').first()).toBeVisible();
    await expect(
      page.getByText('2 columns were read, and every number in them counts as a mark.'),
    ).toBeVisible();
    await expectNoSeriousAxeFindings(page);
    await marksField(page).fill('Roll No,Marks Obtained,Total Marks\n1,55,100\n2,66,100');
    await expect(page.getByText('2 marks found. Average 60.5').first()).toBeVisible();
    await expect(
      page.getByText('Line 1 is a heading and is left out; only column 2, headed “Marks Obtained”, is read.'),
    ).toBeVisible();
    await expect(page.getByText('columns were read')).toHaveCount(0);
  });

  await test.step('what the text leaves open is asked in place', async () => {
    await marksField(page).fill('Roll No,Theory,Lab,Total\n1,50,20,70\n2,40,20,60\nTest Student,1,1,2');
    const columns = page.getByRole('group', { name: 'Which column has the marks?' });
    await expect(columns.getByRole('radio')).toHaveCount(3);
    await expect(columns).toContainText('Total70 · 60');
    await expect(page.getByText('Nothing is read before this is answered.').first()).toBeVisible();
    await expectNoSeriousAxeFindings(page);
    await columns.getByRole('radio', { name: 'Total' }).check();
    await expect(page.getByText('2 marks found. Average 65.0').first()).toBeVisible();
    await expect(page.getByText('Line 4, Test Student: a test account, not a student')).toBeVisible();

    await marksField(page).fill('Marks\n67,5\n71,25');
    await expect(columns).toHaveCount(0);
    const decimals = page.getByRole('group', { name: 'Is 67,5 one mark or two?' });
    await decimals.getByRole('radio', { name: 'Two: 67 and 5' }).check();
    await expect(page.getByText('4 marks found in 2 columns.').first()).toBeVisible();
    await decimals.getByRole('radio', { name: 'One: 67.5' }).check();
    await expect(page.getByText('2 marks found. Average 69.4').first()).toBeVisible();
    // A key in the first line keeps the choice; another text does not.
    await marksField(page).press('Control+Home');
    await page.keyboard.type('End-term ');
    await expect(marksField(page)).toHaveValue('End-term Marks\n67,5\n71,25');
    await expect(page.getByText('2 marks found. Average 69.4').first()).toBeVisible();
    await marksField(page).fill('Score\n67,5\n71,25');
    await expect(page.getByText('Nothing is read before this is answered.').first()).toBeVisible();
    await marksField(page).clear();
  });

  await test.step('a file that is not text, and one with many marks', async () => {
    await fileField(page).setInputFiles({
      name: 'marks.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7 \xe2\xe3', 'latin1'),
    });
    await expect(page.getByText('This file is not text.').first()).toBeVisible();
    const long = Array.from({ length: 400_000 }, (_, i) => (i % 1001) / 10).join('\n');
    const buffer = Buffer.from(`${long}\nx`);
    await fileField(page).setInputFiles({ name: 'long.csv', mimeType: 'text/csv', buffer });
    await expect(page.getByText('400,000 marks found.').first()).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'Line 400001, column 1: x' })).toBeVisible();
    await page.getByRole('button', { name: 'Remove file' }).click();
    await expect(page.getByText('400,000 marks found.')).toHaveCount(0);
  });

  await test.step('a UTF-16 file with semicolons and decimal commas', async () => {
    const course = newCourse();
    await fillCourse(page, course);
    const csv = '\uFEFFRoll no;Name;Marks\r\n1;"Malik; Sana";64,5\r\n2;Zoë;88\r\n';
    const buffer = Buffer.from(csv, 'utf16le');
    await fileField(page).setInputFiles({ name: 'quiz.csv', mimeType: 'text/csv', buffer });
    await expect(page.getByText('quiz.csv')).toBeVisible();
    await expect(page.getByText('2 marks found.').first()).toContainText('Average 76.3');
    await expect(page.getByText('Line 1 is a heading and is left out; only column 3')).toBeVisible();
    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(page).toHaveURL('/courses');
    await expect(await findCourseCard(page, course)).toContainText('2 marks');
  });
});

test('after a reload the form names the marks file that has to be selected again', async ({
  staffPage: page,
  api,
}) => {
  const { course_id } = await api.createCourse();
  const file = { name: 'quiz.csv', mimeType: 'text/csv', buffer: Buffer.from('64,88') };
  await page.goto('/courses');
  for (const path of ['/courses/create', `/courses/${course_id}/edit`]) {
    await follow(page, path);
    await field(page, 'Course name').fill('Control Systems');
    await fileField(page).setInputFiles(file);
    await expect(page.getByText('2 marks found.').first()).toBeVisible();
    await page.reload();
    await expect(field(page, 'Course name')).toHaveValue('Control Systems');
    const lost = page.getByText('quiz.csv is not kept with a draft. Select it again.');
    await expect(lost).toBeVisible();
    await fileField(page).setInputFiles(file);
    await expect(lost).toBeHidden();
  }
});

test('a workbook is previewed sheet by sheet, and absent students are left out only when that is selected', async ({
  staffPage: page,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const heading = ['Roll No', 'Name', 'Marks'];
  const workbook = await writeXlsx({
    sheets: [
      { name: 'Notes', rows: [['Entered in May']] },
      {
        name: 'Section A',
        rows: [heading, [1, 'Sana', 70.5], [2, 'Ali', 'Absent'], [3, 'Zoë', 80], [4, 'Umar', 'A']],
      },
    ],
  });
  const course = newCourse();
  await page.goto('/courses/create');
  await fillCourse(page, course);
  await fileField(page).setInputFiles({
    name: 'quiz.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from(workbook),
  });
  await expect(page.getByLabel('Sheet')).toHaveValue('Notes');
  await expect(page.getByRole('listitem').filter({ hasText: 'cell A1: Entered in May' })).toBeVisible();
  await page.getByLabel('Sheet').selectOption('Section A');
  await expect(page.getByText('2 marks found.').first()).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'cell C3: Absent' })).toBeVisible();
  await expectNoSeriousAxeFindings(page);
  const leaveOut = page.getByRole('checkbox', { name: '2 rows say Absent or A: leave them out' });
  await expect(leaveOut).not.toBeChecked();

  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(page.getByText('2 rows say Absent or A; these can be left out.').first()).toBeVisible();
  await leaveOut.press('Space');
  await expect(leaveOut).toBeFocused();
  await expect(page.getByText('No mark is saved until these cells are corrected.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(page).toHaveURL('/courses');
  await expect(await findCourseCard(page, course)).toContainText('2 marks');
});
