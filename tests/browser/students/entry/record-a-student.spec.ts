import { ageOn, calendarDate } from '../../../../src/domain/age.ts';
import { expect, type Page, test } from '../../../support/browser/fixtures.ts';
import { fillFamilyForm, fillSemesterForm, fillStudentForm } from '../../../support/browser/forms.ts';
import { follow } from '../../../support/browser/screens.ts';
import { aFamily, aStudent, type Subject } from '../../../support/records.ts';

/**
 * The averages, calculated by hand:
 * 1: (3×4 + 4×3.5 + 3×3) ÷ 10 = 35 ÷ 10 = 3.50
 * 2: (4×3 + 3×2.5 + 2×4) ÷ 9 = 27.5 ÷ 9 = 3.06; cumulative 62.5 ÷ 19 = 3.29
 * 3: (3×4 + 3×1.5) ÷ 6 = 16.5 ÷ 6 = 2.75; cumulative 79 ÷ 25 = 3.16
 * During semester 3 the record shows the cumulative average of semester 2 as the latest.
 */
const SEMESTERS: readonly (readonly Subject[])[] = [
  [
    { title: 'Calculus', credits: 3, grade: 'A' },
    { title: 'Programming Fundamentals', credits: 4, grade: 'B+' },
    { title: 'Physics', credits: 3, grade: 'B' },
  ],
  [
    { title: 'Data Structures', credits: 4, grade: 'B' },
    { title: 'Linear Algebra', credits: 3, grade: 'C+' },
    { title: 'Technical Writing', credits: 2, grade: 'A' },
  ],
  [
    { title: 'Databases', credits: 3, grade: 'A' },
    { title: 'Networks', credits: 3, grade: 'D+' },
  ],
];

const standing = (page: Page) => page.getByRole('region', { name: 'GPA Standing' });
const fact = (page: Page, title: string) =>
  page.locator('dt', { hasText: new RegExp(`^${title}$`) }).locator('xpath=following-sibling::dd[1]');

// Covers 2.92, 2.93, 2.102, 2.104, 2.108, 2.109, 2.112, 2.114, 2.116, 2.120, 2.121, 2.126, 2.127, 3.4, 3.5
// Covers 3.7, 3.16, 3.28, 3.30, 3.45, 4.17, 4.18, 7.18
test('a student is recorded in three steps, found in the list and shown with the correct GPA standing', async ({
  staffPage: page,
}) => {
  await page.goto('/');
  const student = aStudent({ current_sem: SEMESTERS.length, last_name: `Siddiqui-Ørsted` });
  const age = ageOn(calendarDate(new Date()), student.dob);

  await page.getByRole('navigation').getByRole('link', { name: 'Students' }).click();
  await page.getByRole('link', { name: 'Create New Entry' }).click();
  await expect(page.getByRole('heading', { name: 'Create an Entry' })).toBeVisible();
  await page.getByLabel('Phone number').fill('unknown');
  await expect(page.getByLabel('Phone number')).toHaveAccessibleDescription(
    'This has no digits. Is it a phone number?',
  );
  const school = page.getByRole('group', { name: 'HSSC/FSC' });
  await school.getByLabel('Passing year').fill('2099');
  await expect(school.getByLabel('Passing year')).toHaveAccessibleDescription('This year is still to come.');
  await fillStudentForm(page, student);
  await expect(school.getByLabel('Passing year')).toHaveAccessibleDescription('');
  await expect(page.getByLabel('Date of birth')).toHaveAccessibleDescription(`14 March 2005, ${age} years`);
  await expect(page.getByLabel('Joining date')).toHaveAccessibleDescription('4 September 2023');
  await page.getByRole('button', { name: 'Create Entry' }).click();

  await expect(page).toHaveURL(`/students/${student.id}/family/create`);
  await expect(
    page.getByRole('heading', { name: `Enter Family Data of Student with ID: ${student.id}` }),
  ).toBeVisible();
  await expect(page.getByText('Enter family details of the student or go back')).toBeVisible();
  const nameAndClass = 'Ayesha Siddiqui-Ørsted, CE-44-B';
  await expect(page.getByText(nameAndClass, { exact: true })).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(`^${nameAndClass} · Family Data · `));
  await fillFamilyForm(page, aFamily(student.id));
  await page.getByRole('button', { name: 'Create Entry' }).click();

  await expect(page).toHaveURL(`/students/${student.id}/academics/create`);
  await expect(
    page.getByRole('heading', { name: `Enter Academic Data of Student with ID: ${student.id}` }),
  ).toBeVisible();
  await expect(page.getByText(nameAndClass, { exact: true })).toBeVisible();
  for (const [i, subjects] of SEMESTERS.entries()) {
    await expect(page.getByRole('heading', { name: `Semester ${i + 1}`, exact: true })).toBeVisible();
    await fillSemesterForm(page, subjects);
    await page.getByRole('button', { name: 'Create Semester Entry' }).click();
  }
  await expect(page).toHaveURL('/students');
  await expect(page).toHaveTitle(/^Students · /);
  await expect(page.getByText('Entry has been created successfully')).toBeVisible();

  await page.getByRole('searchbox', { name: 'Search students' }).fill(student.id);
  const row = page.getByRole('row').filter({ hasText: student.id });
  await expect(row).toContainText('Ayesha Siddiqui-Ørsted');
  await expect(row).toContainText(`${age} years old`);
  await expect(row).toContainText('CE-44-B');
  await expect(row).toContainText('935');
  await expect(row).toContainText('987.5');
  // Opens the only match.
  await page.getByRole('searchbox', { name: 'Search students' }).press('Enter');

  await expect(page).toHaveURL(`/students/${student.id}`);
  await expect(page.getByRole('heading', { name: 'Ayesha Siddiqui-Ørsted' })).toBeVisible();
  for (const [semester, sgpa] of ['3.50', '3.06', '2.75'].entries()) {
    await expect(
      standing(page).getByRole('button', { name: `Semester ${semester + 1} SGPA ${sgpa}` }),
    ).toBeVisible();
  }
  await expect(standing(page).getByText('--', { exact: true })).toHaveCount(5);
  await expect(standing(page)).toContainText('3.29CGPA');

  await expect(fact(page, 'CMS ID')).toHaveText(student.id);
  await expect(fact(page, 'Date of birth')).toContainText(`(${age} years)`);
  await expect(fact(page, 'Reasons/Comments')).toHaveText('Not defined yet.');
  await expect(fact(page, "Father's name")).toHaveText('Imran Siddiqui');
  await expect(fact(page, 'Address')).toHaveText('House 12, Street 4, Rawalpindi');

  await page.getByRole('link', { name: 'Students', exact: true }).first().click();
  await expect(page).toHaveURL('/students');
});

