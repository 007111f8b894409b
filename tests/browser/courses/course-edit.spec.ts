import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { addCourse, courseCard, flash, marksField } from '../../support/browser/courses.ts';
import { expect, test } from '../../support/browser/fixtures.ts';
import { field } from '../../support/browser/forms.ts';
import { expectScreen, follow } from '../../support/browser/screens.ts';

// Covers 4.43, 4.44, 7.42, 8.13
test('a course is edited; new marks replace the old ones or are added to them, once', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  await test.step('a course is edited; new marks replace the old ones or are added to them', async () => {
    const course = await addCourse(api, '50, 60', { course_description: 'Old' });
    const open = () => page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.goto(`/courses/${course.course_id}`);
    await open();
    await expect(
      page.getByRole('heading', { name: `Edit Course with ID: ${course.course_id}` }),
    ).toBeVisible();
    await expect(field(page, 'Course ID')).toHaveValue(String(course.course_id));
    await expect(field(page, 'Description')).toHaveValue('Old');
    await field(page, 'Course name').fill('Advanced Operating Systems');
    await page.reload();
    await expect(field(page, 'Course name')).toHaveValue('Advanced Operating Systems');
    await marksField(page).fill('90');
    await page.getByRole('radio', { name: 'Add to the 2 marks there are' }).check();
    await expectNoSeriousAxeFindings(page);
    await page.getByRole('button', { name: 'Update Entry' }).click();

    await expect(page).toHaveURL(`/courses/${course.course_id}`);
    await expect(flash(page, 'Course details updated successfully')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Advanced Operating Systems' })).toBeVisible();
    await expect(page.getByRole('definition').nth(2)).toHaveText('3');

    await open();
    await expectScreen(page, 'Edit Course');
    await marksField(page).fill('10;20,5');
    await page.getByRole('button', { name: 'Update Entry' }).click();
    await expect(page).toHaveURL(`/courses/${course.course_id}`);
    await expect(page.getByRole('definition').nth(2)).toHaveText('2');
    await expect(page.getByRole('definition').first()).toHaveText('15.3');
  });

  await test.step('marks are not added twice when the response was lost', async () => {
    expectedProblems.add('offline');
    const course = await addCourse(api, '50, 60');
    await follow(page, `/courses/${course.course_id}/edit`);
    await marksField(page).fill('90');
    await page.getByRole('radio', { name: 'Add to the 2 marks there are' }).check();
    await page.route(
      '**/api/courses-marks',
      async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Update Entry' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'What you typed is kept' })).toBeVisible();
    await page.getByRole('button', { name: 'Update Entry' }).click();
    await expect(page).toHaveURL(`/courses/${course.course_id}`);
    await expect(page.getByRole('definition').nth(2)).toHaveText('3');
  });
});

// Covers 2.28, 2.161, 3.49, 4.46, 4.47, 4.48, 7.43
test('changes of another user are shown before an edit or a deletion, which asks first', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  await test.step('an edit does not silently overwrite the changes of another user', async () => {
    expectedProblems.add(412);
    const course = await addCourse(api);
    await page.goto(`/courses/${course.course_id}/edit`);
    await field(page, 'Course name').fill('Mine');
    await api.send('PUT', `/api/courses/${course.course_id}`, { ...course, course_name: 'Theirs' });
    await page.getByRole('button', { name: 'Update Entry' }).click();
    const row = page.getByRole('row', { name: 'Course name Theirs Mine' });
    await expect(row).toBeVisible();
    expect(await api.get(`/api/courses/${course.course_id}`)).toMatchObject({
      course: { course_name: 'Theirs' },
    });

    await page.getByRole('button', { name: 'Update Entry' }).click();
    await expect(page.getByRole('heading', { name: 'Mine' })).toBeVisible();
  });

  await test.step('marks that another user has uploaded meanwhile are not replaced unseen', async () => {
    expectedProblems.add(412);
    const { course_id } = await addCourse(api);
    await follow(page, `/courses/${course_id}/edit`);
    await marksField(page).fill('10, 20');
    await api.post('/api/courses-marks', { course_id, marks: '91, 92, 93' });
    await page.getByRole('button', { name: 'Update Entry' }).click();
    await expect(page.getByRole('alert')).toContainText('Saving again replaces the 3 marks now stored');
    await page.getByRole('radio', { name: 'Add to the 3 marks there are' }).check();
    await expect(page.getByRole('alert')).toContainText('This form matches the stored record.');
    await page.getByRole('button', { name: 'Update Entry' }).click();
    await expect(page.getByRole('definition').nth(2)).toHaveText('5');
  });

  await test.step('a course that another user has changed is not deleted without showing the change', async () => {
    expectedProblems.add(412);
    const course = await addCourse(api);
    await follow(page, `/courses/${course.course_id}/edit`);
    await expect(field(page, 'Course name')).toHaveValue(course.course_name);
    await api.send('PUT', `/api/courses/${course.course_id}`, {
      ...course,
      course_name: 'Renamed by another user',
    });

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
    await expect(flash(page, 'Another user changed this record while you were editing.')).toBeVisible();
    await expect(field(page, 'Course name')).toHaveValue('Renamed by another user');

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
    await expect(flash(page, 'The course has been deleted from the database.')).toBeVisible();
  });

  await test.step('a course is deleted only after Yes is chosen', async () => {
    const course = await addCourse(api, '50');
    await follow(page, `/courses/${course.course_id}/edit`);
    const dialog = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this entry?' });
    const name = `${course.course_code} ${course.course_name}`;
    await expect(page.getByRole('paragraph').filter({ hasText: name })).toBeVisible();
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect(dialog).toHaveAccessibleDescription(name);
    await dialog.getByRole('button', { name: 'No' }).click();
    await expect(dialog).toBeHidden();

    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Yes' }).click();
    await expect(page).toHaveURL('/courses');
    await expect(flash(page, 'The course has been deleted from the database.')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Courses', exact: true })).toBeVisible();
    await expect(courseCard(page, course)).toHaveCount(0);
  });
});
