import type { StudentRecord } from '../../../../src/contract/students/students.ts';
import { Api } from '../../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../../support/browser/accessibility.ts';
import { expect, test } from '../../../support/browser/fixtures.ts';
import { field, subjectCard } from '../../../support/browser/forms.ts';
import { addCourses, addScheme } from '../../../support/browser/schemes.ts';
import { follow } from '../../../support/browser/screens.ts';
import { unique } from '../../../support/records.ts';

test('a semester begins with the subjects of the scheme, so that six results take twelve keys', async ({
  staffPage: page,
  api,
  admin,
  server,
}) => {
  const boss = new Api(server.url, admin.token);
  const degree = unique();
  const { id } = await api.createRecord([], { department: 'ME', degree, current_sem: 2 });
  const courses = await addCourses(boss, ['Calculus', 'Physics', 'Statics', 'Drawing', 'English', 'Ethics']);
  const [first, second] = courses;
  if (!first || !second) throw new Error('A course is missing.');
  await addScheme(boss, { department: 'ME', degrees: [degree] }, [
    ...courses.map(({ course_id }) => ({ options: [course_id] })),
    { semester: 2, title: 'Elective', key: 'E', options: [first.course_id, second.course_id] },
  ]);

  await page.goto(`/students/${id}/academics/create`);
  const grade = (number: number) => field(subjectCard(page, number), 'Grade');
  await expect(grade(1)).toBeFocused();
  await expect(field(subjectCard(page, 6), 'Title')).toHaveValue(courses[5]?.course_name ?? '');
  await expect(page.getByText(/6 rows of semester 1 that nothing fills/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Leave it for later' })).toBeVisible();
  await expectNoSeriousAxeFindings(page);
  let keys = 0;
  const press = async (key: string) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  for (const [i, letter] of ['a', 'b', 'c', 'd', 'f', 'a'].entries()) {
    await expect(grade(i + 1)).toBeFocused();
    await press(letter);
    if (i < 5) await press('Enter');
  }
  await press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Semester 2', exact: true })).toBeVisible();
  expect(keys).toBe(12);
  const { academics } = await api.get<StudentRecord>(`/api/students/${id}`);
  expect(academics[0]).toMatchObject({
    ...{ subject_1: first.course_name, subject_1_id: first.course_id, subj_credit_1: 3, subj_grade_1: 4 },
    ...{ subject_6_id: courses[5]?.course_id, subj_grade_6: 4, subject_7: null },
  });

  await test.step('a choice is filled by typing the code of one of its courses', async () => {
    // Both courses of the choice are passed, so it is filled only by a repeat: the row is still open.
    await expect(
      page.getByText(`Elective: type ${first.course_code} or ${second.course_code}`),
    ).toBeVisible();
    await field(subjectCard(page, 1), 'Title').fill(second.course_code);
    await page.keyboard.press('Tab');
    await expect(field(subjectCard(page, 1), 'Subject ID')).toHaveValue(String(second.course_id));
    await follow(page, `/students/${id}`);
  });
});
