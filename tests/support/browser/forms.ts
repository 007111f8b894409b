import type { Locator, Page } from '@playwright/test';
import type { FamilyInput, StudentInput } from '../../../src/contract/students/students.ts';
import type { Subject } from '../records.ts';

/** A field by its full label; the mark of required fields is not part of the accessible name. */
export const field = (where: Page | Locator, label: string): Locator =>
  where
    .getByRole('textbox', { name: label, exact: true })
    .or(where.getByRole('spinbutton', { name: label, exact: true }))
    .or(where.getByRole('combobox', { name: label, exact: true }));

/** Password inputs have no role, so they are found by the text of the label, which includes the mark of required fields. */
export const password = (page: Page, label: 'Password' | 'Confirm Password' = 'Password'): Locator =>
  page.getByLabel(new RegExp(`^${label}\\*?$`));

const examination = (page: Page, title: 'HSSC/FSC' | 'SSC/Matric') =>
  page.getByRole('group', { name: title });

/** Fills the form of a base record; missing values stay empty. */
export async function fillStudentForm(page: Page, student: StudentInput): Promise<void> {
  await field(page, 'First name').fill(student.first_name);
  await field(page, 'Last name').fill(student.last_name);
  await page.getByLabel('Date of birth').fill(student.dob);
  await field(page, 'Gender').selectOption(student.gender ?? '');
  await field(page, 'Phone number').fill(student.phone_number ?? '');
  await field(page, 'Registration number').fill(student.id);
  await page.getByLabel('Joining date').fill(student.joining_date);
  await field(page, 'Department').selectOption(student.department);
  await field(page, 'Syndicate').selectOption(student.syn);
  await field(page, 'Degree').fill(student.degree);
  await field(page, 'Semester').fill(String(student.current_sem));
  const fsc = examination(page, 'HSSC/FSC');
  await field(fsc, 'Marks').fill(String(student.fsc_marks));
  await field(fsc, 'Passing year').fill(String(student.fsc_year));
  await field(fsc, 'Division').fill(String(student.fsc_div));
  const matric = examination(page, 'SSC/Matric');
  await field(matric, 'Marks').fill(String(student.matric_marks));
  await field(matric, 'Passing year').fill(String(student.matric_year));
  await field(matric, 'Division').fill(String(student.matric_div));
}

export async function fillFamilyForm(page: Page, family: FamilyInput): Promise<void> {
  await field(page, "Father's name").fill(family.father_name);
  await field(page, "Father's occupation").fill(family.father_occupation);
  await field(page, "Mother's name").fill(family.mother_name ?? '');
  await field(page, "Mother's occupation").fill(family.mother_occupation ?? '');
  await field(page, 'Number of siblings').fill(String(family.number_siblings ?? ''));
  await field(page, "Father's phone").fill(family.father_phone ?? '');
  await field(page, "Mother's phone").fill(family.mother_phone ?? '');
  await field(page, 'Home phone').fill(family.home_phone ?? '');
  await field(page, 'Address').fill(family.address ?? '');
}

export const subjectCard = (page: Page, number: number): Locator =>
  page.getByRole('group', { name: `Subject ${number}`, exact: true });

/** Fills the form of the semester that is shown, adding subject cards as needed. */
export async function fillSemesterForm(page: Page, subjects: readonly Subject[]): Promise<void> {
  // Without the form there are no cards yet.
  await subjectCard(page, 1).waitFor();
  for (const [i, { title, credits, grade }] of subjects.entries()) {
    const card = subjectCard(page, i + 1);
    if (!(await card.isVisible())) await page.getByRole('button', { name: 'Add subject' }).click();
    await field(card, 'Title').fill(title);
    await field(card, 'Credit Hours').fill(String(credits));
    await field(card, 'Grade').fill(grade);
  }
}
