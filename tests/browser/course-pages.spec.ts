import { expect, type Page, test } from '../support/browser.ts';
import { field } from '../support/forms.ts';
import { aCourse } from '../support/records.ts';
import { expectScreen } from '../support/screens.ts';

const back = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true });
const required = (page: Page) =>
  page.locator('form [required]').evaluateAll((all) => all.map((input) => input.getAttribute('name')));

test('the pages of courses have their texts, fields, charts and ways to each other', async ({
  staffPage: page,
  api,
}) => {
  const course = await api.createCourse();
  await page.goto('/courses/create');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add a course');
  await expect(page.getByText('Enter details of the course or go back', { exact: true })).toBeVisible();
  await expect(field(page, 'Course ID')).toHaveAttribute('type', 'number');
  await expect(field(page, 'Description')).toBeVisible();
  await expect(field(page, 'Course marks (CSV)')).toBeVisible();
  await expect(page.locator('input[type=file]')).toHaveCount(1);
  expect(await required(page)).toEqual(['course_id', 'course_code', 'course_name']);
  await expect(page.getByRole('button', { name: 'Create Entry', exact: true })).toBeVisible();
  await expect(back(page, 'Back')).toHaveAttribute('href', '/students');
  await back(page, 'Courses').click();

  await expect(page).toHaveURL('/courses');
  await expect(page.getByText('Click to view full details', { exact: true })).toBeVisible();
  await expect(back(page, 'Create New Course')).toHaveAttribute('href', '/courses/create');
  const card = page.getByRole('article').filter({ hasText: course.course_code });
  await expect(card.getByRole('link')).toHaveAttribute('href', `/courses/${course.course_id}`);
  await expect(card.getByRole('img', { name: /^Thermodynamics marks histogram: 0-10 0, / })).toBeVisible();
  const asked = page.waitForRequest(`**/api/courses/histogram/${course.course_id}`);
  await card.getByRole('link').click();

  await expect(page).toHaveURL(`/courses/${course.course_id}`);
  await expectScreen(page, 'Course');
  expect((await asked).method()).toBe('GET');
  await expect(page.getByRole('img', { name: /^Thermodynamics marks histogram: .*90\+ 1$/ })).toBeVisible();
  await expect(back(page, 'Courses')).toHaveAttribute('href', '/courses');
  await back(page, 'Edit').click();

  await expect(page).toHaveURL(`/courses/${course.course_id}/edit`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `Edit Course with ID: ${course.course_id}`,
  );
  for (const [label, value] of [
    ['Course ID', String(course.course_id)],
    ['Course code', course.course_code],
    ['Course name', 'Thermodynamics'],
    ['Description', 'Heat, work and their conversion.'],
    ['Course marks (CSV)', ''],
  ] as const) {
    await expect(field(page, label)).toHaveValue(value);
  }
  await expect(page.getByRole('button', { name: 'Delete', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Update Entry', exact: true })).toBeVisible();
  await back(page, 'Thermodynamics').click();
  await expect(page).toHaveURL(`/courses/${course.course_id}`);
});

test('without marks no marks are sent, and the catalogue follows at once', async ({ staffPage: page }) => {
  const course = aCourse();
  const sent: { path: string; body: unknown }[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST') return;
    sent.push({ path: new URL(request.url()).pathname, body: request.postDataJSON() });
  });
  await page.goto('/courses/create');
  await field(page, 'Course ID').fill(String(course.course_id));
  await field(page, 'Course code').fill(course.course_code);
  await field(page, 'Course name').fill(course.course_name);
  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(page).toHaveURL('/courses');
  const card = page.getByRole('article').filter({ hasText: course.course_code });
  await expect(card.getByText('Course data not available.', { exact: true })).toBeVisible();
  expect(sent.map(({ path }) => path)).toEqual(['/api/courses']);
  expect(sent[0]?.body).toEqual({
    course_id: String(course.course_id),
    course_code: course.course_code,
    course_name: course.course_name,
    course_description: '',
  });
});

test('a chart whose figures can not be read says so, and the page stands', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(404);
  const { course_id } = await api.createCourse();
  await page.route(`**/api/courses/histogram/${course_id}`, (route) =>
    route.fulfill({ status: 404, json: { message: 'Gone.' } }),
  );
  await page.goto(`/courses/${course_id}`);
  await expect(page.getByText('Course data not available.', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thermodynamics');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('marks wait until the details of their course are saved', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const { course_id } = await api.createCourse();
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET') calls.push(`${request.method()} ${pathname}`);
  });
  await page.goto(`/courses/${course_id}/edit`);
  await field(page, 'Course name').fill('');
  await field(page, 'Course marks (CSV)').fill('50');
  await page.getByRole('button', { name: 'Update Entry' }).click();
  await expect(field(page, 'Course name')).toHaveAccessibleDescription('Required');
  expect(calls).toEqual([`PUT /api/courses/${course_id}`]);

  await field(page, 'Course name').fill('Heat');
  await page.getByRole('button', { name: 'Update Entry' }).click();
  await expect(page).toHaveURL(`/courses/${course_id}`);
  expect(calls.slice(1)).toEqual([`PUT /api/courses/${course_id}`, 'POST /api/courses-marks']);
});
