import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, test } from '../../support/browser/fixtures.ts';
import { field, fillSemesterForm, subjectCard } from '../../support/browser/forms.ts';
import { follow } from '../../support/browser/screens.ts';
import { aFamily, aSemester } from '../../support/records.ts';

const MINE = [{ title: 'Mechanics', credits: 3, grade: 'A' }] as const;
const THEIRS = [
  { title: 'Calculus', credits: 3, grade: 'B' },
  { title: 'Databases', credits: 4, grade: 'C' },
] as const;

test('results of a semester that another user has recorded are compared with the stored ones', async ({
  staffPage: page,
  account,
  api,
  expectedProblems,
}) => {
  await test.step('results of a semester that another user has recorded are compared with the stored ones', async () => {
    expectedProblems.add(422);
    const { id } = await api.createRecord([], { current_sem: 2 });
    await page.goto(`/students/${id}/academics/create`);
    await fillSemesterForm(page, MINE);
    await api.post('/api/students/academics', aSemester(id, 1, THEIRS));
    await page.getByRole('button', { name: 'Create Semester Entry' }).click();
    await expect(page).toHaveURL(`/students/${id}/academics/edit`);
    await expect(page.getByText('Another user has already entered semester 1.')).toBeVisible();
    const notice = page
      .getByRole('alert')
      .filter({ hasText: `${account.user.name} entered this record while you were editing (Today, ` });
    await expect(notice.getByRole('row', { name: 'Subject 1 Title Calculus Mechanics' })).toBeVisible();
    // A field left empty shows the stored value.
    await expect(field(subjectCard(page, 2), 'Title')).toHaveValue('Databases');
    await expectNoSeriousAxeFindings(page);

    await page.reload();
    await expect(notice).toBeVisible();
    await expect(field(subjectCard(page, 1), 'Title')).toHaveValue('Mechanics');
    await page.getByRole('button', { name: 'Update Semester Entry' }).click();
    await expect(page.getByRole('heading', { name: 'Semester 2', exact: true })).toBeVisible();
    await expect(notice).toBeHidden();
    expect(await api.get(`/api/students/${id}`)).toMatchObject({
      academics: [{ subject_1: 'Mechanics', subj_grade_1: 4, subject_2: 'Databases' }],
    });
  });

  await test.step('results of the last semester are compared with the stored ones as well', async () => {
    expectedProblems.add(422);
    const { id } = await api.createRecord([], { current_sem: 1 });
    await follow(page, `/students/${id}/academics/create`);
    await fillSemesterForm(page, MINE);
    await api.post('/api/students/academics', aSemester(id, 1, THEIRS));
    await page.getByRole('button', { name: 'Create Semester Entry' }).click();
    await expect(page.getByRole('row', { name: 'Subject 1 Title Calculus Mechanics' })).toBeVisible();
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    await expect(page.getByText('This form matches the stored record.')).toBeVisible();
    await expect(field(subjectCard(page, 1), 'Title')).toHaveValue('Calculus');
  });

  await test.step('a semester that another user records during an edit is compared on the same page', async () => {
    expectedProblems.add(422);
    const { id } = await api.createRecord([], { current_sem: 1 });
    await follow(page, `/students/${id}/academics/edit`);
    await fillSemesterForm(page, MINE);
    await api.post('/api/students/academics', aSemester(id, 1, THEIRS));
    const update = page.getByRole('button', { name: 'Update Semester Entry' });
    await update.click();
    await expect(
      page.getByText(`${account.user.name} changed this record while you were editing`),
    ).toBeVisible();
    await expect(page.getByRole('row', { name: 'Subject 1 Title Calculus Mechanics' })).toBeVisible();
    await update.click();
    await expect(page.getByText('Entry has been updated successfully', { exact: true })).toBeVisible();
    expect(await api.get(`/api/students/${id}`)).toMatchObject({
      academics: [{ subject_1: 'Mechanics', subject_2: 'Databases' }],
    });
  });
});

test('family details that another user has entered are compared with the entered values', async ({
  staffPage: page,
  account,
  api,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const { id } = await api.createStudent();
  await page.goto(`/students/${id}/family/create`);
  await field(page, "Father's name").fill('Mine');
  await field(page, "Father's occupation").fill('Teacher');
  await api.post(
    '/api/students/family',
    aFamily(id, { father_name: 'Theirs', father_occupation: 'Teacher' }),
  );
  await page.getByRole('button', { name: 'Create Entry' }).click();
  await expect(page).toHaveURL(`/students/${id}/family/edit`);
  await expect(page.getByText('Another user has already entered the family details.')).toBeVisible();
  await expect(
    page.getByText(`${account.user.name} entered this record while you were editing`),
  ).toBeVisible();
  await expect(page.getByRole('row', { name: "Father's name Theirs Mine" })).toBeVisible();
  await expect(field(page, 'Home phone')).toHaveValue('051-5550100');
  await expectNoSeriousAxeFindings(page);
  await page.getByRole('button', { name: "Use the stored value: Father's name" }).click();
  await expect(field(page, "Father's name")).toHaveValue('Theirs');
  await page.getByRole('button', { name: 'Update Entry' }).click();
  await expect(page).toHaveURL(`/students/${id}/academics/edit`);
});
