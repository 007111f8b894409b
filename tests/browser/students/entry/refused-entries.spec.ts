import { expect, type Page, test } from '../../../support/browser/fixtures.ts';
import {
  field,
  fillFamilyForm,
  fillSemesterForm,
  fillStudentForm,
  subjectCard,
} from '../../../support/browser/forms.ts';
import { expectScreen, follow } from '../../../support/browser/screens.ts';
import { aFamily, aStudent } from '../../../support/records.ts';

const group = (page: Page, name: 'HSSC/FSC' | 'SSC/Matric') => page.getByRole('group', { name });
const create = (page: Page) => page.getByRole('button', { name: 'Create Entry' }).click();

// Covers 2.113, 2.144, 3.18, 3.46, 4.4, 4.25, 4.26, 4.27, 5.1, 5.11, 5.12, 5.17, 5.21, 5.22, 5.23, 5.24, 5.25, 5.27
// Covers 5.30, 5.34, 8.1, 9.1
test('each step of an entry reports missing and invalid values at their fields and keeps everything typed', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  await page.goto('/students/create');

  await test.step('an empty base form marks every required field and no other', async () => {
    await create(page);
    await expect(field(page, 'First name')).toHaveAccessibleDescription('Required');
    for (const label of ['Last name', 'Registration number', 'Department', 'Syndicate', 'Degree']) {
      await expect(field(page, label)).toHaveAccessibleDescription('Required');
    }
    for (const label of ['Date of birth', 'Joining date']) {
      await expect(page.getByLabel(label)).toHaveAccessibleDescription('Required');
    }
    await expect(field(page, 'Semester')).toHaveAccessibleDescription(/^Required/);
    for (const name of ['HSSC/FSC', 'SSC/Matric'] as const) {
      for (const label of ['Marks', 'Passing year', 'Division']) {
        await expect(field(group(page, name), label)).toHaveAccessibleDescription('Required.');
      }
    }
    for (const label of ['Gender', 'Phone number', 'Student portrait', 'Reasons/Comments']) {
      await expect(field(page, label)).not.toHaveAttribute('aria-invalid');
    }
    await expect(page).toHaveURL('/students/create');
  });

  await test.step('invalid values of the base form', async () => {
    const invalid = aStudent({
      id: 'two words',
      fsc_marks: 1200,
      joining_date: '0023-09-04',
      matric_year: 1850,
      matric_div: 4,
      current_sem: 9,
      degree: 'a degree whose name is far too long',
    });
    await fillStudentForm(page, invalid);
    await field(page, 'Reasons/Comments').fill('Joined late.\nSecond line.');
    await create(page);

    const fsc = group(page, 'HSSC/FSC');
    const matric = group(page, 'SSC/Matric');
    await expect(field(fsc, 'Marks')).toHaveAccessibleDescription('Required. Marks are 100 to 1100.');
    await expect(field(matric, 'Passing year')).toHaveAccessibleDescription(
      'The Matric passing year must be a whole number from 1900 to 2099.',
    );
    await expect(field(matric, 'Division')).toHaveAccessibleDescription(
      'The Matric division must be a whole number from 1 to 3.',
    );
    await expect(field(page, 'Registration number')).toHaveAccessibleDescription(
      'The registration number must be 1 to 20 letters, digits, dashes, dots or underscores.',
    );
    await expect(field(page, 'Semester')).toHaveAccessibleDescription(
      /^The semester must be a whole number from 1 to 8\./,
    );
    await expect(page.getByLabel('Joining date')).toHaveAccessibleDescription(
      'The joining date must not be before 1900.',
    );
    await expect(field(page, 'Degree')).toHaveAccessibleDescription(
      'The degree must be at most 20 characters.',
    );
    await expect(field(page, 'First name')).not.toHaveAttribute('aria-invalid');

    await expect(field(page, 'Registration number')).toHaveValue('two words');
    await expect(field(fsc, 'Marks')).toHaveValue('1200');
    await expect(field(page, 'Reasons/Comments')).toHaveValue('Joined late.\nSecond line.');
    await expect(field(page, 'Department')).toHaveValue('CE');
    await expect(page.getByLabel('Date of birth')).toHaveValue('2005-03-14');
  });

  const valid = aStudent({ first_name: 'Zainab', current_sem: 1 });
  await fillStudentForm(page, valid);

  await test.step('a registration number that is already taken', async () => {
    const taken = await api.createStudent({ first_name: 'Hamza' });
    await field(page, 'Registration number').fill(taken.id);
    await create(page);
    await expect(field(page, 'Registration number')).toHaveAccessibleDescription(
      'The registration number has already been taken.',
    );
    await expect(field(page, 'First name')).toHaveValue('Zainab');
    const { student } = await api.get<{ student: { first_name: string } }>(`/api/students/${taken.id}/base`);
    expect(student.first_name).toBe('Hamza');

    await page.getByRole('link', { name: `Open the record of ${taken.id}` }).click();
    await expect(page).toHaveURL(`/students/${taken.id}/family/create`);
    await follow(page, '/students/create');
    await expect(field(page, 'First name')).toHaveValue('Zainab');
  });

  await field(page, 'Registration number').fill(valid.id);
  await create(page);
  await expect(page).toHaveURL(`/students/${valid.id}/family/create`);
  await expectScreen(page, 'Family Data');
  const { student } = await api.get<{ student: { reason: string } }>(`/api/students/${valid.id}/base`);
  expect(student.reason).toBe('Joined late.\nSecond line.');

  await test.step('the family step requires the father’s name and occupation', async () => {
    const changes = { father_name: ' ', father_occupation: '', number_siblings: -1 };
    await fillFamilyForm(page, aFamily(valid.id, changes));
    await create(page);
    await expect(field(page, "Father's name")).toHaveAccessibleDescription('Required');
    await expect(field(page, "Father's occupation")).toHaveAccessibleDescription('Required');
    await expect(field(page, 'Number of siblings')).toHaveAccessibleDescription(
      'The number of siblings must be a whole number of at least 0.',
    );
    await expect(field(page, "Mother's name")).toHaveValue('Nadia Siddiqui');
  });

  await fillFamilyForm(page, aFamily(valid.id));
  await create(page);

  await test.step('a missing title and credit hours out of range are refused at their subject', async () => {
    await fillSemesterForm(page, [
      { title: 'Calculus', credits: 7, grade: 'A' },
      { title: '', credits: 3, grade: 'B' },
    ]);
    await page.getByRole('button', { name: 'Create Semester Entry' }).click();
    await expect(field(subjectCard(page, 1), 'Credit Hours')).toHaveAccessibleDescription(
      /must be a whole number from 1 to 6\.$/,
    );
    await expect(field(subjectCard(page, 2), 'Title')).toHaveAccessibleDescription('Required');
    await expect(field(subjectCard(page, 1), 'Title')).toHaveValue('Calculus');
    await expect(field(subjectCard(page, 2), 'Grade')).toHaveValue('B');
  });

  await test.step('the button to add a subject is hidden at ten subjects and shown again when one is removed', async () => {
    const add = page.getByRole('button', { name: 'Add subject' });
    const cards = page.getByRole('group', { name: /^Subject \d+$/ });
    await expect(add).toBeVisible();
    for (let shown = await cards.count(); shown < 10; shown += 1) await add.click();
    await expect(cards).toHaveCount(10);
    await expect(add).toBeHidden();

    await field(subjectCard(page, 4), 'Title').fill('Thermodynamics');
    await page.getByRole('button', { name: 'Remove subject 4' }).click();
    await expect(cards).toHaveCount(9);
    await add.click();
    await expect(field(subjectCard(page, 4), 'Title')).toHaveValue('');
  });

  await field(subjectCard(page, 1), 'Credit Hours').fill('3');
  await page.getByRole('button', { name: 'Remove subject 2' }).click();
  await page.getByRole('button', { name: 'Create Semester Entry' }).click();
  await expect(page.getByText('Entry has been created successfully')).toBeVisible();
});
