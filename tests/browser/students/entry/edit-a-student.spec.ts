import { expect, type Page, test } from '../../../support/browser/fixtures.ts';
import { field, fillSemesterForm, subjectCard } from '../../../support/browser/forms.ts';
import { expectScreen, follow } from '../../../support/browser/screens.ts';

const RESULTS = [
  [
    { title: 'Calculus', credits: 3, grade: 'A' },
    { title: 'Applied Physics', credits: 3, grade: 'C' },
  ],
  [{ title: 'Databases', credits: 3, grade: 'B+' }],
] as const;

const readStoredSemesters = (page: Page) =>
  page.evaluate(() => [sessionStorage.getItem('CURRENT-SEM'), sessionStorage.getItem('STARTING-SEM')]);
const waitForSave = (page: Page, method = 'PUT') =>
  page.waitForRequest((request) => request.method() === method);
const getPath = (request: { url: () => string }) => new URL(request.url()).pathname;

// Covers 2.117, 2.128, 2.131, 2.132, 2.134, 2.135, 2.136, 2.137, 2.139, 2.140, 2.142, 2.143, 2.144, 2.145
// Covers 3.21, 3.45, 4.19, 4.20, 4.21, 4.22, 4.55, 7.28, 7.29, 7.30, 9.3
test('a record is edited step by step: details, family, then each semester', async ({
  staffPage: page,
  api,
}) => {
  const { id } = await api.createRecord(RESULTS, { current_sem: 3 });
  await page.goto(`/students/${id}`);
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(page).toHaveURL(`/students/${id}/edit`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Edit details of student with ID: ${id}`);
  const nameAndClass = page.getByText('Ayesha Siddiqui, CE-44-B', { exact: true });
  await expect(nameAndClass).toBeVisible();
  await expect(page).toHaveTitle(/^Ayesha Siddiqui, CE-44-B · Edit Student · /);
  await expect(field(page, 'Registration number')).toHaveAttribute('readonly');
  await expect(field(page.getByRole('group', { name: 'HSSC/FSC' }), 'Marks')).toHaveValue('935');
  await expect(field(page.getByRole('group', { name: 'SSC/Matric' }), 'Marks')).toHaveValue('987.5');
  await expect(field(page, 'Student portrait')).toHaveAttribute('type', 'text');
  for (const label of ['Gender', 'Department', 'Syndicate']) {
    await expect(field(page, label)).toHaveJSProperty('tagName', 'SELECT');
  }
  await expect(field(page, 'Reasons/Comments')).toHaveJSProperty('tagName', 'TEXTAREA');
  await field(page, 'Last name').fill('Bhatti');

  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(
    `**/api/students/${id}`,
    async (route) => {
      await released;
      await route.continue();
    },
    { times: 1 },
  );
  const baseRequest = waitForSave(page);
  await page.getByRole('button', { name: 'Update Entry' }).click();
  await expect(page.locator('form button[type=submit]')).toHaveText('Processing');
  expect(getPath(await baseRequest)).toBe(`/api/students/${id}`);
  release();

  await expect(page).toHaveURL(`/students/${id}/family/edit`);
  await expect.poll(() => readStoredSemesters(page)).toEqual(['3', '1']);
  await expect(page).toHaveTitle(/^Ayesha Bhatti, CE-44-B · Edit Family · /);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Family Details', 'Contact Details']);
  await expect(field(page, "Father's name")).toHaveValue('Imran Siddiqui');
  await expect(field(page, 'Home phone')).toHaveValue('051-5550100');
  const mother = field(page, "Mother's name");
  await mother.fill('Nadia b');
  await expect(mother).toHaveAccessibleDescription('↓ Nadia Bhatti');
  await mother.press('ArrowDown');
  await expect(mother).toHaveValue('Nadia Bhatti');
  await expect(mother).toHaveAccessibleDescription('');
  await mother.fill('Nadia');
  await page.getByRole('button', { name: 'Nadia Bhatti' }).click();
  await expect(mother).toBeFocused();
  await expect(mother).toHaveValue('Nadia Bhatti');
  await field(page, 'Number of siblings').fill('3');
  const familyRequest = waitForSave(page);
  await page.getByRole('button', { name: 'Update Entry' }).click();
  expect(getPath(await familyRequest)).toBe(`/api/students/${id}/family`);

  await expect(page).toHaveURL(`/students/${id}/academics/edit`);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Semester 1']);
  await expect(page.getByText('Ayesha Bhatti, CE-44-B', { exact: true })).toBeVisible();
  await expect(field(subjectCard(page, 1), 'Title')).toHaveValue('Calculus');
  await expect(field(subjectCard(page, 1), 'Grade')).toHaveValue('A');
  await page.getByRole('button', { name: 'Remove subject 2' }).click();
  await page.getByRole('button', { name: 'Add subject' }).click();
  await expect(field(subjectCard(page, 2), 'Title')).toHaveValue('');
  await field(subjectCard(page, 1), 'Grade').fill('B');
  const semesterRequest = waitForSave(page);
  await page.getByRole('button', { name: 'Update Semester Entry' }).click();
  expect(getPath(await semesterRequest)).toMatch(/^\/api\/students\/academics\/\d+$/);

  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Semester 2']);
  await expect.poll(() => readStoredSemesters(page)).toEqual(['3', '2']);
  await page.getByRole('button', { name: 'Update Semester Entry' }).click();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Semester 3']);
  await fillSemesterForm(page, [{ title: 'Databases', credits: 3, grade: 'A' }]);
  const createRequest = waitForSave(page, 'POST');
  await page.getByRole('button', { name: 'Update Semester Entry' }).click();
  expect(getPath(await createRequest)).toBe('/api/students/academics');
  await expect(page).toHaveURL('/students');
  await expect(page.getByText('Entry has been updated successfully', { exact: true })).toBeVisible();
  expect(await api.get(`/api/students/${id}`)).toMatchObject({
    student: { last_name: 'Bhatti', fsc_marks: 0.85 },
    family: { number_siblings: 3 },
    academics: [{ subject_1: 'Calculus', subj_grade_1: 3, subject_2: null }, {}, { subject_1: 'Databases' }],
  });
  await page.getByRole('button', { name: 'Open the record' }).click();
  await expect(page).toHaveURL(`/students/${id}`);
});

// Covers 2.130, 2.138, 2.141, 4.23, 8.12
test('an edit of results starts at the stored semester, and server errors are shown at their fields', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const { id } = await api.createRecord(RESULTS);
  await page.addInitScript(() => sessionStorage.setItem('STARTING-SEM', '2'));
  await page.goto(`/students/${id}/academics/edit`);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Semester 2']);
  await field(subjectCard(page, 1), 'Credit Hours').fill('9');
  await page.getByRole('button', { name: 'Update Semester Entry' }).click();
  await expect(field(subjectCard(page, 1), 'Credit Hours')).toHaveAccessibleDescription(/from 1 to 6\.$/);

  await follow(page, `/students/${id}/edit`);
  await field(page, 'First name').fill('');
  await page.getByRole('button', { name: 'Update Entry' }).click();
  await expect(field(page, 'First name')).toHaveAccessibleDescription('Required');
  await expect(page).toHaveURL(`/students/${id}/edit`);

  await follow(page, `/students/${id}/family/edit`);
  await field(page, "Father's occupation").fill('');
  await page.getByRole('button', { name: 'Update Entry' }).click();
  await expect(field(page, "Father's occupation")).toHaveAccessibleDescription('Required');
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page).toHaveURL(`/students/${id}/edit`);
  await expectScreen(page, 'Edit Student');
  // The layout is stable once the record has loaded.
  await expect(field(page, 'First name')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Students' }).click();
  await expect(page).toHaveURL('/students');
});

// Covers 2.28, 2.129, 3.48, 4.47, 4.48, 7.31
test('an edit starts at the first semester of its student; Yes deletes a student, No and the X do not', async ({
  staffPage: page,
  api,
}) => {
  await test.step('an edit of results does not start at the semester where the edit of another student stopped', async () => {
    const left = await api.createRecord(RESULTS);
    const other = await api.createRecord(RESULTS);
    await page.goto(`/students/${left.id}/academics/edit`);
    await page.getByRole('button', { name: 'Update Semester Entry' }).click();
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Semester 2']);
    await page.reload();
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Semester 2']);
    await follow(page, `/students/${other.id}/academics/edit`);
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Semester 1']);
  });

  await test.step('Yes deletes a student, No and the X do not', async () => {
    const { id } = await api.createRecord(RESULTS);
    await follow(page, `/students/${id}/edit`);
    const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this entry?' });
    for (const answer of ['No', 'Close']) {
      await page.getByRole('button', { name: 'Delete' }).click();
      await expect(question).toHaveAccessibleDescription(`Ayesha Siddiqui, CE-44-B, CMS ID ${id}`);
      await question.getByRole('button', { name: answer, exact: true }).click();
      await expect(question).toBeHidden();
      await expect(page).toHaveURL(`/students/${id}/edit`);
    }
    await api.get(`/api/students/${id}`);
    const deleteRequest = waitForSave(page, 'DELETE');
    await page.getByRole('button', { name: 'Delete' }).click();
    await question.getByRole('button', { name: 'Yes' }).click();
    expect(getPath(await deleteRequest)).toBe(`/api/students/${id}`);
    await expect(page).toHaveURL('/students');
    await expect(page.getByText('The student entry has been deleted from the database.')).toBeVisible();
    expect((await api.send('GET', `/api/students/${id}`)).status).toBe(404);
  });
});
