import { randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectNoSeriousAxeFindings } from '../support/accessibility.ts';
import { type Api, registerUser } from '../support/api.ts';
import { expect, signIn, test } from '../support/browser.ts';
import { field } from '../support/forms.ts';
import { unique } from '../support/records.ts';
import { expectNoSidewaysScrolling, expectScreen } from '../support/screens.ts';

/** A number that no other test uses. */
const newId = () => randomInt(10_000, 2 ** 40);

interface Course {
  course_id: number;
  course_code: string;
  course_name: string;
  course_description?: string;
}

const aCourse = (changes: Partial<Course> = {}): Course => ({
  course_id: newId(),
  course_code: `CE-${unique()}`,
  course_name: `Operating Systems ${unique()}`,
  ...changes,
});

async function addCourse(api: Api, marks = '', changes: Partial<Course> = {}): Promise<Course> {
  const course = aCourse(changes);
  await api.post('/api/courses', course);
  if (marks !== '') await api.post('/api/courses-marks', { course_id: course.course_id, marks });
  return course;
}

const marksField = (page: Page) => field(page, 'Course marks (CSV)');
const toBeSent = (page: Page) => page.getByRole('img', { name: /^Marks to be sent histogram/ });
const card = (page: Page, course: Course) =>
  page.getByRole('article').filter({ hasText: course.course_name });
const flash = (page: Page, text: string) => page.getByText(text, { exact: true });

async function fillCourse(page: Page, course: Course): Promise<void> {
  await field(page, 'Course ID').fill(String(course.course_id));
  await field(page, 'Course code').fill(course.course_code);
  await field(page, 'Course name').fill(course.course_name);
  if (course.course_description) await field(page, 'Description').fill(course.course_description);
}

test('an empty catalogue says so and leads to the first course', async ({ page, ownServer }) => {
  await signIn(page, await registerUser(ownServer.url), ownServer.url);
  await page.getByRole('navigation').getByRole('link', { name: 'Courses' }).click();
  await expect(page.getByText('No courses have been created yet')).toBeVisible();
  await expectNoSeriousAxeFindings(page);

  await page.getByRole('link', { name: 'Create New Course' }).click();
  await expect(page.getByRole('heading', { name: 'Add a course' })).toBeVisible();
  await expect(page.getByText('Enter details of the course or go back')).toBeVisible();
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(page).toHaveURL(`${ownServer.url}/students`);
  // The server ends with the test; nothing may still be on its way then.
  await expect(page.getByText('No student entries have been created yet')).toBeVisible();
  await page.waitForLoadState('networkidle');
});

test('a course is created with marks that are shown before they are sent', async ({ staffPage: page }) => {
  const course = aCourse({ course_description: 'Processes and threads.' });
  await page.goto('/courses/create');
  await fillCourse(page, course);
  await marksField(page).fill('71, 64.5, 88\n59, 100');
  await expect(page.getByText('5 marks found. Average 76.5, standard deviation 15.3.').first()).toBeVisible();
  await expect(toBeSent(page)).toHaveAttribute('aria-label', /50-60 1, 60-70 1, 70-80 1, 80-90 1, 90\+ 1$/);
  await expectNoSeriousAxeFindings(page);

  const histogramCalls: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/courses/histogram')) histogramCalls.push(request.url());
  });
  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(page).toHaveURL('/courses');
  await expect(page.getByText('Click to view full details')).toHaveCount(1);
  await expect(card(page, course)).toContainText('Avg 76.5SD 15.35 marks');
  await expect(card(page, course).getByRole('img', { name: /90\+ 1$/ })).toBeVisible();
  expect(histogramCalls).toEqual([]);
  await expectNoSeriousAxeFindings(page);

  // Its middle is the chart.
  await card(page, course).click();
  await expect(page).toHaveURL(`/courses/${course.course_id}`);
  await expectScreen(page, 'Course');
  await expect(page.getByRole('heading', { name: course.course_name })).toBeVisible();
});

