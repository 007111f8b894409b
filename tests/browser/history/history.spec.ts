import { Api, registerUser } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { expectNoSidewaysScrolling, follow } from '../../support/browser/screens.ts';
import { aCourse, aStudent } from '../../support/records.ts';

const RESULTS = [[{ title: 'Calculus', credits: 3, grade: 'A' }]] as const;
const entries = (page: Page) => page.getByRole('listitem', { name: /^Entry \d+$/ });
const navEntry = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'History' });

test('staff see who changed what in a record, and filter the history by person and day', async ({
  page,
  server: { url },
  admin,
}) => {
  const staff = await registerUser(url, 'Elias Bhatti');
  const student = await new Api(url, staff.token).createRecord(RESULTS, { gender: 'M' });
  const api = new Api(url, admin.token);
  await api.send('PUT', `/api/students/${student.id}`, {
    ...student,
    phone_number: '0333 5550172',
    gender: null,
  });
  await signIn(page, staff);
  await page.goto(`/students/${student.id}`);
  await page.getByRole('link', { name: 'History' }).click();
  await expect(navEntry(page)).toHaveCount(0);

  await expect(page.getByRole('heading', { level: 1, name: 'Ayesha Siddiqui' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'History' })).toHaveAttribute('aria-current', 'page');
  await expect(entries(page)).toHaveCount(4);
  const [latest, first] = [entries(page).first(), entries(page).last()];
  await expect(latest).toContainText('Asad Admin changed the base details');
  await expect(latest.getByRole('term')).toHaveText(['Gender', 'Phone number']);
  await expect(latest.getByRole('definition')).toHaveText([
    'was Male → , now none',
    `was ${student.phone_number} → , now 0333 5550172`,
  ]);
  await expect(first).toContainText('Elias Bhatti entered the student');
  await expect(first.getByText('CE-44')).toHaveCount(0);
  await first.getByText(/^\d+ fields$/).click();
  await expect(first.getByText('Computer and Software Engineering')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Restore/ })).toHaveCount(0);
  await expectNoSeriousAxeFindings(page);

  await page.getByLabel('Person').selectOption('Asad Admin');
  await expect(entries(page)).toHaveCount(1);
  await expect(page).toHaveURL(`/students/${student.id}/history?user=${admin.user.id}`);
  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await expect(page.getByRole('heading', { name: 'No entries found.' })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2020-01-01');
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(entries(page)).toHaveCount(4);
  await page.goto('/history');
  await expect(
    page.getByRole('heading', { name: 'Only an administrator can read the history of everything.' }),
  ).toBeVisible();
});

