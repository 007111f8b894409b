import { ageOn, calendarDate } from '../../src/domain/age.ts';
import { expect, test } from '../support/browser/fixtures.ts';
import { expectScreen } from '../support/browser/screens.ts';
import { aFamily } from '../support/records.ts';

test('a text of several lines is shown with its line breaks', async ({ staffPage: page, api }) => {
  const student = await api.createStudent({ reason: 'On leave.\nBack in spring.' });
  await api.post('/api/students/family', aFamily(student.id, { address: 'House 12\nStreet 4\nRawalpindi' }));
  await page.goto(`/students/${student.id}`);
  // `innerText` has the line breaks as rendered, while text matchers of locators normalize white space.
  const renderedText = (text: string) => page.getByRole('definition').filter({ hasText: text }).innerText();
  await expect(page.getByText('Rawalpindi')).toBeVisible();
  expect(await renderedText('On leave.')).toBe('On leave.\nBack in spring.');
  expect(await renderedText('House 12')).toBe('House 12\nStreet 4\nRawalpindi');
});

// Covers 2.116, 2.118, 2.119, 2.120, 2.121, 2.125, 2.126, 2.127, 3.4, 3.10, 3.12, 3.13, 3.23
test('the record has its sections and all field titles, and a text in place of missing values', async ({
  staffPage: page,
  api,
}) => {
  const student = await api.createRecord([[{ title: 'Calculus', credits: 3, grade: 'A' }]], {
    current_sem: 2,
    phone_number: null,
    gender: null,
  });
  await page.goto(`/students/${student.id}`);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Basic Information',
    'Education History',
    'GPA Standing',
    'Family Details',
    'Contact Details',
  ]);
  await expect(page.getByRole('term')).toHaveText([
    'CMS ID',
    'Name',
    'Gender',
    'Date of birth',
    'Phone number',
    'Joining date',
    'Department',
    'Degree',
    'Syndicate',
    'Reasons/Comments',
    "Father's name",
    "Father's occupation",
    "Mother's name",
    "Mother's occupation",
    'Number of siblings',
    "Father's phone",
    "Mother's phone",
    'Home phone',
    'Address',
  ]);
  const age = ageOn(calendarDate(new Date()), student.dob);
  await expect(page.getByRole('definition').nth(3)).toContainText(`(${age} years)`);
  await expect(page.getByText('Not defined yet.', { exact: true })).toHaveCount(3);
  await expect(page.getByRole('row', { name: /^HSSC\/FSC 935 \/1100/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /^SSC\/Matric 987\.5 \/1100/ })).toBeVisible();

  const standing = page.getByRole('region', { name: 'GPA Standing' });
  await expect(standing.getByRole('listitem')).toHaveCount(8);
  const boxes = await Promise.all(
    (await standing.getByRole('listitem').all()).map((item) => item.boundingBox()),
  );
  const columns = boxes.map((box) => Math.round(box?.x ?? 0));
  expect(new Set(columns.slice(0, 4)).size).toBe(1);
  expect(new Set(columns.slice(4)).size).toBe(1);
  expect(columns[4]).toBeGreaterThan(columns[0] ?? 0);
  await expect(standing.getByText('--', { exact: true })).toHaveCount(7);
  await expect(standing).toContainText('4.00CGPA');
  await page.getByRole('main').getByRole('link', { name: 'Students' }).click();
  await expect(page).toHaveURL('/students');
});

// Covers 2.123, 7.41, 8.9
test('each subject of a semester has its own histogram, or a message when that fails to load', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(404);
  const [drawn, broken] = [await api.createCourse(), await api.createCourse()];
  const { id } = await api.createRecord([], { current_sem: 1 });
  await api.post('/api/students/academics', {
    student_id: id,
    semester: 1,
    subject_1: 'Drawn',
    subject_1_id: drawn.course_id,
    subject_2: 'Broken',
    subject_2_id: broken.course_id,
  });
  await page.route(`**/api/courses/histogram/${broken.course_id}`, (route) =>
    route.fulfill({ status: 404, json: { message: 'Gone.' } }),
  );
  await page.goto(`/students/${id}`);
  const requested = page.waitForRequest(`**/api/courses/histogram/${drawn.course_id}`);
  await page.getByRole('button', { name: /^Semester 1 / }).click();
  await requested;
  const subjects = page.getByRole('dialog').getByRole('article');
  await expect(subjects).toHaveCount(2);
  await expect(
    subjects.first().getByRole('img', { name: /^Drawn marks histogram: .*30-40 1, .*90\+ 1$/ }),
  ).toBeVisible();
  await expect(subjects.nth(1).getByText('Course data not available.', { exact: true })).toBeVisible();
});

// Covers 2.93, 2.95, 2.96, 2.97, 2.98, 2.99, 2.100, 2.101, 9.15
test('the list hides Degree below 1024 pixels and the marks below 1280', async ({ staffPage: page, api }) => {
  const { id } = await api.createRecord([]);
  const loaded = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/students');
  await page.goto(`/students?q=${id}`);
  expect((await loaded).method()).toBe('GET');
  const row = page.getByRole('row').filter({ hasText: id });
  const shown = () =>
    row
      .getByRole('cell')
      .evaluateAll((cells) =>
        cells.filter((cell) => getComputedStyle(cell).display !== 'none').map((cell) => cell.textContent),
      );
  const age = expect.stringMatching(/^\d+ years old$/);
  const heads = page.getByRole('columnheader');
  for (const [width, cells] of [
    [1280, ['', id, 'Ayesha Siddiqui', age, 'CE-44-B', '935', '987.5', '']],
    [1279, ['', id, 'Ayesha Siddiqui', age, 'CE-44-B', '']],
    [1024, ['', id, 'Ayesha Siddiqui', age, 'CE-44-B', '']],
    [1023, ['', id, 'Ayesha Siddiqui', age, '']],
    [768, ['', id, 'Ayesha Siddiqui', age, '']],
    [767, ['', id, 'Ayesha Siddiqui', age, '']],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(shown).toEqual(cells);
    await expect(heads).toHaveCount(cells.length);
  }
  await expect(row.getByRole('link')).toHaveAttribute('href', `/students/${id}`);
});

test('a record that was opened before it was complete is shown once another user has completed it', async ({
  staffPage: page,
  api,
}) => {
  const { id } = await api.createStudent();
  await page.goto(`/students?q=${id}`);
  const row = page.getByRole('row').filter({ hasText: id });
  await row.getByRole('link').click();
  await expect(page).toHaveURL(`/students/${id}/family/create`);
  await expectScreen(page, 'Family Data');
  await page.getByRole('main').getByRole('link', { name: 'Students' }).click();
  await api.post('/api/students/family', aFamily(id));
  await row.getByRole('link').click();
  await expect(page.getByRole('region', { name: 'GPA Standing' })).toBeVisible();
  await expect(page).toHaveURL(`/students/${id}`);
});

test('the link Students of a record returns to the list with its search and order', async ({
  staffPage: page,
  api,
}) => {
  const { id } = await api.createRecord([]);
  const address = `/students?q=${id}&sort=name&direction=descending`;
  await page.goto(address);
  await page.getByRole('row').filter({ hasText: id }).getByRole('link').click();
  await expect(page.getByRole('region', { name: 'GPA Standing' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Students' }).click();
  await expect(page).toHaveURL(address);
  await page.getByRole('navigation').getByRole('link', { name: 'Students' }).click();
  await expect(page).toHaveURL('/students');
});
