import { Api } from '../../../support/api.ts';
import { clockTest, expect, type Page, signIn, test } from '../../../support/browser/fixtures.ts';
import { field } from '../../../support/browser/forms.ts';
import { expectScreen, follow } from '../../../support/browser/screens.ts';
import { aStudent } from '../../../support/records.ts';

const DELETED = 'The student entry has been deleted from the database.';
const RESULTS = [[{ title: 'Calculus', credits: 3, grade: 'A' }]] as const;

async function deleteStudent(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
}

const undoButton = (page: Page) => page.getByRole('status').getByRole('button', { name: 'Undo' });

clockTest(
  'an administrator undoes a deletion by keyboard and the whole record is restored, unless its ID is in use again',
  async ({ page, server, admin, expectedProblems }) => {
    expectedProblems.add(409);
    const api = new Api(server.url, admin.token);
    const { id } = await api.createRecord(RESULTS);
    await page.clock.install();
    await signIn(page, admin);
    await page.goto(`/students/${id}/edit`);
    await deleteStudent(page);
    await expect(page).toHaveURL('/students');
    await expect(page.getByText(DELETED)).toBeVisible();
    // The title changes with the focus, once the new page is rendered.
    await expectScreen(page, 'Students');
    await expect(page.locator('#main')).toBeFocused();

    await page.keyboard.press('F8');
    await expect(undoButton(page)).toBeFocused();
    // Longer than a message is shown while it has neither the focus nor the pointer.
    await page.clock.runFor(5500);
    await page.keyboard.press('Enter');
    await expect(page.getByText('The student entry has been restored.')).toBeVisible();
    await expect(page).toHaveURL(`/students/${id}`);
    await expect(page.getByRole('button', { name: /^Semester 1 SGPA 4\.00/ })).toBeVisible();
    await expect(page.getByText('Imran Siddiqui')).toBeVisible();

    await follow(page, `/students/${id}/edit`);
    await deleteStudent(page);
    // A message stays while the pointer is over it.
    await undoButton(page).hover();
    await api.post('/api/students', aStudent({ id, first_name: 'Hamza' }));
    await undoButton(page).click();
    await expect(page.getByText('There is a student with this ID again')).toBeVisible();
    await expect(page).toHaveURL('/students');
  },
);

test('a record changed by another user is reloaded before staff can delete it and undo that', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(412);
  const student = await api.createRecord(RESULTS);
  await page.goto(`/students/${student.id}/edit`);
  await expect(field(page, 'First name')).toHaveValue('Ayesha');
  await api.send('PUT', `/api/students/${student.id}`, { ...student, first_name: 'Zainab' });
  await deleteStudent(page);
  await expect(page.getByText('Another user changed this record while you were editing.')).toBeVisible();
  await expect(field(page, 'First name')).toHaveValue('Zainab');

  await deleteStudent(page);
  await expect(page.getByText(DELETED)).toBeVisible();
  await expect(undoButton(page)).toBeVisible();
});
