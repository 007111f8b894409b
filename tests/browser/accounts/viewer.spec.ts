import { Api, registerUser } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { findCourseCard } from '../../support/browser/courses.ts';
import { expect, signIn, test } from '../../support/browser/fixtures.ts';
import { follow } from '../../support/browser/screens.ts';

const READ_ONLY = 'Your role lets you read records, not change them.';

// Covers 6.4
test('a viewer can read all records, is offered no changes, and is refused the pages that make them', async ({
  page,
  server,
  admin,
}) => {
  const api = new Api(server.url, admin.token);
  const viewer = await registerUser(server.url, 'Vera Viewer');
  const user = { ...viewer.user, role: 'viewer' as const };
  const response = await api.send('PUT', `/api/users/${user.id}`, { ...user, password: admin.password });
  expect(response.status).toBe(200);
  const { id } = await api.createRecord([[{ title: 'Calculus', credits: 3, grade: 'A' }]], {
    current_sem: 2,
  });
  const incomplete = await api.createStudent();
  const { course_id, course_code } = await api.createCourse();
  await signIn(page, { ...viewer, user });

  await page.goto(`/students?q=${id}`);
  const row = page.getByRole('row').filter({ hasText: id });
  await expect(row).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create New Entry' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Import' })).toHaveCount(0);
  await row.getByRole('link').click();
  await expect(page.getByRole('region', { name: 'GPA Standing' })).toBeVisible();
  await expect(page.getByRole('link', { name: /Edit|Enter Semester/ })).toHaveCount(0);

  await follow(page, `/students/${incomplete.id}`);
  await expect(page.getByRole('heading', { name: 'Ayesha Siddiqui' })).toBeVisible();
  await expect(page.getByText('The family details of this student have not been entered yet.')).toBeVisible();
  await expect(page).toHaveURL(`/students/${incomplete.id}`);

  await follow(page, '/courses');
  await expect(await findCourseCard(page, { course_code })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create New Course' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Import' })).toHaveCount(0);
  await follow(page, `/courses/${course_id}`);
  await expect(page.getByRole('heading', { name: 'Thermodynamics' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Edit' })).toHaveCount(0);

  for (const path of [
    '/students/create',
    `/students/${id}/family/create`,
    `/students/${id}/family/edit`,
    `/students/${id}/academics/create`,
    `/students/${id}/academics/edit`,
    `/students/${id}/edit`,
    '/imports',
    '/imports/new',
    '/imports/1',
    '/courses/create',
    `/courses/${course_id}/edit`,
  ]) {
    await follow(page, path);
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('heading', { name: READ_ONLY })).toBeVisible();
    await expect(page.getByRole('main').locator('form')).toHaveCount(0);
  }
  await expectNoSeriousAxeFindings(page);
  await page.getByRole('main').getByRole('link', { name: 'Courses' }).click();
  await expect(page).toHaveURL('/courses');
  await page.goto(`/students/${id}/edit`);
  await page.getByRole('main').getByRole('link', { name: 'Students' }).click();
  await expect(page).toHaveURL('/students');
  await expect(page.getByRole('table', { name: 'Students' })).toBeVisible();
});