test('refused marks are named with line and cell, and sent again without creating the course twice', async ({
  staffPage: page,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const course = aCourse();
  const created: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') created.push(new URL(request.url()).pathname);
  });
  await page.goto('/courses/create');
  await fillCourse(page, course);
  await marksField(page).fill('71, 64\n8O, 101');
  await expect(page.getByText('2 marks found.').first()).toContainText('2 cells hold no mark from 0 to 100.');
  await expect(page.getByRole('listitem').filter({ hasText: 'Line 2, cell 1: 8O' })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Line 2, cell 2: 101' })).toBeVisible();

  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(page.getByText(`The course with ID ${course.course_id} has been created`)).toBeVisible();
  await expect(marksField(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText(/must be numbers from 0 to 100/)).toContainText('line 2, cell 1: "8O"');
  await expectNoSeriousAxeFindings(page);

  await page.reload();
  await marksField(page).fill('71, 64\n80, 100');
  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(page).toHaveURL('/courses');
  await expect(card(page, course)).toContainText('4 marks');
  expect(created).toEqual(['/api/courses', '/api/courses-marks', '/api/courses-marks']);
});

test('a course that was deleted before its marks came is created again', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const course = aCourse();
  await page.goto('/courses/create');
  await fillCourse(page, course);
  await marksField(page).fill('101');
  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(page.getByText('its marks have not been stored')).toBeVisible();
  await api.send('DELETE', `/api/courses/${course.course_id}`);
  await marksField(page).fill('50');
  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(field(page, 'Course ID')).toHaveAccessibleDescription(/deleted meanwhile/);
  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(page).toHaveURL('/courses');
  expect(await api.get(`/api/courses/${course.course_id}`)).toMatchObject({ course: { marks_count: 1 } });
});

test('a file that is too large is refused before the course is created', async ({ staffPage: page, api }) => {
  const course = aCourse();
  await page.goto('/courses/create');
  await fillCourse(page, course);
  const buffer = Buffer.alloc(33 * 1024 * 1024, '50,');
  await page.locator('input[type=file]').setInputFiles({ name: 'marks.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(page.getByText('The file must be at most 32 MiB.')).toBeVisible();
  expect(await api.get(`/api/courses/${course.course_id}`)).toMatchObject({ canProceed: false });
});

test('columns of numbers are counted in plain sight; one that a heading calls marks is read alone', async ({
  staffPage: page,
}) => {
  await page.goto('/courses/create');
  await marksField(page).fill('1,55\n2,66');
  await expect(page.getByText('4 marks found in 2 columns.').first()).toBeVisible();
  await expect(
    page.getByText('2 columns were read, and every number in them counts as a mark.'),
  ).toBeVisible();
  await expectNoSeriousAxeFindings(page);
  await marksField(page).fill('Roll No,Marks Obtained\n1,55\n2,66');
  await expect(page.getByText('2 marks found. Average 60.5').first()).toBeVisible();
  await expect(
    page.getByText('Line 1 is a heading and is left out; only column 2, headed “Marks Obtained”, is read.'),
  ).toBeVisible();
  await expect(page.getByText('columns were read')).toHaveCount(0);
  await marksField(page).fill('Roll No,Quiz 1,Quiz 2\n1,55,60\n2,66,70');
  await expect(
    page.getByText('Line 1 is a heading and is left out, and so is column 1, “Roll No”.'),
  ).toBeVisible();
  await expect(page.getByText('2 columns were read')).toBeVisible();
});

test('a file of marks is read as spreadsheets write it', async ({ staffPage: page }) => {
  const course = aCourse();
  await page.goto('/courses/create');
  await fillCourse(page, course);
  const csv = '\uFEFFRoll no;Name;Marks\r\n1;"Malik; Sana";64,5\r\n2;Zoë;88\r\n';
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'quiz.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'utf16le') });
  await expect(page.getByText('quiz.csv')).toBeVisible();
  await expect(page.getByText('2 marks found.').first()).toContainText('Average 76.3');
  await expect(page.getByText('Line 1 is a heading and is left out; only column 3')).toBeVisible();

  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(page).toHaveURL('/courses');
  await expect(card(page, course)).toContainText('2 marks');
});

test('after a reload the form says which file of marks to choose again', async ({ staffPage: page, api }) => {
  const { course_id } = await api.createCourse();
  const buffer = Buffer.from('64,88');
  for (const path of ['/courses/create', `/courses/${course_id}/edit`]) {
    await page.goto(path);
    await field(page, 'Course name').fill('Control Systems');
    const file = page.locator('input[type=file]');
    await file.setInputFiles({ name: 'quiz.csv', mimeType: 'text/csv', buffer });
    await expect(page.getByText('2 marks found.').first()).toBeVisible();
    await page.reload();
    await expect(field(page, 'Course name')).toHaveValue('Control Systems');
    const lost = page.getByText('quiz.csv could not be kept with what you typed. Choose it again.');
    await expect(lost).toBeVisible();
    await file.setInputFiles({ name: 'quiz.csv', mimeType: 'text/csv', buffer });
    await expect(lost).toBeHidden();
  }
});

test('a file that is no text says so; a long one is read while the page goes on', async ({
  staffPage: page,
}) => {
  await page.goto('/courses/create');
  const file = page.locator('input[type=file]');
  await file.setInputFiles({
    name: 'marks.xlsx',
    mimeType: 'application/zip',
    buffer: Buffer.from([0x50, 0x4b, 3, 4, 20, 0]),
  });
  await expect(page.getByText('This file is not text.').first()).toBeVisible();

  const long = Array.from({ length: 400_000 }, (_, i) => (i % 1001) / 10).join('\n');
  await file.setInputFiles({ name: 'long.csv', mimeType: 'text/csv', buffer: Buffer.from(`${long}\nx`) });
  await expect(page.getByText('400,000 marks found.').first()).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Line 400001, cell 1: x' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove file' }).click();
  await expect(page.getByText('400,000 marks found.')).toHaveCount(0);
});

