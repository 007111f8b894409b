import type { Locator, Page } from '@playwright/test';
import type { FamilyInput } from '../../src/contract/family.ts';
import type { StudentInput } from '../../src/contract/students.ts';
import type { Subject } from './records.ts';

/** A field by its label, whole: a required mark beside it is no part of its name. */
export const field = (where: Page | Locator, label: string): Locator =>
  where
    .getByRole('textbox', { name: label, exact: true })
    .or(where.getByRole('spinbutton', { name: label, exact: true }))
    .or(where.getByRole('combobox', { name: label, exact: true }));

/** Password inputs have no role to find them by; the mark of a required one is part of its label's text. */
export const password = (page: Page, label: 'Password' | 'Confirm Password' = 'Password'): Locator =>
  page.getByLabel(new RegExp(`^${label}\\*?$`));

const examination = (page: Page, title: 'HSSC/FSC' | 'SSC/Matric') =>
  page.getByRole('group', { name: title });

/** Types a base record as staff do; what a record leaves out stays empty. */
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

/** Types the subjects of the semester that is on the screen, adding places as needed. */
export async function fillSemesterForm(page: Page, subjects: readonly Subject[]): Promise<void> {
  // Until the form is there, no place is.
  await subjectCard(page, 1).waitFor();
  for (const [i, { title, credits, grade }] of subjects.entries()) {
    const card = subjectCard(page, i + 1);
    if (!(await card.isVisible())) await page.getByRole('button', { name: 'Add subject' }).click();
    await field(card, 'Title').fill(title);
    await field(card, 'Credit Hours').fill(String(credits));
    await field(card, 'Grade').selectOption(grade);
  }
}
