import { expectNoSeriousAxeFindings } from '../support/browser/accessibility.ts';
import { Api, registerUser } from '../support/browser/api.ts';
import { expect, signIn, test } from '../support/browser/fixtures.ts';
import type { Server } from '../support/processes/server.ts';

const READ_ONLY = 'Your role lets you read records, not change them.';

/** Registers an administrator and a viewer. The returned client is signed in as the administrator. */
async function createViewer({ url }: Server) {
  const admin = await registerUser(url, 'Asad Admin');
  const api = new Api(url, admin.token);
  const viewer = await registerUser(url, 'Vera Viewer');
  const user = { ...viewer.user, role: 'viewer' as const };
  const response = await api.send('PUT', `/api/users/${user.id}`, { ...user, password: admin.password });
  expect(response.status).toBe(200);
  return { viewer: { ...viewer, user }, api };
}

// Covers 6.4
test('a viewer can read students and courses and is offered no changes', async ({ page, ownServer }) => {
  const { url } = ownServer;
  const { viewer, api } = await createViewer(ownServer);
  const { id } = await api.createRecord([[{ title: 'Calculus', credits: 3, grade: 'A' }]], {
    current_sem: 2,
  });
  const { course_id } = await api.createCourse();
  await signIn(page, viewer, url);

  await page.goto(`${url}/students`);
  await page.getByRole('row').filter({ hasText: id }).getByRole('link').click();
  await expect(page.getByRole('region', { name: 'GPA Standing' })).toBeVisible();
  await expect(page.getByRole('link', { name: /Edit|Enter Semester/ })).toHaveCount(0);
  await page.goto(`${url}/students`);
  await expect(page.getByRole('row').filter({ hasText: id })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create New Entry' })).toHaveCount(0);

  await page.goto(`${url}/courses`);
  await expect(page.getByRole('link', { name: /Thermodynamics/ })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create New Course' })).toHaveCount(0);
  await page.goto(`${url}/courses/${course_id}`);
  await expect(page.getByRole('heading', { name: 'Thermodynamics' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Edit' })).toHaveCount(0);
});

// Covers 6.4
test('a page that changes records refuses a viewer and links back to the list', async ({
  page,
  ownServer,
}) => {
  const { url } = ownServer;
  const { viewer, api } = await createViewer(ownServer);
  const { id } = await api.createRecord([]);
  const { course_id } = await api.createCourse();
  await signIn(page, viewer, url);
  for (const path of [
    '/students/create',
    `/students/${id}/edit`,
    `/students/${id}/family/create`,
    `/students/${id}/family/edit`,
    `/students/${id}/academics/create`,
    `/students/${id}/academics/edit`,
    '/courses/create',
    `/courses/${course_id}/edit`,
  ]) {
    await page.goto(`${url}${path}`);
    await expect(page.getByRole('heading', { name: READ_ONLY })).toBeVisible();
    await expect(page.getByRole('main').locator('form')).toHaveCount(0);
  }
  await expectNoSeriousAxeFindings(page);
  await page.getByRole('main').getByRole('link', { name: 'Courses' }).click();
  await expect(page).toHaveURL(`${url}/courses`);
  await page.goto(`${url}/students/${id}/edit`);
  await page.getByRole('main').getByRole('link', { name: 'Students' }).click();
  await expect(page).toHaveURL(`${url}/students`);
  await expect(page.getByRole('row').filter({ hasText: id })).toBeVisible();
});

test('a viewer can read an incomplete record', async ({ page, ownServer }) => {
  const { url } = ownServer;
  const { viewer, api } = await createViewer(ownServer);
  const { id } = await api.createStudent();
  await signIn(page, viewer, url);
  await page.goto(`${url}/students/${id}`);
  await expect(page.getByRole('heading', { name: 'Ayesha Siddiqui' })).toBeVisible();
  await expect(page.getByText('The family details of this student have not been entered yet.')).toBeVisible();
  await expect(page).toHaveURL(`${url}/students/${id}`);
});
