import type { StudentInput } from '../../../../src/contract/students/students.ts';
import type { Api } from '../../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../../support/browser/accessibility.ts';
import { expect, type Page, test } from '../../../support/browser/fixtures.ts';
import { field, subjectCard } from '../../../support/browser/forms.ts';
import { expectScreen, follow } from '../../../support/browser/screens.ts';
import { aCourse, aFamily, aSemester } from '../../../support/records.ts';

const save = (page: Page) => page.getByRole('button', { name: 'Update Entry' }).click();
const notice = (page: Page) => page.getByRole('alert').filter({ hasText: /while you were editing \(/ });
const takeButton = (page: Page, label: string) =>
  page.getByRole('button', { name: `Use the stored value: ${label}`, exact: true });

const getBase = async (api: Api, id: string) =>
  (await api.get<{ student: StudentInput }>(`/api/students/${id}/base`)).student;

test('changes of a record by another user are shown before they are overwritten, and taken over field by field', async ({
  staffPage: page,
  account,
  api,
  expectedProblems,
}) => {
  await test.step('changes of a student by another user are shown before they are overwritten, and taken over field by field', async () => {
    expectedProblems.add(412);
    const { name } = account.user;
    const subjects = [
      { title: 'Calculus', credits: 3, grade: 'A' },
      { title: 'Physics', credits: 3, grade: 'C' },
    ] as const;
    const student = await api.createRecord([subjects]);
    const { id } = student;
    await page.goto(`/students/${id}/edit`);

    await test.step('a change is shown again after a reload', async () => {
      await field(page, 'Last name').fill('Mine');
      await field(page, 'Phone number').fill('0300-5550199');
      await api.send('PUT', `/api/students/${id}`, { ...student, last_name: 'Theirs', fsc_div: 2 });
      await save(page);
      await expect(notice(page)).toContainText(`${name} changed this record while you were editing (Today, `);
      await expect(notice(page)).toContainText(`Also changed by ${name}: FSC division.`);
      await expect(notice(page)).toBeFocused();
      await expect(page.getByRole('alert')).toHaveCount(1);
      await expect(page.getByRole('row', { name: 'Last name Theirs Mine' })).toBeVisible();
      await expect(page.getByRole('row', { name: 'Phone number' })).toHaveCount(0);
      await expectNoSeriousAxeFindings(page);

      await page.reload();
      await expect(field(page, 'Last name')).toHaveValue('Mine');
      await save(page);
      await expect(page.getByRole('row', { name: 'Last name Theirs Mine' })).toBeVisible();
      await expect(page.getByRole('row', { name: 'Phone number' })).toHaveCount(0);
      expect(await getBase(api, id)).toMatchObject({ last_name: 'Theirs' });

      await save(page);
      await expect(page).toHaveURL(`/students/${id}/family/edit`);
      await expectScreen(page, 'Edit Family');
      expect(await getBase(api, id)).toMatchObject({
        last_name: 'Mine',
        phone_number: '0300-5550199',
        fsc_div: 2,
      });
    });

    await test.step('fields that only the other user edited are kept; conflicts are resolved field by field', async () => {
      await follow(page, `/students/${id}/edit`);
      await field(page, 'First name').fill('My first name');
      await field(page, 'Last name').fill('My last name');
      const theirs = { first_name: 'Their first name', last_name: 'Their last name', degree: '45' };
      await api.send('PUT', `/api/students/${id}`, { ...student, ...theirs });
      await save(page);
      await expect(notice(page)).toContainText(`Also changed by ${name}:`);
      await expect(notice(page)).toContainText('Degree');
      await expect(field(page, 'Degree')).toHaveValue('45');
      await takeButton(page, 'First name').click();
      await expect(notice(page)).toBeFocused();
      await expect(field(page, 'First name')).toHaveValue('Their first name');
      await expect(takeButton(page, 'First name')).toBeHidden();
      await expect(field(page, 'Last name')).toHaveValue('My last name');

      await save(page);
      await expect(page).toHaveURL(`/students/${id}/family/edit`);
      await expectScreen(page, 'Edit Family');
      expect(await getBase(api, id)).toMatchObject({ ...theirs, last_name: 'My last name' });
    });

    await test.step('all stored values are taken over with one button', async () => {
      await field(page, "Father's name").fill('Mine');
      await field(page, 'Home phone').fill('051-1111111');
      await api.send('PUT', `/api/students/${id}/family`, aFamily(id, { father_name: 'Theirs' }));
      await save(page);
      await expect(page.getByRole('row', { name: 'Home phone' })).toHaveCount(0);
      await page.getByRole('button', { name: 'Discard my changes and use all stored values' }).click();
      await expect(field(page, "Father's name")).toHaveValue('Theirs');
      await expect(field(page, 'Home phone')).toHaveValue('051-5550100');
      await expect(notice(page)).toContainText('This form matches the stored record.');
    });

    await test.step('a subject is taken over as a whole or not at all', async () => {
      await follow(page, `/students/${id}/academics/edit`);
      await field(subjectCard(page, 1), 'Grade').fill('B');
      const { academics } = await api.get<{ academics: { academic_id: number }[] }>(`/api/students/${id}`);
      const theirs = [
        { title: 'Algebra', credits: 3, grade: 'A' },
        { title: 'Optics', credits: 3, grade: 'C' },
      ] as const;
      const path = `/api/students/academics/${academics[0]?.academic_id}`;
      await api.send('PUT', path, aSemester(id, 1, theirs));
      await page.getByRole('button', { name: 'Update Semester Entry' }).click();
      await expect(page.getByRole('row', { name: 'Subject 1 Title Algebra Calculus' })).toBeVisible();
      await expect(page.getByRole('row', { name: 'Subject 1 Grade A B' })).toBeVisible();
      await expect(field(subjectCard(page, 2), 'Title')).toHaveValue('Optics');
    });
  });

  await test.step('saved course details are not compared again when only the marks are refused', async () => {
    expectedProblems.add(412).add(422);
    const course = aCourse();
    const path = `/api/courses/${course.course_id}`;
    await api.post('/api/courses', course);
    await follow(page, `/courses/${course.course_id}/edit`);
    await field(page, 'Course name').fill('Mine');
    await field(page, 'Course marks (CSV)').fill('101');
    await api.send('PUT', path, { ...course, course_name: 'Theirs' });
    await save(page);
    await expect(page.getByRole('row', { name: 'Course name Theirs Mine' })).toBeVisible();
    await save(page);
    await expect(page.getByRole('link', { name: 'Course marks (CSV)' })).toBeVisible();
    await expect(notice(page)).toBeHidden();

    // The form now has the version of its own save, so the next change by another user is noticed.
    await api.send('PUT', path, { ...course, course_name: 'Theirs again' });
    await field(page, 'Course marks (CSV)').fill('90');
    await save(page);
    await expect(field(page, 'Course name')).toHaveValue('Theirs again');
    await save(page);
    await expect(page.getByRole('heading', { name: 'Theirs again' })).toBeVisible();
    expect(await api.get(path)).toMatchObject({ course: { course_name: 'Theirs again', marks_count: 1 } });
  });
});

test('an account form does not overwrite changes made since it was opened', async ({
  staffPage: page,
  account: { user, password },
  api,
  expectedProblems,
}) => {
  expectedProblems.add(412);
  const path = `/api/users/${user.id}`;
  const update = async () => {
    await page.getByLabel(/^Current Password\*?$/).fill(password);
    await page.getByRole('button', { name: 'Update Details' }).click();
  };
  await page.goto('/list-users#edit');
  // Nothing can be typed while the overlay for loading them is open.
  await expect(page.getByRole('table', { name: 'Users' })).toBeVisible();
  await field(page, 'Name').fill('Mine');
  const email = `new.${user.email}`;
  await api.send('PUT', path, { ...user, name: 'Theirs', email, password });
  await update();
  await expect(page.getByRole('row', { name: 'Name Theirs Mine' })).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: password })).toBeHidden();
  await expect(field(page, 'Email')).toHaveValue(email);

  await page.reload();
  await expect(page.getByRole('button', { name: 'Discard the draft' })).toBeVisible();
  await expect(field(page, 'Name')).toHaveValue('Mine');
  await update();
  await expect(page.getByRole('row', { name: 'Name Theirs Mine' })).toBeVisible();
  expect(await api.get(path)).toMatchObject({ name: 'Theirs', email });

  await update();
  await expect(page.getByText('User details updated successfully')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Discard the draft' })).toBeHidden();
  expect(await api.get(path)).toMatchObject({ name: 'Mine', email });
  // The form starts again with the version of this save.
  await field(page, 'Name').fill('Mine again');
  await update();
  await expect(page.getByRole('banner').getByText('Mine again')).toBeVisible();
});
