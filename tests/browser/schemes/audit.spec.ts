import { readFile } from 'node:fs/promises';
import { Api } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { field } from '../../support/browser/forms.ts';
import { addCourses, addScheme } from '../../support/browser/schemes.ts';
import { expectAccessible, expectScreen, follow } from '../../support/browser/screens.ts';
import { parseCsv } from '../../support/csv.ts';
import { unique } from '../../support/records.ts';

const rowOf = (page: Page, text: string) =>
  page.getByRole('table', { name: 'Rows of the scheme' }).getByRole('row').filter({ hasText: text });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

test('the audit of a student says what is missing, takes exceptions and credits from elsewhere, and is read for a class', async ({
  page,
  admin,
  server,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const api = new Api(server.url, admin.token);
  const degree = unique();
  const [maths, physics, statics, dynamics, ethics] = await addCourses(api, [
    'Calculus',
    'Physics',
    'Statics',
    'Dynamics',
    'Ethics',
  ]);
  if (!maths || !physics || !statics || !dynamics || !ethics) throw new Error('A course is missing.');
  const taken = ({ course_id, course_name }: typeof maths, grade: 'A' | 'B' | 'F') =>
    ({ title: course_name, courseId: course_id, credits: 3, grade }) as const;
  const { id } = await api.createRecord([[taken(maths, 'A'), taken(physics, 'F'), taken(ethics, 'B')]], {
    department: 'EE',
    degree,
    last_name: 'Aslam',
  });
  const other = await api.createRecord([[taken(maths, 'B'), taken(physics, 'B')], [taken(ethics, 'A')]], {
    department: 'EE',
    degree,
    last_name: 'Bhatti',
  });
  const scheme = await addScheme(api, { department: 'EE', degrees: [degree] }, [
    { options: [maths.course_id] },
    { semester: 2, options: [physics.course_id] },
    { semester: 3, options: [statics.course_id], needs: [{ course_id: physics.course_id, kind: 'before' }] },
    { semester: 4, options: [dynamics.course_id], needs: [{ course_id: statics.course_id, kind: 'beside' }] },
  ]);
  await signIn(page, admin);

  await test.step('says by row what is passed, failed and open, and what it needs', async () => {
    await page.goto(`/students/${id}`);
    await page
      .getByRole('navigation', { name: 'Student' })
      .getByRole('link', { name: 'Scheme' })
      .press('Enter');
    await expectScreen(page, 'Scheme of a student');
    await expect(page.getByRole('status').filter({ hasText: 'lacking' })).toContainText(
      'Not complete: 3 of 4 rows are lacking. 1 is failed, 2 are open.',
    );
    // All of semester 1 is passed, so it is folded.
    await expect(rowOf(page, maths.course_name)).toHaveCount(0);
    await button(page, /^Semester 1 1 passed/).press('Enter');
    await expect(rowOf(page, maths.course_name)).toContainText('A in semester 1');
    await expect(rowOf(page, physics.course_name).first()).toContainText('Failed');
    await expect(rowOf(page, statics.course_name)).toContainText(
      `${physics.course_code} has to be passed before`,
    );
    await expect(rowOf(page, dynamics.course_name)).toContainText(
      `${statics.course_code} has to be passed before or taken in the same term`,
    );
    await expect(page.getByRole('region', { name: 'Passed courses that fill no row' })).toContainText(
      ethics.course_name,
    );
    await expectAccessible(page);
    await page
      .getByRole('group', { name: 'Rows by state' })
      .getByRole('button', { name: 'Failed 1' })
      .press('Enter');
    await expect(rowOf(page, statics.course_name)).toHaveCount(0);
    await page
      .getByRole('group', { name: 'Rows by state' })
      .getByRole('button', { name: /^All rows/ })
      .click();
  });

  await test.step('waives a row and substitutes another, each with a reason, and takes one back', async () => {
    await button(page, `Change ${statics.course_code}`).press('Enter');
    await page.getByRole('menuitem', { name: 'Waive…' }).press('Enter');
    await expect(page.getByText('After it: 2 of 4 rows lacking.')).toBeVisible();
    await field(page, 'Reason').fill('short');
    await page.keyboard.press('Control+Enter');
    await expect(page.getByText('The reason must be at least 10 characters.')).toBeVisible();
    await expectNoSeriousAxeFindings(page);
    await field(page, 'Reason').fill('Holds a diploma in mechanics.');
    await button(page, 'Waive the row').click();
    await expect(rowOf(page, statics.course_name)).toContainText('Holds a diploma in mechanics.');
    await button(page, `Change ${dynamics.course_code}`).press('Enter');
    await page.getByRole('menuitem', { name: 'Substitute…' }).press('Enter');
    await field(page, 'Course that counts').fill(ethics.course_code);
    await expect(page.getByText('Passed with B in semester 1. It fills no row now.')).toBeVisible();
    await expect(page.getByText('After it: 1 of 4 rows lacking.')).toBeVisible();
    await field(page, 'Reason').fill('Decided by the board of studies.');
    await button(page, 'Substitute').click();
    await expect(rowOf(page, dynamics.course_name)).toContainText('Substituted');
    await button(page, `Change ${statics.course_code}`).press('Enter');
    await page.getByRole('menuitem', { name: 'Take back the waiver…' }).press('Enter');
    await field(page, 'Reason').fill('Entered for another student.');
    await button(page, 'Take back the waiver').click();
    await expect(rowOf(page, statics.course_name)).toContainText('Open');
  });

  await test.step('takes credits from elsewhere for a row, which are changed and deleted', async () => {
    const elsewhere = page.getByRole('region', { name: 'Credits from elsewhere' });
    await elsewhere.getByRole('button', { name: 'Add credits' }).press('Enter');
    await field(page, 'Course').fill('Engineering Statics');
    await field(page, 'Institution').fill('UET Taxila');
    await field(page, 'Credit hours').fill('41');
    await field(page, 'Grade').fill('B');
    await field(page, 'Fills the row').selectOption(`${statics.course_code}, ${statics.course_name}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Add credits' }).click();
    await expect(page.getByText('must be a whole number from 1 to 40')).toBeVisible();
    await field(page, 'Credit hours').fill('3');
    await expectNoSeriousAxeFindings(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Add credits' }).click();
    await expect(rowOf(page, statics.course_name)).toContainText(
      'from elsewhere: Engineering Statics, UET Taxila',
    );
    await expect(page.getByText('3 from elsewhere')).toBeVisible();
    await button(page, 'Change Engineering Statics').press('Enter');
    await field(page, 'Grade').fill('A-');
    await button(page, 'Save').click();
    await expect(elsewhere.getByRole('row').filter({ hasText: 'UET Taxila' })).toContainText('A-');
    await expectAccessible(page);
    await button(page, 'Delete Engineering Statics').press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
    await expect(elsewhere.getByText('None have been entered.')).toBeVisible();
  });

  await test.step('shows how it would be in another class', async () => {
    await page.getByText('How it would be in another class').click();
    await field(page, 'Department').selectOption('Mechanical Engineering');
    await field(page, 'Batch').fill(degree);
    await page.keyboard.press('Enter');
    await expect(page.getByText(`As it would be in ME-${degree}. Nothing is changed.`)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'No scheme is in force for this class.' })).toBeVisible();
    await button(page, 'Back to the own class').click();
    await expect(button(page, /^Semester 4 1 substituted/)).toBeVisible();
  });

  await test.step('is a report of the class, by student and by row, also as a file', async () => {
    await page.addInitScript(() => Object.defineProperty(window, 'showSaveFilePicker', { value: undefined }));
    await page.goto(`/reports?department=EE&degree=${degree}`);
    await button(page, 'Audit').press('Enter');
    const report = page.getByRole('region', { name: `Audit of EE-${degree}` });
    await expect(report.getByRole('row').filter({ hasText: 'Aslam' })).toContainText(physics.course_code);
    await expect(report.getByText('0 of 2 students complete')).toBeVisible();
    await expectAccessible(page);
    await report.getByRole('button', { name: /^Complete/ }).press('Enter');
    await expect(report.getByText('No student of the class is in this group.')).toBeVisible();
    await button(page, 'By row').press('Enter');
    await expect(report.getByRole('row').filter({ hasText: maths.course_name })).toContainText('2000');
    await expect(page).toHaveURL(/report=audit.*view=rows/);
    await expectNoSeriousAxeFindings(page);
    await page
      .getByRole('link', { name: `${physics.course_name}: 1 failed` })
      .first()
      .press('Enter');
    await expect(report.getByRole('heading', { name: /: failed$/ })).toContainText(physics.course_name);
    await expect(report.getByRole('row').filter({ hasText: 'Aslam' })).toBeVisible();
    await expect(report.getByRole('row').filter({ hasText: 'Bhatti' })).toHaveCount(0);
    await expectNoSeriousAxeFindings(page);
    const downloading = page.waitForEvent('download');
    await button(page, 'Save CSV').press('Enter');
    const [, ...lines] = parseCsv(await readFile(await (await downloading).path(), 'utf8'));
    expect(lines).toHaveLength(2);
    await report.getByRole('link', { name: 'their scheme' }).click();
    await expect(page.getByRole('heading', { name: scheme.name, exact: true })).toBeVisible();
  });

  await test.step('counts equivalent courses as one, after a preview of changed figures, until they are parted', async () => {
    await follow(page, '/settings/schemes/equivalents');
    await expectScreen(page, 'Equivalents');
    await button(page, 'New pair').press('Enter');
    await field(page, 'Course').fill(physics.course_code);
    await field(page, 'Counts as').fill('nothing known');
    await button(page, 'Preview the effect').click();
    await expect(page.getByText('Type the code of a course of the catalogue.')).toBeVisible();
    await field(page, 'Counts as').fill(ethics.course_code);
    await field(page, 'Batches').fill(degree);
    await button(page, 'Preview the effect').click();
    const effect = page.getByRole('dialog').getByRole('region', { name: 'Effect' });
    await expect(effect).toContainText('1 of 2 students would have another CGPA');
    await expect(effect.getByRole('row').filter({ hasText: other.id })).toBeVisible();
    await expectNoSeriousAxeFindings(page);
    await button(page, 'Add the pair').click();
    const pair = page.getByRole('row').filter({ hasText: physics.course_code });
    await expect(pair).toContainText(ethics.course_code);
    await expectAccessible(page);
    await follow(page, `/students/${other.id}/scheme`);
    // What was one more course is an attempt of the same one.
    await expect(page.getByText('Not complete: 2 of 4 rows are lacking.')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Passed courses that fill no row' })).toHaveCount(0);
    await follow(page, '/settings/schemes/equivalents');
    await pair.getByRole('button').press('Enter');
    await expect(page.getByRole('dialog')).toContainText('1 of 2 students would have another CGPA');
    await button(page, 'Remove the pair').click();
    await expect(pair).toHaveCount(0);
  });
});