test('an administrator restores a deleted student and an earlier state after a preview of the changes, and finds entries by student', async ({
  page,
  ownServer: { url },
  expectedProblems,
}) => {
  expectedProblems.add(412);
  const admin = await registerUser(url, 'Asad Admin');
  const api = new Api(url, admin.token);
  await api.createRecord(RESULTS, { id: 'GONE', first_name: 'Talha', last_name: 'Butt' });
  await api.send('DELETE', '/api/students/GONE');
  await signIn(page, admin);
  await page.goto(url);
  await navEntry(page).click();
  await page.getByLabel('What').selectOption('Deleted students');
  await expect(page).toHaveURL(`${url}/history?kind=deleted-students`);
  await expect(entries(page)).toHaveCount(1);
  await expect(entries(page).first()).toContainText('Asad Admin deleted the student: Talha Butt, GONE');

  // With the keyboard only.
  const dialog = page.getByRole('dialog', { name: /^Restore Talha Butt from entry \d+$/ });
  await page.getByRole('button', { name: /^Restore, entry/ }).press('Enter');
  await expect(dialog.getByText('The student is restored with family and results.')).toBeVisible();
  await expect(dialog.getByRole('definition').filter({ hasText: 'Talha' })).toBeVisible();
  await expectNoSeriousAxeFindings(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: /^Restore, entry/ })).toBeFocused();
  await page.keyboard.press('Enter');
  // Restoring is possible only once the preview is shown.
  await expect(dialog.getByText('The student is restored with family and results.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Restore' }).press('Enter');
  await expect(page.getByText('The earlier state has been restored.')).toBeVisible();
  await expect(dialog).toBeHidden();

  await page.getByRole('link', { name: 'Talha Butt, GONE' }).click();
  await expect(page).toHaveURL(`${url}/students/GONE/history`);
  await expect(entries(page).first()).toContainText('Asad Admin restored the student');
  const student = aStudent({ id: 'GONE', first_name: 'Wrong', last_name: 'Butt' });
  await api.send('PUT', '/api/students/GONE', student);
  await page.reload();
  await entries(page).first().getByRole('button').click();
  const secondDialog = page.getByRole('dialog', { name: /^Undo Asad Admin’s change of / });
  await expect(
    secondDialog.getByRole('definition').filter({ hasText: 'was Wrong → , now Talha' }),
  ).toBeVisible();
  await secondDialog.getByRole('button', { name: 'After it' }).click();
  await expect(secondDialog.getByText('The record is already in this state.')).toBeVisible();
  await expect(secondDialog.getByRole('button', { name: 'Restore', exact: true })).toBeDisabled();
  await secondDialog.getByRole('button', { name: 'Before this change' }).click();
  // Another user saves first: the new differences are shown before Restore can be chosen again.
  await expect(secondDialog.getByRole('button', { name: 'Restore', exact: true })).toBeEnabled();
  await api.send('PUT', '/api/students/GONE', { ...student, first_name: 'Other' });
  await secondDialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(secondDialog.getByRole('alert')).toHaveText(
    'Another user changed this record while you were editing.',
  );
  await expect(
    secondDialog.getByRole('definition').filter({ hasText: 'was Other → , now Talha' }),
  ).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScrolling(page);
  await secondDialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(secondDialog).toBeHidden();
  await expect(entries(page).first()).toContainText(
    'Asad Admin restored an earlier state of the base details',
  );
  await expect(entries(page).first()).toContainText(/Restored from entry \d+/);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoSeriousAxeFindings(page);
  await page.getByRole('link', { name: 'Record', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Talha Butt' })).toBeVisible();

  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await test.step('entries are found by the name, the ID or the former ID of a student, with names beside IDs', async () => {
    await api.createRecord(RESULTS, { id: 'S1', first_name: 'Usman', last_name: 'Baig' });
    await api.createRecord(RESULTS, { id: 'S2', first_name: 'Hina', last_name: 'Malik' });
    await api.send('PUT', '/api/students/S1/id', { id: 'S10' });
    await follow(page, '/history');
    await expect(entries(page).filter({ hasText: 'recorded semester 1: Hina Malik, S2' })).toHaveCount(1);
    const student = page.getByLabel('Student');
    for (const text of ['S10', 'S1', 'usman']) {
      await student.fill(text);
      await expect(page).toHaveURL(`${url}/history?student=${text}`);
      await expect(entries(page)).toHaveCount(4);
      await expect(entries(page).filter({ hasText: 'Usman Baig' })).toHaveCount(4);
    }
    await page.getByLabel('What').selectOption('Families');
    await expect(entries(page)).toHaveCount(1);
    await expect(student).toHaveValue('usman');
    await student.fill('nobody at all');
    await expect(page.getByRole('heading', { name: 'No entries found.' })).toBeVisible();
    // Also what waits for a pause in typing.
    await student.fill('nobody at all in this');
    await page.getByRole('button', { name: 'Clear all' }).click();
    await expect(student).toHaveValue('');
    await expect(entries(page).first()).toBeVisible();
    await expect(page).toHaveURL(`${url}/history`);
    await page.getByLabel('What').selectOption('Families');
    await student.fill('usman');
    await page.getByRole('button', { name: 'Clear all' }).click();
    await expect(student).toHaveValue('');
    await expect(page).toHaveURL(`${url}/history`);
    await expect(page.getByLabel('What')).toBeFocused();
    await expectNoSeriousAxeFindings(page);
  });
});

test('the history of a course shows its name and ID, and only the ID after the course is deleted', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(404);
  const { course_id, ...course } = aCourse();
  await api.post('/api/courses', { ...course, course_id, course_name: 'Thermodynamics' });
  await page.goto(`/courses/${course_id}/history`);
  await expect(
    page.getByText(`Changes to Thermodynamics (ID ${course_id}), the latest first.`),
  ).toBeVisible();
  await api.send('DELETE', `/api/courses/${course_id}`);
  await page.reload();
  await expect(page.getByText(`Changes to the course with ID ${course_id}, the latest first.`)).toBeVisible();
});
