import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { addCourse, courseCard, flash } from '../../support/browser/courses.ts';
import { expect, test } from '../../support/browser/fixtures.ts';
import { expectNoSidewaysScrolling, follow } from '../../support/browser/screens.ts';
import { unique } from '../../support/records.ts';

// Covers 2.157, 2.159, 3.32, 7.37
test('courses are found and shown with their marks, and do not scroll sideways at 320 pixels', async ({
  staffPage: page,
  api,
}) => {
  await test.step('a course is found by code, ID and name and shows its marks as a histogram, as statistics and as a table, or that it has none', async () => {
    const course = await addCourse(api, '15, 55, 55.5, 100', {
      course_description: 'Processes\nand threads.',
      course_name: `Théorie ${unique()}`,
    });
    const empty = await addCourse(api);
    await page.goto(`/courses/${course.course_id}`);
    await expect(page.getByRole('heading', { name: course.course_name })).toBeVisible();
    await expect(page.getByRole('definition')).toHaveText(['56.4', '30.1', '4', '10-20 to 90+']);
    await expect(
      page.getByRole('img', { name: new RegExp(`^${course.course_name} marks histogram: .*50-60 2`) }),
    ).toBeVisible();
    await expect(page.getByRole('row', { name: '50-60 2 50%' })).toBeVisible();
    await expect(page.getByText('and threads.')).toBeVisible();
    await expectNoSeriousAxeFindings(page);

    await page.getByRole('main').getByRole('link', { name: 'Courses' }).click();
    await expect(page).toHaveURL('/courses');
    const search = page.getByRole('searchbox', { name: 'Search courses' });
    for (const query of [course.course_code.toLowerCase(), String(course.course_id), 'theorie']) {
      await search.fill(query);
      await expect(courseCard(page, course)).toBeVisible();
      await expect(page.getByText(/^1 of /).or(page.getByText(/^\d+ of /))).toBeVisible();
    }
    // The search is kept in the address: by Back from a course, and by a reload.
    await courseCard(page, course).getByRole('link').click();
    await expect(page.getByRole('heading', { name: course.course_name })).toBeVisible();
    await page.goBack();
    await expect(search).toHaveValue('theorie');
    await expect(page).toHaveURL('/courses?q=theorie');
    await search.fill('no such course');
    await expect(page.getByText('No course matches the search')).toBeVisible();
    await search.press('Escape');
    await expect(search).toHaveValue('');

    await follow(page, `/courses/${empty.course_id}`);
    await expect(page.getByRole('heading', { name: empty.course_name })).toBeVisible();
    await expect(page.getByText('Course data not available.')).toBeVisible();
    await expect(page.getByText('Not defined yet.')).toBeVisible();

    await page.goto('/courses/987654321987');
    await expect(page).toHaveURL('/courses/create');
    await expect(flash(page, 'There is no course with this ID.')).toBeVisible();
  });

  await test.step('the course pages do not scroll sideways at 320 pixels', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    const course = await addCourse(api, '50, 60', {
      course_name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
      course_code: 'C'.repeat(80),
    });
    const id = course.course_id;
    await follow(page, '/');
    for (const path of ['/courses', `/courses/${id}`, `/courses/${id}/edit`, '/courses/create']) {
      await follow(page, path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('img').or(page.getByLabel('Description')).first()).toBeVisible();
      await expectNoSidewaysScrolling(page);
    }
  });
});