test('what the server refuses stands at its field, and nothing typed is lost', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const { course_id } = await addCourse(api);
  await page.goto('/courses/create');
  await field(page, 'Course ID').fill(String(course_id));
  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(page.getByText('Two fields need attention.')).toBeVisible();
  await expect(field(page, 'Course name')).toHaveAccessibleDescription('Required');
  await expectNoSeriousAxeFindings(page);

  await field(page, 'Course code').fill('CE-1');
  await field(page, 'Course name').fill('Compilers');
  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(field(page, 'Course ID')).toHaveAccessibleDescription('The id has already been taken.');
  await page.reload();
  await expect(field(page, 'Course name')).toHaveValue('Compilers');
});

test('a course shows its marks as a drawing, as figures and as a table', async ({ staffPage: page, api }) => {
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

test('a course without marks says that there are none', async ({ staffPage: page, api }) => {
  const course = await addCourse(api);
  await page.goto(`/courses/${course.course_id}`);
  await expect(page.getByText('Course data not available.')).toBeVisible();
  await expect(page.getByText('Not defined yet.')).toBeVisible();
});

test('an unknown course leads to where one is added', async ({ staffPage: page }) => {
  await page.goto('/courses/987654321987');
  await expect(page).toHaveURL('/courses/create');
  await expect(flash(page, 'There is no course with this ID.')).toBeVisible();
});

test('a course is edited; new marks take the place of the old ones, or are added to them', async ({
  staffPage: page,
  api,
}) => {
  const course = await addCourse(api, '50, 60', { course_description: 'Old' });
  const open = () => page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.goto(`/courses/${course.course_id}`);
  await open();
  await expect(page.getByRole('heading', { name: `Edit Course with ID: ${course.course_id}` })).toBeVisible();
  await expect(field(page, 'Course ID')).toHaveValue(String(course.course_id));
  await expect(field(page, 'Description')).toHaveValue('Old');
  await field(page, 'Course name').fill('Advanced Operating Systems');
  await page.reload();
  await expect(field(page, 'Course name')).toHaveValue('Advanced Operating Systems');
  await marksField(page).fill('90');
  await page.getByRole('radio', { name: 'Add to the 2 marks there are' }).check();
  await expectNoSeriousAxeFindings(page);
  await page.getByRole('button', { name: 'Update Entry' }).click();

  await expect(page).toHaveURL(`/courses/${course.course_id}`);
  await expect(flash(page, 'Course details updated successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Advanced Operating Systems' })).toBeVisible();
  await expect(page.getByRole('definition').nth(2)).toHaveText('3');

  await open();
  await expectScreen(page, 'Edit Course');
  await marksField(page).fill('10;20,5');
  await page.getByRole('button', { name: 'Update Entry' }).click();
  await expect(page).toHaveURL(`/courses/${course.course_id}`);
  await expect(page.getByRole('definition').nth(2)).toHaveText('2');
  await expect(page.getByRole('definition').first()).toHaveText('15.3');
});

test('marks whose answer was lost are not added twice', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add('offline');
  const course = await addCourse(api, '50, 60');
  await page.goto(`/courses/${course.course_id}/edit`);
  await marksField(page).fill('90');
  await page.getByRole('radio', { name: 'Add to the 2 marks there are' }).check();
  await page.route(
    '**/api/courses-marks',
    async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Update Entry' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Nothing was lost' })).toBeVisible();
  await page.getByRole('button', { name: 'Update Entry' }).click();
  await expect(page).toHaveURL(`/courses/${course.course_id}`);
  await expect(page.getByRole('definition').nth(2)).toHaveText('3');
});