// Covers 2.104, 2.107, 2.111, 2.115, 4.8, 4.10, 4.12, 4.13, 4.51
test('an entry that stopped continues at its next step; completed steps and unknown students redirect', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(404);
  const [first = [], second = []] = SEMESTERS;
  const withoutFamily = await api.createStudent();
  const withOneSemester = await api.createRecord([first], { current_sem: 2 });
  const complete = await api.createRecord(SEMESTERS);

  await test.step('after the base step, at the family step', async () => {
    const { id } = withoutFamily;
    await page.goto('/students');
    await page.getByRole('searchbox', { name: 'Search students' }).fill(id);
    const links = page.getByRole('table', { name: 'Students' }).getByRole('link');
    // Found rows take the place of those of the whole list, which a click could miss.
    await expect(links).toHaveCount(1);
    await links.click();
    await expect(page).toHaveURL(`/students/${id}/family/create`);
    await expect(
      page.getByRole('heading', { name: `Enter Family Data of Student with ID: ${id}` }),
    ).toBeVisible();
  });

  await test.step('between two semesters, at the next one', async () => {
    const { id } = withOneSemester;
    await follow(page, `/students/${id}/academics/create`);
    await expect(page.getByRole('heading', { name: 'Semester 2', exact: true })).toBeVisible();
    await fillSemesterForm(page, second);
    await page.getByRole('button', { name: 'Create Semester Entry' }).click();
    await expect(page.getByText('Entry has been created successfully')).toBeVisible();
    const { academics } = await api.get<{ academics: { sgpa: number; cgpa: number }[] }>(
      `/api/students/${id}`,
    );
    expect(academics.map(({ sgpa, cgpa }) => [sgpa, cgpa])).toEqual([
      [3.5, 3.5],
      [3.06, 3.29],
    ]);
  });

  await test.step('completed steps redirect to the list, and a step of an unknown student to the base form', async () => {
    for (const step of ['family', 'academics']) {
      await follow(page, `/students/${complete.id}/${step}/create`);
      await expect(page).toHaveURL('/students');
    }
    await follow(page, '/students/nobody/family/create');
    await expect(page).toHaveURL('/students/create');
  });

  await test.step('the URL of an unknown student redirects to the list with a message', async () => {
    await page.goto('/students/nobody-at-all');
    await expect(page).toHaveURL('/students');
    await expect(page.getByRole('status').filter({ hasText: /\S/ }).first()).toBeVisible();
  });
});
