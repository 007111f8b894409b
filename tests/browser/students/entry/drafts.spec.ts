import { registerUser } from '../../../support/api.ts';
import { expect, signIn, test } from '../../../support/browser/fixtures.ts';
import {
  field,
  fillSemesterForm,
  fillStudentForm,
  password,
  subjectCard,
} from '../../../support/browser/forms.ts';
import { expectScreen, follow } from '../../../support/browser/screens.ts';
import { aStudent } from '../../../support/records.ts';

test('entered values survive a reload at every step, and are cleared by saving and by Back', async ({
  staffPage: page,
  api,
}) => {
  await test.step('entered values survive a reload at every step', async () => {
    const student = aStudent();
    await page.goto('/students/create');
    await fillStudentForm(page, student);
    await page.reload();
    await expect(field(page, 'First name')).toHaveValue(student.first_name);
    await expect(field(page, 'Registration number')).toHaveValue(student.id);
    await expect(field(page, 'Department')).toHaveValue('CE');
    await expect(page.getByLabel('Date of birth')).toHaveValue(student.dob);

    const { id } = await api.createStudent();
    await follow(page, `/students/${id}/family/create`);
    await field(page, "Father's name").fill('Imran Siddiqui');
    await page.reload();
    await expect(field(page, "Father's name")).toHaveValue('Imran Siddiqui');

    const recorded = await api.createRecord([], { current_sem: 1 });
    await follow(page, `/students/${recorded.id}/academics/create`);
    await fillSemesterForm(page, [{ title: 'Calculus', credits: 3, grade: 'A' }]);
    await page.reload();
    await expect(field(subjectCard(page, 1), 'Title')).toHaveValue('Calculus');
    await expect(field(subjectCard(page, 1), 'Grade')).toHaveValue('A');
  });

  await test.step('saving the form and leaving it with Back clear the entered values', async () => {
    const student = aStudent();
    await follow(page, '/students/create');
    await fillStudentForm(page, student);
    await page.getByRole('button', { name: 'Create Entry' }).click();
    await expect(page).toHaveURL(`/students/${student.id}/family/create`);
    await expectScreen(page, 'Family Data');
    await follow(page, '/students/create');
    await expect(field(page, 'First name')).toHaveValue('');

    await field(page, 'First name').fill('Hamza');
    await page.getByRole('link', { name: 'Back' }).click();
    await expect(page).toHaveURL('/students');
    await expectScreen(page, 'Students');
    await follow(page, '/students/create');
    await expect(field(page, 'First name')).toHaveValue('');
  });
});

test('entered values survive an expired session, for the same user only', async ({
  staffPage: page,
  api,
  account,
  server,
  expectedProblems,
}) => {
  const student = aStudent();
  await page.goto('/students/create');
  // The form asks for namesakes. The answer to that question would end the session before the form is sent.
  const namesakes = page.waitForResponse('**/api/namesakes?*');
  await fillStudentForm(page, student);
  await namesakes;
  expectedProblems.add(401);
  await api.post('/api/logout');
  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('status')).toHaveText(
    'Your session has ended. Sign in again. What you typed is kept.',
  );

  const colleague = await registerUser(server.url);
  await signIn(page, colleague);
  await page.goto('/students/create');
  await expect(field(page, 'First name')).toHaveValue('');
  await page.evaluate(() => {
    sessionStorage.removeItem('AUTH-TOKEN');
  });

  await page.goto('/login');
  await field(page, 'Email').fill(account.user.email);
  await password(page).fill(account.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();
  await follow(page, '/students/create');
  await expect(field(page, 'First name')).toHaveValue(student.first_name);
  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(page).toHaveURL(`/students/${student.id}/family/create`);
});

test('after a session that ended while typing, the sign-in offers the way back to the very form', async ({
  staffPage: page,
  api,
  account,
  expectedProblems,
}) => {
  expectedProblems.add(401);
  const { id } = await api.createRecord([[]], { current_sem: 2 });
  await page.goto(`/students/${id}/academics/edit`);
  await page.getByRole('button', { name: 'Update Semester Entry' }).click();
  await expect(page.getByRole('heading', { name: 'Semester 2', exact: true })).toBeVisible();
  await fillSemesterForm(page, [{ title: 'Calculus', credits: 3, grade: 'A' }]);
  await api.post('/api/logout');
  await page.getByRole('button', { name: 'Update Semester Entry' }).click();
  await expect(page).toHaveURL('/login');

  await field(page, 'Email').fill(account.user.email);
  await password(page).fill(account.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();
  await page.getByRole('button', { name: `Continue with ${id}, semester 2` }).click();
  await expect(page.getByRole('heading', { name: 'Semester 2', exact: true })).toBeVisible();
  await expect(field(subjectCard(page, 1), 'Title')).toHaveValue('Calculus');
});

// Covers 8.13
test('entered values survive an unreachable server and are saved once it is back', async ({
  staffPage: page,
  server,
  expectedProblems,
}) => {
  expectedProblems.add('offline');
  const student = aStudent();
  await page.goto('/students/create');
  await fillStudentForm(page, student);
  await server.stop();
  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(page.getByText('The server could not be reached.')).toBeVisible();
  await expect(field(page, 'First name')).toHaveValue(student.first_name);

  await server.restart();
  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(page).toHaveURL(`/students/${student.id}/family/create`);
});
