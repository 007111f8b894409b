import { expectNoSeriousAxeFindings } from '../support/browser/accessibility.ts';
import { registerUser } from '../support/browser/api.ts';
import { addCourse, courseCard, flash } from '../support/browser/courses.ts';
import { expect, signIn, test } from '../support/browser/fixtures.ts';
import { expectNoSidewaysScrolling } from '../support/browser/screens.ts';
import { unique } from '../support/records.ts';

// Covers 2.147, 2.151, 2.155, 3.42, 7.35, 8.11
test('an empty catalogue says so and links to the form for the first course', async ({ page, ownServer }) => {
  await signIn(page, await registerUser(ownServer.url), ownServer.url);
  await page.goto(`${ownServer.url}/courses`);
  await expect(page.getByText('No courses have been created yet')).toBeVisible();
  await expectNoSeriousAxeFindings(page);

  await page.getByRole('link', { name: 'Create New Course' }).click();
  await expect(page.getByRole('heading', { name: 'Add a course' })).toBeVisible();
  await expect(page.getByText('Enter details of the course or go back')).toBeVisible();
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(page).toHaveURL(`${ownServer.url}/students`);
  // The server stops with the test, so no request may be pending at its end.
  await expect(page.getByText('No student entries have been created yet')).toBeVisible();
  await page.waitForLoadState('networkidle');
});

// Covers 2.157, 2.159
test('a course shows its marks as a histogram, as statistics and as a table', async ({
  staffPage: page,
  api,
}) => {
  const course = await addCourse(api, '15, 55, 55.5, 100', { course_description: 'Processes\nand threads.' });
  await page.goto(`/courses/${course.course_id}`);
  await expect(page.getByRole('heading', { name: course.course_name })).toBeVisible();
  await expect(page.getByRole('definition')).toHaveText(['56.4', '30.1', '4', '10-20 to 90+']);
  await expect(
    page.getByRole('img', { name: new RegExp(`^${course.course_name} marks histogram: .*50-60 2`) }),
  ).toBeVisible();
  await expect(page.getByRole('row', { name: '50-60 2 50%' })).toBeVisible();
  await expect(page.getByText('and threads.')).toBeVisible();
  await expectNoSeriousAxeFindings(page);

  await page.getByRole('main').getByRole('link', { name: 'Courses' }).click();
  await expect(page).toHaveURL('/courses');
});

// Covers 3.32
test('a course without marks says so', async ({ staffPage: page, api }) => {
  const course = await addCourse(api);
  await page.goto(`/courses/${course.course_id}`);
  await expect(page.getByText('Course data not available.')).toBeVisible();
  await expect(page.getByText('Not defined yet.')).toBeVisible();
});

// Covers 7.37
test('an unknown course ID opens the form for a new course', async ({ staffPage: page }) => {
  await page.goto('/courses/987654321987');
  await expect(page).toHaveURL('/courses/create');
  await expect(flash(page, 'There is no course with this ID.')).toBeVisible();
});

test('courses are found by code, ID and name', async ({ staffPage: page, api }) => {
  const course = await addCourse(api, '', { course_name: `Théorie ${unique()}` });
  await addCourse(api);
  await page.goto('/courses');
  const search = page.getByRole('searchbox', { name: 'Search courses' });
  for (const query of [course.course_code.toLowerCase(), String(course.course_id), 'theorie']) {
    await search.fill(query);
    await expect(courseCard(page, course)).toBeVisible();
    await expect(page.getByText(/^1 of /).or(page.getByText(/^\d+ of /))).toBeVisible();
  }
  await search.fill('no such course');
  await expect(page.getByText('No course matches the search')).toBeVisible();
  await search.press('Escape');
  await expect(search).toHaveValue('');
});

test.describe('at 320 pixels', () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test('the course pages do not scroll sideways', async ({ staffPage: page, api }) => {
    const course = await addCourse(api, '50, 60', {
      course_name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
      course_code: 'C'.repeat(80),
    });
    const id = course.course_id;
    for (const path of ['/courses', `/courses/${id}`, `/courses/${id}/edit`, '/courses/create']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('img').or(page.getByLabel('Description')).first()).toBeVisible();
      await expectNoSidewaysScrolling(page);
    }
  });
});
