import { randomInt } from 'node:crypto';
import type { Api } from '../../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../../support/browser/accessibility.ts';
import { expect, type Page, test } from '../../../support/browser/fixtures.ts';
import { field, fillSemesterForm, subjectCard } from '../../../support/browser/forms.ts';
import { unique } from '../../../support/records.ts';

/** Key presses for a semester of six subjects, modifier keys included. Typing every title took more than 200. */
const MOST_PRESSES = 70;

const GRADES = ['a', 'b+', 'B', 'c+', 'D', 'F'] as const;
const NO_LETTER = 'Grade must be one of A, B+, B, C+, C, D+, D, F.';

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Adds six courses with IDs of four digits, the last without credit hours. */
async function addCourses(api: Api): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < GRADES.length) {
    const course_id = String(randomInt(1_000, 10_000));
    const course_name = `Engineering Mechanics of Deformable Bodies ${course_id}`;
    const credits = ids.length === 5 ? null : 3;
    const course = { course_id, course_code: `ME-${course_id}`, course_name, credits };
    // Another test may have the ID already.
    const { status } = await api.send('POST', '/api/courses', course);
    if (status === 201) ids.push(course_id);
    else expect(status).toBe(422);
  }
  return ids;
}

async function readSemesters(api: Api, id: string) {
  return (await api.get<{ academics: Record<string, unknown>[] }>(`/api/students/${id}`)).academics;
}

test(`a semester of six subjects takes at most ${MOST_PRESSES} key presses`, async ({
  staffPage: page,
  api,
}) => {
  const ids = await addCourses(api);
  const { id } = await api.createRecord([[{ title: 'Physics', credits: 3, grade: 'A' }]], {
    current_sem: 2,
    degree: unique(),
  });
  await page.goto(`/students/${id}`);
  const link = page.getByRole('link', { name: 'Enter Semester 2' });
  await link.focus();
  await page.evaluate(() => {
    const counted = window as unknown as { presses: number };
    counted.presses = 0;
    addEventListener('keydown', () => (counted.presses += 1), { capture: true });
  });
  const press = (...keys: string[]) =>
    keys.reduce((all, key) => all.then(() => page.keyboard.press(key)), Promise.resolve());

  await press('Enter');
  await expect(heading(page, 'Semester 2')).toBeVisible();
  for (const [i, grade] of GRADES.entries()) {
    const card = subjectCard(page, i + 1);
    await expect(field(card, 'Title')).toBeFocused();
    await press(...[...(ids[i] ?? '')], 'Enter');
    if (i === 5) await press('2', 'Enter');
    await expect(field(card, 'Grade')).toBeFocused();
    // A plus is typed with Shift.
    await press(...[...grade].map((sign) => (sign === '+' ? 'Shift+Equal' : sign)), 'Enter');
  }
  await press('Control+Enter');
  await expect(page).toHaveURL('/students');

  const presses = await page.evaluate(() => (window as unknown as { presses: number }).presses);
  process.stdout.write(`A semester of six subjects took ${presses} key presses.\n`);
  expect(presses).toBeLessThanOrEqual(MOST_PRESSES);
  const [, semester] = await readSemesters(api, id);
  expect(semester).toMatchObject(
    Object.fromEntries(
      [4, 3.5, 3, 2.5, 1, 0].flatMap((points, i) => [
        [`subject_${i + 1}`, `Engineering Mechanics of Deformable Bodies ${ids[i]}`],
        [`subject_${i + 1}_id`, Number(ids[i])],
        [`subj_credit_${i + 1}`, i === 5 ? 2 : 3],
        [`subj_grade_${i + 1}`, points],
      ]),
    ),
  );
});

