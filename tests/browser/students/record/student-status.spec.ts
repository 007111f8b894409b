import { calendarDate } from '../../../../src/domain/age.ts';
import { Api, registerUser } from '../../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../../support/browser/accessibility.ts';
import { expect, type Page, signIn, test } from '../../../support/browser/fixtures.ts';
import { field } from '../../../support/browser/forms.ts';
import { chooseInMore } from '../../../support/browser/screens.ts';
import { unique } from '../../../support/records.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const names = (page: Page) => page.getByRole('row').getByRole('link');

test('a student goes on leave from the record, is marked and found in the list, and a class graduates and is put back', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const last_name = `Khan-${unique()}`;
  const statics = [{ title: 'Statics', credits: 3, grade: 'B' } as const];
  const ayesha = await api.createRecord([statics, []], { first_name: 'Ayesha', last_name });
  await api.createRecord([[]], { first_name: 'Bilal', last_name, id: `${ayesha.id}-9` });

  await page.goto(`/students/${ayesha.id}`);
  const standing = page.getByRole('region', { name: 'GPA Standing' });
  await expect(standing).toContainText('3.00CGPAafter semester 1');
  await chooseInMore(page, 'Change status');
  await expect(dialog(page).getByLabel('Status')).toBeFocused();
  await dialog(page).getByLabel('Reason').fill('Medical leave');
  await dialog(page)
    .getByLabel('Since')
    .fill(calendarDate(new Date(Date.now() + 3 * 86_400_000)));
  await dialog(page).getByRole('button', { name: 'Change status' }).press('Enter');
  await expect(dialog(page).getByText('Required', { exact: true })).toBeVisible();
  await expect(dialog(page).getByLabel('Reason')).toHaveValue('Medical leave');
  await dialog(page).getByLabel('Status').selectOption('On leave');
  await dialog(page).getByRole('button', { name: 'Change status' }).press('Enter');
  await expect(dialog(page).getByText('The date must not be in the future.')).toBeVisible();
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSeriousAxeFindings(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await dialog(page).getByLabel('Since').fill('2023-09-03');
  await dialog(page).getByRole('button', { name: 'Change status' }).press('Enter');
  await expect(
    dialog(page).getByText('The date must not be before the joining date, 2023-09-04.'),
  ).toBeVisible();
  await dialog(page).getByLabel('Since').fill('2026-03-02');
  await dialog(page).getByRole('button', { name: 'Change status' }).press('Enter');
  await expect(page.getByText('The status is now: On leave.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'More' })).toBeFocused();
  await expect(page.getByText('since 2 March 2026')).toBeVisible();
  await expect(page.getByText('Medical leave')).toBeVisible();

  // The highest ID would be first, and is, but for those who are not active.
  await page.goto(`/students?q=${last_name}&sort=name`);
  await expect(names(page)).toHaveText([`Bilal ${last_name}`, `Ayesha ${last_name}`]);
  await expect(row(page, 'Ayesha')).toContainText('On leave');
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('checkbox', { name: 'On leave' }).check();
  await page.getByRole('checkbox', { name: 'Withdrawn' }).check();
  await expect(page.getByRole('button', { name: 'Status: On leave, Withdrawn' })).toBeVisible();
  await expect(names(page)).toHaveText([`Ayesha ${last_name}`]);
  await page.getByRole('button', { name: 'Status: On leave, Withdrawn' }).click();

  await expect(names(page)).toHaveCount(2);
  await page.getByRole('checkbox', { name: 'Select all loaded students' }).check();
  await page
    .getByRole('region', { name: 'Selected students' })
    .getByRole('button', { name: 'Change' })
    .click();
  await dialog(page).getByLabel('What to change').selectOption('Set the status');
  await dialog(page).getByLabel('Status').selectOption('Graduated');
  await expect(dialog(page).getByText('2 students will be given the status Graduated.')).toBeVisible();
  await expect(dialog(page).getByRole('listitem').filter({ hasText: 'Ayesha' })).toContainText(
    'On leave → becomes Graduated',
  );
  await dialog(page).getByRole('button', { name: 'Set 2 students to Graduated' }).click();
  await expect(row(page, 'Bilal')).toContainText('Graduated');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row(page, 'Ayesha')).toContainText('On leave');
  await expect(row(page, 'Bilal')).not.toContainText('Graduated');
});

test('an entry without family details can be given a status and another number, corrected and deleted', async ({
  page,
  ownServer: { url },
}) => {
  const admin = await registerUser(url, 'Asad Admin');
  const { id } = await new Api(url, admin.token).createStudent();
  await signIn(page, admin);
  await page.goto(`${url}/students/${id}`);
  await expect(page).toHaveURL(`${url}/students/${id}/family/create`);
  await field(page, "Father's name").fill('Imran');
  await chooseInMore(page, 'Change status');
  await dialog(page).getByLabel('Status').selectOption('Withdrawn');
  await dialog(page).getByLabel('Reason').fill('At own request');
  await dialog(page).getByRole('button', { name: 'Change status' }).click();
  await expect(page.locator('#main').getByText('At own request')).toBeVisible();
  await expect(field(page, "Father's name")).toHaveValue('Imran');
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSeriousAxeFindings(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await chooseInMore(page, 'Change registration number…');
  await dialog(page).getByLabel('New registration number').fill('500123');
  await dialog(page).getByRole('button', { name: 'Preview the change' }).click();
  await dialog(page).getByRole('button', { name: 'Change to 500123' }).click();
  await expect(page).toHaveURL(`${url}/students/500123/family/create`);

  await page.getByRole('link', { name: 'Correct or delete them' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  await expect(page).toHaveURL(`${url}/students`);
  await expect(page.getByText('No student entries have been created yet')).toBeVisible();
});
