import type { StudentRecord } from '../../../../src/contract/students/students.ts';
import { Api } from '../../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../../support/browser/accessibility.ts';
import { expect, signIn, test } from '../../../support/browser/fixtures.ts';
import { field, subjectCard } from '../../../support/browser/forms.ts';
import { confirmSheet, makeSheet } from '../../../support/browser/mark-sheets.ts';
import { expectAccessible } from '../../../support/browser/screens.ts';
import { aCourse } from '../../../support/records.ts';

test('a semester with results of a mark sheet shows its lock, and takes a reason from an administrator', async ({
  staffPage: page,
  api,
  admin,
  server,
  expectedProblems,
}) => {
  expectedProblems.add('offline');
  const adminApi = new Api(server.url, admin.token);
  const { sheet, ids } = await makeSheet({ api, admin: adminApi }, [71]);
  await confirmSheet({ api, admin: adminApi }, sheet);
  const [id = ''] = ids;
  const edit = `/students/${id}/academics/edit?semester=1`;

  await page.route('**/result-rights', (route) => route.abort('connectionrefused'), { times: 1 });
  await page.goto(edit);
  await expect(page.getByText('The server could not be reached.')).toBeVisible();
  await expect(subjectCard(page, 1)).toHaveCount(0);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Only an administrator changes it, with a reason.')).toBeVisible();
  await expect(page.getByRole('link', { name: `Mark sheet ${sheet.sheet_id}, Signals` })).toBeVisible();
  await expect(field(subjectCard(page, 1), 'Title')).toBeDisabled();
  await expect(page.getByRole('button', { name: /Save and close|Update|Add subject|Delete/ })).toHaveCount(0);
  await expectAccessible(page);

  await signIn(page, admin);
  await page.goto(edit);
  await expect(field(subjectCard(page, 1), 'Title')).toBeDisabled();
  await page.getByRole('button', { name: 'Add subject' }).click();
  const added = subjectCard(page, 2);
  await field(added, 'Title').fill('Seminar');
  await field(added, 'Credit Hours').fill('2');
  await field(added, 'Grade').fill('A');
  await page.getByLabel('Reason').fill('It was left out of the sheet');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save and close' }).click();
  await expect(page.getByText('Semester 1 has been saved')).toBeVisible();
  const record = await api.get<StudentRecord>(`/api/students/${id}`);
  expect(record.academics[0]).toMatchObject({ subject_1: 'Signals', subject_2: 'Seminar' });
});

test('a student enters in a later semester from the record', async ({ staffPage: page, api }) => {
  const student = await api.createRecord([], { current_sem: 3 });
  await page.goto(`/students/${student.id}`);
  await page.getByRole('button', { name: 'Enters in a later semester' }).click();
  await page.getByLabel('Enters in', { exact: true }).selectOption('2');
  await page.getByLabel('Enters in', { exact: true }).selectOption('3');
  await expectNoSeriousAxeFindings(page);
  await page.getByRole('button', { name: 'Enter in semester 3' }).click();
  await expect(page.getByText('The student enters in semester 3.')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'before entry' })).toHaveCount(2);
  await expect(page.getByRole('link', { name: 'Enter Semester 3' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Enters in a later semester' })).toHaveCount(0);
  await expectAccessible(page);
});

test('a course that results use is deleted by typing its code, and comes back from the message and from the list', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add('offline');
  const course = aCourse();
  const { course_id, course_code } = course;
  await api.post('/api/courses', course);
  const subject = { title: 'Thermodynamics', credits: 3, grade: 'B', courseId: course_id } as const;
  await api.createRecord([[subject]]);
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/restore?')) keys.push(request.headers()['idempotency-key']);
  });
  const remove = async () => {
    await page.route('**/uses', (route) => route.abort('connectionrefused'), { times: 1 });
    await page.goto(`/courses/${course_id}/edit`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Try again' }).click();
    await expect(question.getByText('1 result uses it')).toBeVisible();
    await expect(question.getByRole('button', { name: 'Yes' })).toBeDisabled();
    await question.getByLabel(`Type ${course_code} to delete it`).fill(course_code.toLowerCase());
    await expectNoSeriousAxeFindings(page);
    await question.getByRole('button', { name: 'Yes' }).click();
    await expect(page.getByText('The course has been deleted from the database.')).toBeVisible();
  };
  await remove();
  await expect(page).toHaveURL(/courses$/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('The earlier state has been restored.')).toBeVisible();
  await remove();
  await page.goto('/bulk-changes');
  await page
    .getByRole('button', { name: `Undo: deleted the course ${course_code}` })
    .first()
    .click();
  await expect(page.getByText('The earlier state has been restored.')).toBeVisible();
  await expect(page.getByText('Restored, or the ID is in use again').first()).toBeVisible();
  expect(keys).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
  await expectAccessible(page);
});
