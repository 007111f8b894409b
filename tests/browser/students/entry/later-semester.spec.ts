import { expectNoSeriousAxeFindings } from '../../../support/browser/accessibility.ts';
import { expect, type Page, test } from '../../../support/browser/fixtures.ts';
import { field, fillFamilyForm, fillStudentForm, subjectCard } from '../../../support/browser/forms.ts';
import { expectScreen, follow } from '../../../support/browser/screens.ts';
import { aFamily, aStudent } from '../../../support/records.ts';

const SUBJECTS = [{ title: 'Calculus', credits: 3, grade: 'A' }] as const;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('an edit can stop at a semester without results, and a new entry can be left for later at each step', async ({
  staffPage: page,
  api,
}) => {
  await test.step('an edit can stop at a semester without results as long as its form is empty', async () => {
    const { id } = await api.createRecord([SUBJECTS], { current_sem: 2 });
    await page.goto(`/students/${id}/academics/edit`);
    await expect(page.getByRole('heading', { name: 'Semester 1', exact: true })).toBeVisible();
    await expect(button(page, 'Leave it for later')).toBeHidden();
    await button(page, 'Update Semester Entry').click();
    await expect(page.getByRole('heading', { name: 'Semester 2', exact: true })).toBeVisible();
    await expectNoSeriousAxeFindings(page);
    const title = field(subjectCard(page, 1), 'Title');
    await title.fill('Physics');
    await expect(button(page, 'Leave it for later')).toBeHidden();
    await title.fill('');
    await button(page, 'Leave it for later').click();
    await expect(page).toHaveURL('/students');
    await expect(page.getByText('Entry has been updated successfully', { exact: true })).toBeVisible();
    const { academics } = await api.get<{ academics: unknown[] }>(`/api/students/${id}`);
    expect(academics).toHaveLength(1);

    // Nothing was stored in this visit, so nothing is said.
    for (const path of ['academics/create', 'academics/edit']) {
      await follow(page, `/students/${id}/${path}`);
      if (path === 'academics/edit') await page.getByRole('link', { name: 'Edit semester 2' }).click();
      await button(page, 'Leave it for later').click();
      await expect(page).toHaveURL(`/students/${id}`);
      await expect(page.getByText(/successfully|is admitted/)).toHaveCount(0);
    }
  });

  await test.step('a new entry can be left for later at each step, says what it lacks, and Back opens what was stored', async () => {
    const student = aStudent({ current_sem: 3 });
    const { id } = student;
    const row = page.getByRole('row').filter({ hasText: id });
    await follow(page, '/students/create');
    await fillStudentForm(page, student);
    await button(page, 'Create Entry').click();
    await expectScreen(page, 'Family Data');
    await page.goBack();
    await expect(page).toHaveURL(`/students/${id}/edit`);
    await field(page, 'First name').fill('Zainab');
    await button(page, 'Update Entry').click();
    await expect(page).toHaveURL(`/students/${id}/family/create`);

    await button(page, 'Leave it for later').click();
    await expect(page.getByText('is admitted. Family details and results can follow.')).toContainText(
      'Zainab',
    );
    await expect(page).toHaveURL('/students');
    await button(page, 'Enter the family').click();
    await expect(page).toHaveURL(`/students/${id}/family/create`);
    await page.goto(`/students?q=${id}`);
    await expect(row).toContainText('Zainab');
    await expect(row).toContainText('Incomplete');
    await row.getByRole('link').click();
    await page.getByRole('link', { name: 'Correct or delete them' }).click();
    await expect(page).toHaveURL(`/students/${id}/edit`);
    await expect(button(page, 'Delete')).toBeVisible();
    await page.goBack();
    await expectScreen(page, 'Family Data');

    await fillFamilyForm(page, aFamily(id));
    await expect(button(page, 'Leave it for later')).toBeHidden();
    await button(page, 'Create Entry').click();
    await expectScreen(page, 'Academic Data');
    await page.goBack();
    await expect(page).toHaveURL(`/students/${id}/family/edit`);
    await expect(field(page, "Father's name")).toHaveValue('Imran Siddiqui');
    await page.goForward();
    await button(page, 'Leave it for later').click();
    await expect(page.getByText('is admitted. Results can follow.')).toContainText('Zainab');
    await expect(page).toHaveURL('/students');
    await button(page, 'Open the record').click();
    await expect(page).toHaveURL(`/students/${id}`);
    await expect(page.getByText('This entry is incomplete.')).toBeVisible();
    await expectNoSeriousAxeFindings(page);
    await page.getByRole('link', { name: 'Enter the results' }).click();
    await expect(page).toHaveURL(`/students/${id}/academics/create`);
  });
});

test('base and family details are saved and closed, or saved on the way to the next step', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  const saved = page.getByText('Saved', { exact: true });
  const { id } = await api.createRecord([SUBJECTS], { current_sem: 2 });
  await test.step('an edit returns to the record and says so', async () => {
    for (const [path, label, value] of [
      ['edit', 'Phone number', '0300 1112223'],
      ['family/edit', "Father's phone", '0300 4445556'],
    ] as const) {
      await page.goto(`/students/${id}/${path}`);
      await field(page, label).fill(value);
      await button(page, 'Save and close').click();
      await expect(page).toHaveURL(`/students/${id}`);
      await expect(saved).toBeVisible();
      await expect(page.getByText(value).first()).toBeVisible();
    }
  });

  await test.step('also when the record can’t be read at once', async () => {
    expectedProblems.add('offline');
    await page.goto(`/students/${id}/edit`);
    await field(page, 'Phone number').fill('0300 7778889');
    await page.route(`**/api/students/${id}`, (route) =>
      route.request().method() === 'GET' ? route.abort('connectionrefused') : route.continue(),
    );
    await button(page, 'Save and close').click();
    await expect(page).toHaveURL(`/students/${id}`);
    await expect(button(page, 'Try again')).toBeVisible();
    await page.unroute(`**/api/students/${id}`);
    await button(page, 'Try again').click();
    await expect(page.getByText('0300 7778889').first()).toBeVisible();
  });

  await test.step('the specified way says that the details are stored', async () => {
    await page.goto(`/students/${id}/edit`);
    await button(page, 'Update Entry').click();
    await expect(page).toHaveURL(`/students/${id}/family/edit`);
    await expect(page.getByText('Details saved')).toBeVisible();
    await expectNoSeriousAxeFindings(page);
    await button(page, 'Update Entry').click();
    await expect(page).toHaveURL(`/students/${id}/academics/edit`);
    await expect(page.getByText('Details saved')).toBeVisible();
  });

  await test.step('a new entry can be closed after its base record, and after its family', async () => {
    const student = aStudent();
    await page.goto('/students/create');
    await fillStudentForm(page, student);
    await button(page, 'Save and close').click();
    await expect(page).toHaveURL('/students');
    await expect(saved).toBeVisible();
    await follow(page, `/students/${student.id}/family/create`);
    await fillFamilyForm(page, aFamily(student.id));
    await button(page, 'Save and close').click();
    await expect(page).toHaveURL(`/students/${student.id}`);
    await expect(saved).toBeVisible();
  });
});
