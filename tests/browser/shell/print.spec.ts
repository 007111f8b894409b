import type { Request } from '@playwright/test';
import { Api } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { createSheet, openGrid } from '../../support/browser/marks-grid.ts';
import { follow } from '../../support/browser/screens.ts';
import { aCourse, unique } from '../../support/records.ts';

/** Counts the calls of `print()`, which would wait for a person. */
const withoutPrinter = (page: Page) =>
  page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', 'yes');
  });

test('a printed record, explanation or report has its figures, and nothing that can only be pressed', async ({
  staffPage: page,
  api,
}) => {
  await test.step('a printed record has the results of each semester, and nothing that can only be pressed', async () => {
    const { id } = await api.createRecord([
      [{ title: 'Calculus', credits: 3, grade: 'A' }],
      [{ title: 'Databases', credits: 4, grade: 'B+' }],
    ]);
    await page.goto(`/students/${id}`);
    const results = page.locator('.print-only').filter({ hasText: 'Semester 2:' });
    await expect(page.getByRole('link', { name: 'Edit', exact: true })).toBeVisible();
    await expect(results).toBeHidden();

    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect(page.getByText(/Printed on \d+ \w+ \d{4}, \d\d:\d\d, by /)).toBeVisible();
    const pageHead = await page.evaluate(() => {
      window.dispatchEvent(new Event('beforeprint'));
      return document.adoptedStyleSheets.flatMap(({ cssRules }) =>
        [...cssRules].map(({ cssText }) => cssText),
      );
    });
    expect(pageHead.join(' ')).toMatch(/@page .*@top-left \{ content: "Ayesha Siddiqui/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ayesha Siddiqui');
    await expect(results).toContainText('Semester 2: SGPA 3.50, CGPA 3.71, 4 credit hours');
    await expect(results.getByRole('row').filter({ hasText: 'Databases' })).toHaveText('Databases4B+');
    await expect(page.getByRole('link', { name: 'Edit', exact: true })).toBeHidden();
    await expect(page.getByRole('navigation')).toBeHidden();
    await expect(page.getByRole('banner')).toBeHidden();
    const colors = await page.evaluate(() => {
      const { color, backgroundColor } = getComputedStyle(document.body);
      return [color, backgroundColor];
    });
    expect(colors).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  });

  await test.step('an open explanation of the CGPA is printed in place of the record', async () => {
    const { id } = await api.createRecord([[{ title: 'Calculus', credits: 3, grade: 'A' }]], {
      current_sem: 2,
    });
    await follow(page, `/students/${id}`);
    await page.getByRole('button', { name: 'Explain' }).click();
    const subjects = page.getByRole('table', { name: 'Subjects of semester 1' });
    await expect(subjects).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await expect(subjects.getByRole('row').filter({ hasText: 'Calculus' })).toBeVisible();
    await expect(page.getByText('Basic Information')).toBeHidden();
    await expect(page.getByLabel('CGPA after')).toBeHidden();
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  });

  await test.step('a printed report has its table, and no fields to choose it', async () => {
    const degree = unique();
    await api.createRecord([[{ title: 'Calculus', credits: 3, grade: 'A' }]], {
      degree,
      last_name: 'Bhatti',
    });
    await follow(page, `/reports?department=CE&degree=${degree}`);
    const ranked = page.getByRole('table', { name: 'Ranked students' });
    await expect(ranked).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await expect(ranked).toContainText('Ayesha Bhatti');
    await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Batch' })).toBeHidden();
    await expect(page.getByRole('button', { name: 'Save CSV' })).toBeHidden();
  });
});

test('Print loads all students that match, and prints them as a list or for attendance', async ({
  staffPage: page,
  api,
}) => {
  await withoutPrinter(page);
  const degree = unique();
  const names = Array.from({ length: 60 }, (_, i) => `Zoya ${String(i + 1).padStart(2, '0')}`);
  await Promise.all(
    names.map((first_name) => api.createStudent({ degree, first_name, phone_number: '+92 300 5550199' })),
  );
  await page.goto(`/students?degree=${degree}&sort=name`);
  await page.getByRole('button', { name: 'Print', exact: true }).click();
  await page.getByRole('menuitem', { name: /^List / }).click();
  await expect(page.getByText(`Degree ${degree}, by name: 60 students`)).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-printed', 'yes');
  await page.emulateMedia({ media: 'print' });
  const rows = page.getByRole('row');
  await expect(rows).toHaveCount(61);
  await expect(rows.nth(1)).toHaveText(
    new RegExp(`^1T-.*Zoya 01 Siddiqui.*CE-${degree}-B2--935987.5\\+92 300 5550199$`),
  );
  await expect(rows.last()).toContainText('Zoya 60 Siddiqui');
  await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeHidden();

  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('button', { name: 'Attendance list' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Attendance list');
  await expect(page.getByRole('columnheader')).toHaveCount(5 + 16);
  await page.getByLabel('Empty columns').fill('31');
  await expect(page.getByRole('columnheader')).toHaveCount(5 + 31);
  await page.getByLabel('Empty columns').fill('99');
  await expect(page.getByLabel('Empty columns')).toHaveAccessibleDescription('Columns are 0 to 31.');
  await page.getByLabel('Empty columns').fill('2');
  // Ascending by ID, whatever the order of the screen.
  const ids = await page.locator('tbody tr td:nth-child(2)').allTextContents();
  expect(ids).toEqual(ids.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })));
  await page.getByLabel('Their headings').fill('Quiz 1, Quiz 2, Signature');
  await expect(page.getByRole('columnheader').nth(5)).toHaveText('Quiz 1');
  await expect(page.getByRole('columnheader')).toHaveCount(5 + 3);
  await page.getByLabel('Course').fill('MATH-101 Calculus');
  await page.getByLabel('Teacher').fill('Dr Hina Sabzwari');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('Dr Hina Sabzwari')).toBeVisible();
  await expect(page.getByText('Signature of the teacher, date')).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await expectNoSeriousAxeFindings(page);

  // Ctrl P does the same.
  await page.goBack();
  await expect(page.getByRole('checkbox', { name: /Zoya 02/ })).toBeVisible();
  await page.keyboard.press('Control+p');
  await expect(page.getByText(`Degree ${degree}, by name: 60 students`)).toBeVisible();
  await expect(page).toHaveURL(/\/students\/print\?.*as=list/);

  // Selected students only; a reload keeps them.
  await page.goBack();
  await page.getByRole('checkbox', { name: /Zoya 02/ }).check();
  await page.getByRole('checkbox', { name: /Zoya 04/ }).check();
  await page.getByRole('button', { name: 'Print', exact: true }).click();
  await page.getByRole('menuitem', { name: /^Class list / }).click();
  await expect(page.getByText('Selected students: 2 students')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Class list');
  await expect(rows).toHaveCount(3);
  for (const name of ['Zoya 02', 'Zoya 04']) await expect(rows.filter({ hasText: name })).toHaveCount(1);
});

test('a table that shows only some of its rows is printed with all of them', async ({
  staffPage: page,
  server,
  admin,
  api,
}) => {
  await withoutPrinter(page);
  const print = (isPrinting: boolean) =>
    page.evaluate(
      (name) => void window.dispatchEvent(new Event(name)),
      isPrinting ? 'beforeprint' : 'afterprint',
    );

  await test.step('the marks of a class', async () => {
    const sheet = await createSheet(new Api(server.url, admin.token), { students: 60 });
    await openGrid(page, sheet);
    const rows = page.getByRole('grid').getByRole('row');
    const last = page.getByRole('rowheader', { name: 'Ayesha Siddiqui' }).last();
    await expect(rows.filter({ hasText: `${sheet.degree}-60` })).toBeHidden();
    // The heads take two rows, the statistics three.
    await print(true);
    await expect(rows).toHaveCount(60 + 5);
    await print(false);
    await expect(rows).not.toHaveCount(60 + 5);
    await page.emulateMedia({ media: 'print' });
    await expect(rows).toHaveCount(60 + 5);
    await expect(last).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Mark sheet' })).toBeHidden();
    await expect(page.getByRole('searchbox')).toBeHidden();
    await expect(page.getByRole('button')).toHaveCount(0);
    // A phone shows one component at a time.
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(rows).toHaveCount(60 + 5);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ media: 'screen' });
  });

  await test.step('the courses that are found', async () => {
    const name = `Printing ${unique()}`;
    for (let i = 1; i <= 40; i += 1) {
      await api.post('/api/courses', { ...aCourse(), course_name: `${name} ${i}` });
    }
    await follow(page, `/courses?q=${encodeURIComponent(name)}`);
    const courses = page.getByRole('main').getByRole('link', { name });
    await expect(courses.first()).toBeVisible();
    await print(true);
    await expect(courses).toHaveCount(40);
    await print(false);
  });

  await test.step('a list that is loaded page by page says how, and Ctrl P loads the rest', async () => {
    // The class of the first step is the administrator's, who alone reads the history of everything.
    await signIn(page, admin);
    await page.goto(`/history?kind=students&user=${admin.user.id}`);
    const more = page.getByRole('button', { name: 'Show earlier entries' });
    await expect(more).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByText('The list goes on.')).toBeVisible();
    await expect(more).toBeHidden();
    await page.emulateMedia({ media: 'screen' });

    // Whoever goes elsewhere meanwhile does not print that.
    let answer = () => {};
    await page.route('**/api/history?*cursor=*', async (route) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      await route.continue().catch(() => {});
    });
    const isLoading = page.getByText('Loading the rest, to print it.');
    await page.keyboard.press('Control+p');
    await expect(isLoading).toBeVisible();
    // Before the click, which may abort it.
    const isRest = (request: Request) => request.url().includes('cursor=');
    const isRead = Promise.race([
      page.waitForEvent('requestfinished', isRest),
      page.waitForEvent('requestfailed', isRest),
    ]);
    await page.getByRole('link', { name: 'Courses' }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Courses');
    answer();
    await isRead;
    await page.unroute('**/api/history?*cursor=*');
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('History');
    await expect(page.locator('html')).not.toHaveAttribute('data-printed');
    await page.reload();
    await expect(more).toBeVisible();

    await page.keyboard.press('Control+p');
    await expect(page.locator('html')).toHaveAttribute('data-printed', 'yes');
    await expect(page.getByText('The list goes on.')).toHaveCount(0);
    await expect(more).toBeHidden();
  });
});

test('more students than can be printed at once are refused with what to do', async ({ staffPage: page }) => {
  await withoutPrinter(page);
  await page.route('**/api/exports/students.csv*', (route) =>
    route.fulfill({
      contentType: 'text/csv',
      headers: { 'X-Total-Rows': '2001', 'X-Total-Is': 'exact' },
      body: 'ID\r\n',
    }),
  );
  await page.goto('/students/print');
  await expect(page.getByRole('alert')).toContainText(
    'More than 2,000 students match, the most that can be printed at once. Narrow the search, or export them.',
  );
  await expect(page.locator('html')).not.toHaveAttribute('data-printed');
});
