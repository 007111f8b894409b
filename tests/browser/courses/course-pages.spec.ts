import { findCourseCard } from '../../support/browser/courses.ts';
import { expect, type Page, test } from '../../support/browser/fixtures.ts';
import { field } from '../../support/browser/forms.ts';
import { expectScreen, follow } from '../../support/browser/screens.ts';
import { aCourse } from '../../support/records.ts';

const mainLink = (page: Page, name: string) =>
  page.getByRole('main').getByRole('link', { name, exact: true });
const requiredFields = (page: Page) =>
  page.locator('form [required]').evaluateAll((all) => all.map((input) => input.getAttribute('name')));

// Covers 2.146, 2.147, 2.148, 2.149, 2.150, 2.152, 2.153, 2.154, 2.155, 2.156, 2.157, 2.158, 2.159, 2.160
// Covers 2.162, 2.163, 4.43, 5.15, 7.40
test('the course pages show their texts, fields, charts and links to each other', async ({
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
  expect(await requiredFields(page)).toEqual(['course_id', 'course_code', 'course_name']);
  await expect(page.getByRole('button', { name: 'Create Entry', exact: true })).toBeVisible();
  await expect(mainLink(page, 'Back')).toHaveAttribute('href', '/students');
  await mainLink(page, 'Courses').click();

  await expect(page).toHaveURL('/courses');
  await expect(page.getByText('Click to view full details', { exact: true })).toBeVisible();
  await expect(mainLink(page, 'Create New Course')).toHaveAttribute('href', '/courses/create');
  const card = await findCourseCard(page, course);
  await expect(card.getByRole('link')).toHaveAttribute('href', `/courses/${course.course_id}`);
  await expect(card.getByRole('img', { name: /^Thermodynamics marks histogram: 0-10 0, / })).toBeVisible();
  const histogramRequest = page.waitForRequest(`**/api/courses/histogram/${course.course_id}`);
  await card.getByRole('link').click();

  await expect(page).toHaveURL(`/courses/${course.course_id}`);
  await expectScreen(page, 'Course');
  expect((await histogramRequest).method()).toBe('GET');
  await expect(page.getByRole('img', { name: /^Thermodynamics marks histogram: .*90\+ 1$/ })).toBeVisible();
  await expect(mainLink(page, 'Courses')).toHaveAttribute('href', '/courses');
  await mainLink(page, 'Edit').click();

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
  await mainLink(page, 'Thermodynamics').click();
  await expect(page).toHaveURL(`/courses/${course.course_id}`);
});

// Covers 4.41, 5.16, 7.32
test('a course created without marks sends none and appears in the catalogue immediately', async ({
  staffPage: page,
}) => {
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
  const card = await findCourseCard(page, course);
  await expect(card.getByText('Course data not available.', { exact: true })).toBeVisible();
  expect(sent.map(({ path }) => path)).toEqual(['/api/courses']);
  expect(sent[0]?.body).toEqual({
    course_id: String(course.course_id),
    course_code: course.course_code,
    course_name: course.course_name,
    course_description: '',
    credits: '',
  });
});

// Covers 8.9, 4.45
test('a chart that cannot be loaded says so, and marks are sent only after the details of their course', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  await test.step('a chart whose data cannot be loaded says so, and the rest of the page is shown', async () => {
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

  await test.step('marks are sent only after the details of their course have been saved', async () => {
    expectedProblems.add(422);
    const { course_id } = await api.createCourse();
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (request.method() !== 'GET') calls.push(`${request.method()} ${pathname}`);
    });
    await follow(page, `/courses/${course_id}/edit`);
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
});