test('an edit never overwrites unseen what somebody else has stored meanwhile', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(412);
  const course = await addCourse(api);
  await page.goto(`/courses/${course.course_id}/edit`);
  await field(page, 'Course name').fill('Mine');
  await api.send('PUT', `/api/courses/${course.course_id}`, { ...course, course_name: 'Theirs' });
  await page.getByRole('button', { name: 'Update Entry' }).click();
  const row = page.getByRole('row', { name: 'Course name Theirs Mine' });
  await expect(row).toBeVisible();
  expect(await api.get(`/api/courses/${course.course_id}`)).toMatchObject({
    course: { course_name: 'Theirs' },
  });

  await page.getByRole('button', { name: 'Update Entry' }).click();
  await expect(page.getByRole('heading', { name: 'Mine' })).toBeVisible();
});

test('a course that somebody else has changed meanwhile is not deleted unseen', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(412);
  const course = await addCourse(api);
  await page.goto(`/courses/${course.course_id}/edit`);
  await expect(field(page, 'Course name')).toHaveValue(course.course_name);
  await api.send('PUT', `/api/courses/${course.course_id}`, { ...course, course_name: 'Renamed meanwhile' });

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expect(flash(page, 'Somebody else has changed this in the meantime.')).toBeVisible();
  await expect(field(page, 'Course name')).toHaveValue('Renamed meanwhile');

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expect(flash(page, 'The course has been deleted from the database.')).toBeVisible();
});

test('a course is deleted only after Yes', async ({ staffPage: page, api }) => {
  const course = await addCourse(api, '50');
  await page.goto(`/courses/${course.course_id}/edit`);
  const dialog = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this entry?' });
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'No' }).click();
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Yes' }).click();
  await expect(page).toHaveURL('/courses');
  await expect(flash(page, 'The course has been deleted from the database.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Courses', exact: true })).toBeVisible();
  await expect(card(page, course)).toHaveCount(0);
});

test('courses are found by code, ID and name', async ({ staffPage: page, api }) => {
  const course = await addCourse(api, '', { course_name: `Théorie ${unique()}` });
  await addCourse(api);
  await page.goto('/courses');
  const search = page.getByRole('searchbox', { name: 'Search courses' });
  for (const query of [course.course_code.toLowerCase(), String(course.course_id), 'theorie']) {
    await search.fill(query);
    await expect(card(page, course)).toBeVisible();
    await expect(page.getByText(/^1 of /).or(page.getByText(/^\d+ of /))).toBeVisible();
  }
  await search.fill('no such course');
  await expect(page.getByText('No course matches the search')).toBeVisible();
  await search.press('Escape');
  await expect(search).toHaveValue('');
});

test.describe('at 320 pixels', () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test('nothing needs scrolling sideways', async ({ staffPage: page, api }) => {
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