test('no wrong grade and no unwanted semester is stored', async ({ staffPage: page, api }) => {
  const { id } = await api.createRecord([], { current_sem: 1, degree: unique() });
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(request.url());
  });
  await page.goto(`/students/${id}/academics/create`);
  const card = subjectCard(page, 1);
  const [title, credits, grade] = ['Title', 'Credit Hours', 'Grade'].map((label) => field(card, label));
  if (!title || !credits || !grade) throw new Error('A subject has no fields.');
  await title.press('Control+Enter');
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page.getByRole('alert')).toHaveText(
    'Enter at least one subject. A semester without subjects is not saved.',
  );

  await title.pressSequentially('Calculus for Poets');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await title.press('Enter');
  await expect(field(card, 'Subject ID')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(credits).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(grade).toBeFocused();
  await page.keyboard.type('b');
  await expect(grade).toHaveValue('B');
  await page.keyboard.press('Shift+Equal');
  await expect(grade).toHaveValue('B+');
  await page.keyboard.press('Shift+Equal');
  await expect(grade).not.toHaveAttribute('aria-invalid');
  await page.keyboard.press('Enter');
  await expect(field(subjectCard(page, 2), 'Title')).toBeFocused();
  await expect(grade).toHaveAccessibleDescription(NO_LETTER);
  await expectNoSeriousAxeFindings(page);
  await button(page, 'Create Semester Entry').click();
  await page.getByRole('alert').getByRole('link', { name: 'Subject 1 Grade' }).click();
  await expect(grade).toBeFocused();
  await expect(grade).toHaveValue('B++');
  await grade.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expectNoSeriousAxeFindings(page);
  await page.keyboard.press('Tab');
  await expect(grade).toHaveValue('B');

  await field(subjectCard(page, 2), 'Title').fill('Physics');
  await button(page, 'Create Semester Entry').click();
  const dialog = page.getByRole('alertdialog', {
    name: '1 subject has no grade and 2 subjects have no credit hours. Save anyway?',
  });
  await expect(dialog).toContainText('No grade: Physics');
  await expect(dialog).toContainText('No credit hours: Calculus for Poets, Physics');
  await expectNoSeriousAxeFindings(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expect(writes).toEqual([]);
  await button(page, 'Save and close').click();
  await dialog.getByRole('button', { name: 'Yes' }).click();
  await expect(page).toHaveURL(`/students/${id}`);
  await expect(page.getByText('Semester 1 has been saved', { exact: true })).toBeVisible();
  expect(await readSemesters(api, id)).toMatchObject([{ subject_1: 'Calculus for Poets', subj_grade_1: 3 }]);
});

test('the subjects of the class are filled in, and the semesters of an edit are links', async ({
  staffPage: page,
  api,
}) => {
  const degree = unique();
  const theirs = [
    { title: 'Physics', credits: 4, grade: 'A' },
    { title: 'Statics', credits: 3, grade: 'F' },
  ] as const;
  await api.createRecord([theirs], { degree });
  const { id } = await api.createRecord([], { degree, current_sem: 3 });
  await page.goto(`/students/${id}/academics/create`);
  await button(page, 'Same subjects as the class').press('Enter');
  await expect(page.getByText('Filled in 2 subjects: Physics, Statics', { exact: true })).toBeVisible();
  await expect(button(page, 'Same subjects as the class')).toBeHidden();
  const grade = field(subjectCard(page, 1), 'Grade');
  await expect(grade).toBeFocused();
  await page.keyboard.type('a');
  await page.keyboard.press('Enter');
  await expect(field(subjectCard(page, 2), 'Grade')).toBeFocused();
  await page.keyboard.type('c');
  await page.keyboard.press('Control+Enter');
  await expect(heading(page, 'Semester 2')).toBeVisible();
  await fillSemesterForm(page, [{ title: 'Dynamics', credits: 3, grade: 'B' }]);
  await button(page, 'Save and close').click();
  await expect(page).toHaveURL(`/students/${id}`);

  await page.goto(`/students/${id}/academics/edit?semester=1`);
  await expect(heading(page, 'Semester 1')).toBeVisible();
  await field(subjectCard(page, 2), 'Grade').fill('D+');
  await button(page, 'Update Semester Entry').click();
  await expect(heading(page, 'Semester 2')).toBeVisible();
  await page.getByRole('link', { name: 'Edit semester 1' }).click();
  await expect(heading(page, 'Semester 1')).toBeVisible();
  await expect(field(subjectCard(page, 2), 'Grade')).toHaveValue('D+');
  await field(subjectCard(page, 2), 'Grade').fill('D');
  await page.getByRole('link', { name: 'Edit semester 2' }).click();
  await expect(heading(page, 'Semester 2')).toBeVisible();
  await page.goBack();
  await expect(field(subjectCard(page, 2), 'Grade')).toHaveValue('D');
  await button(page, 'Save and close').click();
  await expect(page).toHaveURL(`/students/${id}`);
  expect(await readSemesters(api, id)).toMatchObject([
    { subject_1: 'Physics', subj_credit_1: 4, subj_grade_1: 4, subject_2: 'Statics', subj_grade_2: 1 },
    { subject_1: 'Dynamics' },
  ]);
});
