import type { StudentPage } from '../../../src/contract/students/student-list.ts';
import { Api, registerUser } from '../../support/api.ts';
import { expect, type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { aCourse, aSemester } from '../../support/records.ts';

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const bars = (page: Page, name: string) => page.getByRole('group', { name, exact: true }).getByRole('link');

const figures = (page: Page) => page.getByRole('main').locator('a[href^="/students"]');

const statics = (grade: 'A' | 'B' | 'C' | 'F') => [{ title: 'Statics', credits: 3, grade }];

/** Every figure on the screen that links to students, with the number of students in the linked list. */
async function readFiguresWithCounts(page: Page, api: Api) {
  const links = await figures(page).evaluateAll((anchors) =>
    anchors.map((link) => ({
      label: link.getAttribute('aria-label') ?? link.textContent ?? '',
      href: link.getAttribute('href') ?? '',
    })),
  );
  return Promise.all(
    links.map(async ({ label, href }) => {
      const { students } = await api.get<StudentPage>(`/api${href}`);
      return { label, href, figure: Number(/(?:^|: )(\d+)/.exec(label)?.[1]), listed: students.length };
    }),
  );
}

async function expectFiguresToMatchLists(page: Page, api: Api, count: number): Promise<void> {
  await expect(figures(page)).toHaveCount(count);
  const mismatches = (await readFiguresWithCounts(page, api)).filter(
    ({ figure, listed }) => figure !== listed,
  );
  expect(mismatches).toEqual([]);
}

test('the figures follow the records, and each links to the students it counts', async ({
  page,
  ownServer,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const { url } = ownServer;
  const account = await registerUser(url);
  await signIn(page, account);
  await page.goto(url);
  await page.getByRole('navigation').getByRole('link', { name: 'Insights' }).click();
  for (const [name, text] of [
    ['CGPA', 'No student has a CGPA yet.'],
    ['Low CGPA', 'No student has a CGPA yet.'],
    ['Falling SGPA', 'There are no students yet.'],
    ['Academic standing', 'No student has a standing yet.'],
    ['Pass rates', 'No course of the catalogue has results yet.'],
    ['Class sizes', 'There are no students yet.'],
  ] as const) {
    await expect(panel(page, name).getByText(text)).toBeVisible();
  }

  const api = new Api(url, account.token);
  const course = { ...aCourse(), course_code: 'ME-211' };
  await api.post('/api/courses', course);
  const results = { subject_1: 'Thermodynamics', subject_1_id: course.course_id, subj_credit_1: 3 };
  for (const [id, grade] of [
    ...[['T-1', 'F'] as const, ['T-2', 'F'] as const, ['T-3', 'B'] as const],
    ...[['T-4', 'B'] as const, ['T-5', 'A'] as const, ['T-6', 'A'] as const],
  ]) {
    await api.createRecord([], { id, department: 'ME', degree: '44', current_sem: 3 });
    await api.post('/api/students/academics', aSemester(id, 1, statics('A')));
    const graded = { ...results, subj_grade_1: grade };
    await api.post('/api/students/academics', { ...aSemester(id, 2, []), ...graded });
  }
  await api.createRecord([statics('C')], { department: 'EE', degree: '45', current_sem: 2 });
  await api.createStudent({ department: 'EE', degree: '45', current_sem: 2 });
  await page.reload();

  // CGPAs: two of 2.00 (the mean of 4 and 0), two of 3.50, two of 4.00; and one of 2.00 in another department.
  await expect(bars(page, 'CGPA, Mechanical Engineering')).toHaveCount(3);
  await expectFiguresToMatchLists(page, api, 23);
  await bars(page, 'CGPA, Mechanical Engineering').last().click();
  await expect(page).toHaveURL(`${url}/students?department=ME&status=active&cgpa_from=3.80`);
  await expect(page.getByRole('status').filter({ hasText: '2 students' })).toBeVisible();
  await page.goBack();

  // With the keyboard only: a chart is one Tab stop, and End moves to its last bar.
  await page.getByRole('button', { name: 'Degree' }).press('Enter');
  await expect(page).toHaveURL(/\?split=degree$/);
  await expect(page.getByRole('heading', { level: 3, name: /^Degree/ })).toHaveText([
    'Degree 45',
    'Degree 44',
  ]);
  const last = bars(page, 'CGPA, Degree 44').last();
  await page.getByRole('link', { name: '6 with a CGPA' }).focus();
  await page.keyboard.press('Tab');
  await expect(bars(page, 'CGPA, Degree 44').first()).toBeFocused();
  await page.keyboard.press('End');
  await expect(last).toBeFocused();
  await expect(panel(page, 'CGPA').getByText('2 students, 33.3%')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('spinbutton', { name: 'CGPA below' })).toBeFocused();

  // Choices are kept in the URL. An invalid one is reported at its field and leaves the others as they are.
  await expect(panel(page, 'Low CGPA').getByText('No student of 7 with a CGPA, 0%')).toBeVisible();
  await page.getByRole('spinbutton', { name: 'CGPA below' }).fill('4.5');
  await expect(panel(page, 'Low CGPA').getByText('must be 0 to 4 with at most two decimals')).toBeVisible();
  await page.getByRole('spinbutton', { name: 'CGPA below' }).fill('2.01');
  await expect(page).toHaveURL(/\?split=degree&cgpa_below=2\.01$/);
  await expect(panel(page, 'Low CGPA').getByRole('link', { name: '3 students' })).toBeVisible();
  await expect(bars(page, 'Falling SGPA by department')).toHaveAccessibleName(
    'Mechanical Engineering: 4 students, 66.7%',
  );

  // The same figures as tables. The choice survives a reload.
  await page.getByRole('button', { name: 'Tables' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Tables' })).toHaveAttribute('aria-pressed', 'true');
  const row = panel(page, 'Low CGPA').getByRole('row', { name: /^Mechanical Engineering/ });
  await expect(row.getByRole('cell')).toHaveText(['2', '6', '33.3%']);
  const rates = panel(page, 'Pass rates').getByRole('row', { name: /^ME-211/ });
  await expect(rates.getByRole('cell')).toHaveText(['6', '2', '66.7%']);
  await expectFiguresToMatchLists(page, api, 33);
  await panel(page, 'Pass rates').getByRole('button', { name: 'Course', exact: true }).click();
  await expect(page).toHaveURL(/sort=course&direction=ascending$/);
  await rates.getByRole('link', { name: 'ME-211 Thermodynamics' }).click();
  await expect(page.getByRole('heading', { name: 'Thermodynamics' })).toBeVisible();
});

test('a panel whose figures fail to load shows the error, and its button loads them again', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add('offline');
  await api.createRecord([statics('A')]);
  await page.route('**/api/insights/falls?*', (route) => route.fulfill({ status: 503, body: '' }));
  await page.goto('/insights');
  await expect(bars(page, 'CGPA, Computer and Software Engineering').first()).toBeVisible();
  await expect(panel(page, 'Falling SGPA').getByText('The server could not be reached.')).toBeVisible();
  await page.unroute('**/api/insights/falls?*');
  await panel(page, 'Falling SGPA').getByRole('button', { name: 'Try again' }).click();
  await expect(panel(page, 'Falling SGPA').getByText(/ in all, /)).toBeVisible();
});
