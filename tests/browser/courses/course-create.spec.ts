import { truncate, writeFile } from 'node:fs/promises';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import {
  addCourse,
  fillCourse,
  findCourseCard,
  marksField,
  newCourse,
} from '../../support/browser/courses.ts';
import { expect, type Page, test } from '../../support/browser/fixtures.ts';
import { field } from '../../support/browser/forms.ts';
import { expectScreen, follow } from '../../support/browser/screens.ts';

const marksPreview = (page: Page) => page.getByRole('img', { name: /^Marks to be sent histogram/ });

// Covers 2.146, 2.150, 3.33, 4.39, 4.40, 7.39, 4.42, 7.33
test('a course is created with marks, which the form previews as a histogram; invalid ones are reported with line and cell', async ({
  staffPage: page,
  expectedProblems,
}) => {
  await test.step('a course is created with marks; the form previews them as a histogram', async () => {
    const course = newCourse({ course_description: 'Processes and threads.' });
    await page.goto('/courses/create');
    await fillCourse(page, course);
    await marksField(page).fill('71, 64.5, 88\n59, 100');
    await expect(
      page.getByText('5 marks found. Average 76.5, standard deviation 15.3.').first(),
    ).toBeVisible();
    await expect(marksPreview(page)).toHaveAttribute(
      'aria-label',
      /50-60 1, 60-70 1, 70-80 1, 80-90 1, 90\+ 1$/,
    );
    await expectNoSeriousAxeFindings(page);

    const histogramCalls: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/courses/histogram')) histogramCalls.push(request.url());
    });
    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(page).toHaveURL('/courses');
    await expect(page.getByText('Click to view full details')).toHaveCount(1);
    const card = await findCourseCard(page, course);
    await expect(card).toContainText('Avg 76.5SD 15.35 marks');
    await expect(card.getByRole('img', { name: /90\+ 1$/ })).toBeVisible();
    expect(histogramCalls).toEqual([]);

    // The click hits the chart in the middle of the card.
    await card.click();
    await expect(page).toHaveURL(`/courses/${course.course_id}`);
    await expectScreen(page, 'Course');
    await expect(page.getByRole('heading', { name: course.course_name })).toBeVisible();
  });

  await test.step('invalid marks are reported with line and cell; sending them again does not create the course twice', async () => {
    expectedProblems.add(422);
    const course = newCourse();
    const posted: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') posted.push(new URL(request.url()).pathname);
    });
    await follow(page, '/courses/create');
    await fillCourse(page, course);
    await marksField(page).fill('71, 64\n8O, 101');
    await expect(page.getByText('2 marks found.').first()).toContainText(
      '2 cells hold no mark from 0 to 100.',
    );
    await expect(page.getByRole('listitem').filter({ hasText: 'Line 2, column 1: 8O' })).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'Line 2, column 2: 101' })).toBeVisible();

    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(page.getByText(`The course with ID ${course.course_id} has been created`)).toBeVisible();
    await expect(marksField(page)).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByText(/must be numbers from 0 to 100/)).toContainText('line 2, column 1: "8O"');
    await expectNoSeriousAxeFindings(page);

    await page.reload();
    await marksField(page).fill('71, 64\n80, 100');
    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(page).toHaveURL('/courses');
    await expect(await findCourseCard(page, course)).toContainText('4 marks');
    expect(posted).toEqual(['/api/courses', '/api/courses-marks', '/api/courses-marks']);
  });
});

