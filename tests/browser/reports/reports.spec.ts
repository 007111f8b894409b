import { readFile } from 'node:fs/promises';
import { Api } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, type Page, test } from '../../support/browser/fixtures.ts';
import { makeSheet } from '../../support/browser/mark-sheets.ts';
import { follow } from '../../support/browser/screens.ts';
import { parseCsv } from '../../support/csv.ts';
import { type Subject, unique } from '../../support/records.ts';
import { readSheets } from '../../support/workbook.ts';

const subject = (grade: Subject['grade']): Subject => ({ title: 'Statics', credits: 3, grade });
const report = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const names = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).getByRole('row').getByRole('link');

test('the reports of a class are read, filtered by a count and saved as a file, and loaded again after an error', async ({
  staffPage: page,
  api,
  admin,
  server,
  expectedProblems,
}) => {
  await test.step('the reports of a class are read, filtered by a count and saved as a file', async () => {
    // Simulates a browser that cannot write to the disk directly.
    await page.addInitScript(() => Object.defineProperty(window, 'showSaveFilePicker', { value: undefined }));
    const degree = unique();
    const enter = (last_name: string, ...semesters: Subject['grade'][]) =>
      api.createRecord(
        semesters.map((grade) => [subject(grade)]),
        {
          id: `${degree}-${last_name}`,
          degree,
          department: 'MTS',
          first_name: 'Student',
          last_name,
          current_sem: 3,
        },
      );
    const first = await enter('Aslam', 'B', 'A');
    await enter('Bhatti', 'A', 'F');
    await enter('Chaudhry', 'C');

    // The class is chosen by keyboard and stays in the address.
    await page.goto('/');
    await page.getByRole('navigation').getByRole('link', { name: 'Reports' }).press('Enter');
    await expect(page.getByRole('heading', { name: 'Choose a class' })).toBeVisible();
    await page.getByRole('combobox', { name: 'Department' }).selectOption('Mechatronics Engineering');
    await page.getByRole('combobox', { name: 'Batch' }).selectOption(degree);
    await expect(page).toHaveURL(`/reports?department=MTS&degree=${degree}`);
    const ranking = report(page, `Ranking of MTS-${degree}`);
    await expect(ranking.getByText('CGPA after semester 2: 2 students ranked, 1 not ranked.')).toBeVisible();
    await expect(names(page, 'Ranked students')).toHaveText(['Student Aslam', 'Student Bhatti']);
    await expect(ranking.getByRole('row', { name: 'Chaudhry' })).toContainText('Semester 2 is not recorded');
    await expectNoSeriousAxeFindings(page);
    await page.getByRole('combobox', { name: 'Semester' }).selectOption('1');
    await expect(names(page, 'Ranked students')).toHaveText([
      'Student Bhatti',
      'Student Aslam',
      'Student Chaudhry',
    ]);
    await page.reload();
    await expect(names(page, 'Ranked students').first()).toHaveText('Student Bhatti');

    // Each count of the summary lists as many students.
    await page.getByRole('combobox', { name: 'Semester' }).selectOption('Latest');
    await page.getByRole('button', { name: 'Result summary' }).press('Enter');
    const counts = page.getByRole('navigation', { name: 'Students by result' });
    for (const [count, listed] of [
      ['Complete: 2 students', ['Student Aslam', 'Student Bhatti']],
      ['Passed all subjects: 1 student', ['Student Aslam']],
      ['One F: 1 student', ['Student Bhatti']],
    ] as const) {
      await counts.getByRole('link', { name: count, exact: true }).press('Enter');
      await expect(names(page, count.split(':')[0] ?? '')).toHaveText([...listed]);
    }
    await expect(page).toHaveURL(/[?]report=result-summary&.*&group=1$/);
    await expect(page.getByRole('img', { name: /^SGPA histogram/ })).toBeVisible();
    await expectNoSeriousAxeFindings(page);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save CSV' }).press('Enter');
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(
      new RegExp(`^result-summary-MTS-${degree}-\\d{4}-\\d\\d-\\d\\d\\.csv$`),
    );
    const [, ...rows] = parseCsv(await readFile(await file.path(), 'utf8'));
    expect(rows.map(([, firstName, lastName]) => `${firstName} ${lastName}`)).toEqual(['Student Bhatti']);

    await page.getByRole('button', { name: 'Dean’s list' }).click();
    const list = report(page, `Dean’s list of MTS-${degree}`);
    await expect(list.getByText('Semester 2: 1 of 2 students on the list.')).toBeVisible();
    await page.getByRole('button', { name: 'Degree check' }).click();
    await expect(page.getByText('No student of this class is in the last semester.')).toBeVisible();
    await page.getByRole('button', { name: 'Ranking' }).click();
    await names(page, 'Ranked students').first().click();
    await expect(page).toHaveURL(`/students/${first.id}`);
  });

  await test.step('who is short of attendance is listed by mark sheet, with what would be enough', async () => {
    const adminApi = new Api(server.url, admin.token);
    const { sheet, ids, degree, termId } = await makeSheet({ api, admin: adminApi }, [80, 70, 60]);
    const path = `/reports?report=shortage&department=CE&degree=${degree}&term_id=${termId}`;
    await follow(page, path);
    await expect(page.getByText('Nobody of this class is short of attendance in this term.')).toBeVisible();
    const [first, second, third] = ids;
    await api.send('PUT', `/api/sheets/${sheet.sheet_id}/attendance`, {
      rows: [
        { student_id: first, theory: { held: 30, attended: 22 }, lab: { held: 15, attended: 13 } },
        { student_id: second, theory: { held: 30, attended: 20 } },
        { student_id: third, theory: { held: 30, attended: 29 } },
      ],
    });
    const condone = `/api/sheets/${sheet.sheet_id}/rows/${second}/condone`;
    await adminApi.send('PUT', condone, { reason: 'Medical board 4 of 2027.' });
    await page.reload();
    const table = page.getByRole('table', { name: 'Short of attendance' });
    await expect(table.getByRole('rowheader', { name: /Signals/ })).toContainText('1 short, 1 condoned');
    const row = table.getByRole('row').filter({ hasText: first ?? '' });
    await expect(row).toContainText('22 of 30 (73.33 %)');
    await expect(row).toContainText('Theory 23 of 30 are needed');
    await expect(table.getByRole('row').filter({ hasText: second ?? '' })).toContainText(
      'Condoned by Asad Admin: “Medical board 4 of 2027.”',
    );
    await expect(table.getByRole('row')).toHaveCount(4);
    await expect(page.getByRole('button', { name: 'Result sheet' })).toHaveCount(0);
    await expectNoSeriousAxeFindings(page);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save workbook' }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(/^shortage-CE-.*\.xlsx$/);
    const [book] = readSheets(await readFile(await file.path()));
    expect(book?.rows.map(([id]) => id)).toEqual(['CMS ID', first, second]);
    await page.getByRole('combobox', { name: 'Term' }).selectOption({ index: 0 });
    await expect(page).toHaveURL(/term_id=/);
  });

  await test.step('a report that fails to load shows the error, and its button loads it again', async () => {
    expectedProblems.add('offline');
    await page.route('**/api/reports/ranking?*', (route) => route.fulfill({ status: 503, body: '' }));
    await follow(page, '/reports?department=EE&degree=none');
    await expect(page.getByText('The server could not be reached.')).toBeVisible();
    await page.unroute('**/api/reports/ranking?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('There are no students in this class.')).toBeVisible();
  });
});
