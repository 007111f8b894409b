import { ageOn, calendarDate } from '../../../../src/domain/age.ts';
import { expect, test } from '../../../support/browser/fixtures.ts';
import { follow } from '../../../support/browser/screens.ts';
import { aFamily } from '../../../support/records.ts';

// Covers 2.116, 2.118, 2.119, 2.120, 2.121, 2.125, 2.126, 2.127, 3.4, 3.10, 3.12, 3.13, 3.23, 2.122, 2.123
// Covers 2.124, 7.41, 8.9
test('the record has its sections and all field titles, and an overlay for each semester with its subjects and their histograms', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  await test.step('the record has its sections and all field titles, shows line breaks, and a text in place of missing values', async () => {
    const student = await api.createRecord([[{ title: 'Calculus', credits: 3, grade: 'A' }]], {
      current_sem: 2,
      phone_number: null,
      gender: null,
    });
    await page.goto(`/students/${student.id}`);
    await expect(page.getByRole('heading', { level: 2 })).toHaveText([
      'Basic Information',
      'Education History',
      'GPA Standing',
      'Family Details',
      'Contact Details',
    ]);
    await expect(page.getByRole('term')).toHaveText([
      'CMS ID',
      'Name',
      'Gender',
      'Date of birth',
      'Phone number',
      'Joining date',
      'Department',
      'Degree',
      'Syndicate',
      'Reasons/Comments',
      "Father's name",
      "Father's occupation",
      "Mother's name",
      "Mother's occupation",
      'Number of siblings',
      "Father's phone",
      "Mother's phone",
      'Home phone',
      'Address',
    ]);
    const age = ageOn(calendarDate(new Date()), student.dob);
    await expect(page.getByRole('definition').nth(3)).toContainText(`(${age} years)`);
    await expect(page.getByText('Not defined yet.', { exact: true })).toHaveCount(3);
    await expect(page.getByRole('row', { name: /^HSSC\/FSC 935 \/1100/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /^SSC\/Matric 987\.5 \/1100/ })).toBeVisible();

    const standing = page.getByRole('region', { name: 'GPA Standing' });
    await expect(standing.getByRole('listitem')).toHaveCount(8);
    const boxes = await Promise.all(
      (await standing.getByRole('listitem').all()).map((item) => item.boundingBox()),
    );
    const columns = boxes.map((box) => Math.round(box?.x ?? 0));
    expect(new Set(columns.slice(0, 4)).size).toBe(1);
    expect(new Set(columns.slice(4)).size).toBe(1);
    expect(columns[4]).toBeGreaterThan(columns[0] ?? 0);
    await expect(standing.getByText('--', { exact: true })).toHaveCount(7);
    await expect(standing).toContainText('4.00CGPA');

    const { id } = await api.createStudent({ reason: 'On leave.\nBack in spring.' });
    await api.post('/api/students/family', aFamily(id, { address: 'House 12\nStreet 4\nRawalpindi' }));
    await follow(page, `/students/${id}`);
    // `innerText` has the line breaks as rendered, while text matchers of locators normalize white space.
    const renderedText = (text: string) => page.getByRole('definition').filter({ hasText: text }).innerText();
    await expect(page.getByText('On leave.')).toBeVisible();
    expect(await renderedText('On leave.')).toBe('On leave.\nBack in spring.');
    expect(await renderedText('House 12')).toBe('House 12\nStreet 4\nRawalpindi');

    await page.getByRole('main').getByRole('link', { name: 'Students' }).click();
    await expect(page).toHaveURL('/students');
  });

  await test.step('a semester with results opens an overlay with its subjects and their histograms, from which it is edited', async () => {
    expectedProblems.add(404);
    const { id } = await api.createRecord(SEMESTERS, { current_sem: 3 });
    await follow(page, `/students/${id}`);
    const open = page.getByRole('button', { name: /^Semester 1 SGPA 3\.14/ });
    const overlay = page.getByRole('dialog', { name: 'Semester 1 Ayesha Siddiqui', exact: true });

    await test.step('a semester without results can’t be opened', async () => {
      const standing = page.getByRole('region', { name: 'GPA Standing' });
      await expect(standing.getByRole('button', { name: /^Semester/ })).toHaveCount(2);
      await standing.getByText('Semester 3', { exact: true }).click();
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });

    await test.step('Escape and its X close the overlay', async () => {
      await open.click();
      await expect(overlay.getByRole('row')).toHaveText([
        'CodeTitleCreditsGrade',
        'Calculus3A',
        'Applied Physics4C+',
      ]);
      await expect(overlay.getByRole('heading', { name: 'Calculus' })).toBeVisible();
      await expect(overlay.getByRole('heading', { name: 'Applied Physics' })).toBeVisible();
      await expect(overlay.getByText('4 credit hours')).toBeVisible();
      await expect(overlay.getByText('Grade C+')).toBeVisible();
      await expect(overlay.getByText('Course data not available.').first()).toBeVisible();

      await page.keyboard.press('Escape');
      await expect(overlay).toBeHidden();
      await expect(open).toBeFocused();
      await open.click();
      await overlay.getByRole('button', { name: 'Close' }).click();
      await expect(overlay).toBeHidden();
    });

    await test.step('it moves to the next and the previous semester', async () => {
      await open.click();
      await page.getByRole('button', { name: 'Next semester' }).click();
      const next = page.getByRole('dialog', { name: /^Semester 2/ });
      await expect(next.getByRole('heading', { name: 'Databases' })).toBeVisible();
      await page.keyboard.press('ArrowLeft');
      await expect(overlay.getByRole('heading', { name: 'Calculus' })).toBeVisible();
    });

    await test.step('each subject has its own histogram, or a message when that fails to load', async () => {
      const [drawn, broken] = [await api.createCourse(), await api.createCourse()];
      const student = await api.createRecord([], { current_sem: 1 });
      await api.post('/api/students/academics', {
        student_id: student.id,
        semester: 1,
        subject_1: 'Drawn',
        subject_1_id: drawn.course_id,
        subject_2: 'Broken',
        subject_2_id: broken.course_id,
      });
      await page.route(`**/api/courses/histogram/${broken.course_id}`, (route) =>
        route.fulfill({ status: 404, json: { message: 'Gone.' } }),
      );
      await follow(page, `/students/${student.id}`);
      const requested = page.waitForRequest(`**/api/courses/histogram/${drawn.course_id}`);
      await page.getByRole('button', { name: /^Semester 1 / }).click();
      await requested;
      const subjects = page.getByRole('dialog').getByRole('article');
      await expect(subjects).toHaveCount(2);
      await expect(
        subjects.first().getByRole('img', { name: /^Drawn marks histogram: .*30-40 1, .*90\+ 1$/ }),
      ).toBeVisible();
      await expect(subjects.nth(1).getByText('Course data not available.', { exact: true })).toBeVisible();
    });

    await test.step('a semester is edited from its overlay, without editing the ones before it', async () => {
      const student = await api.createRecord([[], [], [{ title: 'Databases', credits: 3, grade: 'F' }]]);
      await follow(page, `/students/${student.id}`);
      await page.getByRole('button', { name: /^Semester 3 .*SGPA/ }).click();
      await page.getByRole('link', { name: 'Edit Semester 3' }).click();
      await expect(page.getByRole('heading', { name: 'Semester 3' })).toBeVisible();
      await page.getByLabel('Grade').first().fill('A');
      await page.getByRole('button', { name: 'Update Semester Entry' }).click();
      await expect(page.getByText('Entry has been updated successfully')).toBeVisible();
      await follow(page, `/students/${student.id}`);
      await expect(page.getByRole('button', { name: /^Semester 3 SGPA 4\.00/ })).toBeVisible();
    });
  });
});

const SEMESTERS = [
  [
    { title: 'Calculus', credits: 3, grade: 'A' },
    { title: 'Applied Physics', credits: 4, grade: 'C+' },
  ],
  [{ title: 'Databases', credits: 3, grade: 'F' }],
] as const;