// Covers 4.42
test('a course is refused with the reason at its field, and nothing typed is lost', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  await test.step('a course that was deleted before its marks were stored is created again', async () => {
    expectedProblems.add(422);
    const course = newCourse();
    await page.goto('/courses/create');
    await fillCourse(page, course);
    await marksField(page).fill('101');
    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(page.getByText('its marks have not been saved')).toBeVisible();
    await api.send('DELETE', `/api/courses/${course.course_id}`);
    await marksField(page).fill('50');
    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(field(page, 'Course ID')).toHaveAccessibleDescription(/Another user has deleted the course/);
    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(page).toHaveURL('/courses');
    expect(await api.get(`/api/courses/${course.course_id}`)).toMatchObject({ course: { marks_count: 1 } });
  });

  await test.step('server errors are shown at their fields, and a reload keeps the entered values', async () => {
    expectedProblems.add(422);
    const { course_id } = await addCourse(api);
    await follow(page, '/courses/create');
    await field(page, 'Course ID').fill(String(course_id));
    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(page.getByText('Two fields need attention.')).toBeVisible();
    await expect(field(page, 'Course name')).toHaveAccessibleDescription('Required');
    await expectNoSeriousAxeFindings(page);

    await field(page, 'Course code').fill('CE-1');
    await field(page, 'Course name').fill('Compilers');
    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(field(page, 'Course ID')).toHaveAccessibleDescription(
      /^The id has already been taken\. Free: \d+$/,
    );
    await page.reload();
    await expect(field(page, 'Course name')).toHaveValue('Compilers');
  });

  await test.step('a file that is too large is refused before the course is created', async () => {
    const course = newCourse();
    // A file on the disk is not sent through the test.
    const file = test.info().outputPath('marks.csv');
    await writeFile(file, '50,');
    await truncate(file, 33 * 1024 * 1024);
    await follow(page, '/courses/create');
    await fillCourse(page, course);
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(page.getByText('The file must be at most 32 MiB.')).toBeVisible();
    expect(await api.get(`/api/courses/${course.course_id}`)).toMatchObject({ canProceed: false });
  });
});

test('marks that were refused wait at their course, and never replace others unasked', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(422).add(412);
  const createWithWrongMarks = async () => {
    const course = newCourse();
    await fillCourse(page, course);
    await marksField(page).fill('50, 60, xx');
    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(page.getByText('its marks have not been saved')).toBeVisible();
    return course;
  };
  const expectEmptyForm = async () => {
    await expect(page.getByRole('heading', { name: 'Add a course' })).toBeVisible();
    await expect(field(page, 'Course ID')).toHaveValue('');
    await expect(field(page, 'Course ID')).toBeEditable();
    await expect(marksField(page)).toHaveValue('');
    await expect(page.getByText('has been restored')).toHaveCount(0);
  };
  const marksCount = async (id: number) =>
    ((await api.get(`/api/courses/${id}`)) as { course: { marks_count: number } }).course.marks_count;

  await page.goto('/courses/create');
  const course = await createWithWrongMarks();
  await test.step('the form for another course does not offer them; that of the course does', async () => {
    await follow(page, '/courses');
    await follow(page, '/courses/create');
    await expectEmptyForm();
    await follow(page, `/courses/${course.course_id}/edit`);
    await expect(page.getByText('has been restored')).toBeVisible();
    await expect(marksField(page)).toHaveValue('50, 60, xx');
    await marksField(page).fill('50, 60, 70');
    await page.getByRole('button', { name: 'Update Entry' }).click();
    await expect(page).toHaveURL(`/courses/${course.course_id}`);
    expect(await marksCount(course.course_id)).toBe(3);
    await follow(page, '/courses/create');
    await expectEmptyForm();
  });

  await test.step('marks that were stored meanwhile are asked about', async () => {
    const { course_id } = await createWithWrongMarks();
    await api.post('/api/courses-marks', { course_id, marks: '1, 2, 3' });
    await marksField(page).fill('10, 20');
    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(page).toHaveURL(`/courses/${course_id}/edit`);
    await expect(page.getByRole('radio', { name: 'Replace the 3 marks there are' })).toBeVisible();
    await expect(marksField(page)).toHaveValue('10, 20');
    expect(await marksCount(course_id)).toBe(3);
  });

  await test.step('a course whose reply was lost is not offered again', async () => {
    expectedProblems.add('offline');
    await follow(page, '/courses/create');
    await expectEmptyForm();
    const stored = newCourse();
    await fillCourse(page, stored);
    await marksField(page).fill('70');
    await page.route(
      '**/api/courses',
      async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'What you typed is kept' })).toBeVisible();
    await page.reload();
    await expectEmptyForm();
    await page.getByRole('button', { name: 'Open it' }).click();
    await expect(marksField(page)).toHaveValue('70');
  });
});
