import { Api } from '../../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../../support/browser/accessibility.ts';
import { expect, type Page, signIn, test } from '../../../support/browser/fixtures.ts';
import { field } from '../../../support/browser/forms.ts';
import { expectNoSidewaysScrolling, follow } from '../../../support/browser/screens.ts';
import { unique } from '../../../support/records.ts';

const GRADES = ['A', 'B+', 'B', 'C+', 'A', 'B'];
const SUBJECTS = ['Calculus', 'Statics', 'Physics', 'English', 'Drawing', 'Chemistry'];

/** Presses keys as a person does, and counts them. */
function countedKeys(page: Page) {
  let count = 0;
  return {
    press: async (...keys: string[]) => {
      for (const key of keys) {
        await page.keyboard.press(key);
        count += 1;
      }
    },
    total: () => count,
  };
}

test('a class is done one student after the other, with the list as it was and what the last one had', async ({
  page,
  server: { url },
  admin,
}) => {
  const api = new Api(url, admin.token);
  const degree = unique();
  const make = async (first_name: string) =>
    (await api.createRecord([], { first_name, degree, syn: 'A' })).id;
  const [first, second] = [await make('Ada'), await make('Bano')];
  await make('Cyra');
  const course = await api.createCourse();
  await signIn(page, admin);
  const list = `/students?degree=${degree}&sort=name`;
  await page.goto(list);
  await page.getByRole('link', { name: 'Ada Siddiqui' }).click();
  const next = page.getByRole('link', { name: /^Next: / });

  await test.step('F9 and Shift F9 go to the next and the previous student, on each tab and in the form', async () => {
    await expect(next).toHaveText(/^Next: Bano Siddiqui/);
    await expect(page.getByRole('link', { name: 'Previous' })).toHaveCount(0);
    // The neighbours are known from the list, before the record is read.
    await expect(page.getByRole('navigation', { name: 'Student', exact: true })).toBeVisible();
    await page.keyboard.press('6');
    await expect(page).toHaveURL(`/students/${first}/history`);
    await page.keyboard.press('F9');
    await expect(page).toHaveURL(`/students/${second}/history`);
    await expect(page.getByRole('heading', { level: 1, name: 'Bano Siddiqui' })).toBeVisible();
    await page.keyboard.press('e');
    await expect(field(page, 'First name')).toBeFocused();
    await page.keyboard.press('Shift+F9');
    await expect(page).toHaveURL(`/students/${first}/edit`);
    await expect(field(page, 'First name')).toHaveValue('Ada');
    await page.setViewportSize({ width: 320, height: 640 });
    await expectNoSidewaysScrolling(page);
    await expectNoSeriousAxeFindings(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('a code stands for the ID of a course, and Enter takes the only course that matches', async () => {
    await follow(page, `/students/${first}/academics/edit?semester=1`);
    const id = field(page, 'Subject ID').first();
    await id.fill(course.course_code.toLowerCase());
    await id.press('Enter');
    await expect(id).toHaveValue(String(course.course_id));
    await expect(field(page, 'Title').first()).toHaveValue(course.course_name);
    const title = field(page, 'Title').nth(1);
    await title.fill(course.course_code.slice(0, -1));
    await expect(page.getByRole('option')).toHaveCount(1);
    await title.press('Enter');
    await expect(field(page, 'Subject ID').nth(1)).toHaveValue(String(course.course_id));
    for (const number of [2, 1]) await page.getByRole('button', { name: `Remove subject ${number}` }).click();
  });

  await test.step('the results are saved, and the message leads to the next student', async () => {
    for (const [i, subject] of SUBJECTS.entries()) {
      const rows = page.getByRole('group', { name: new RegExp(`^Subject ${i + 1}$`) });
      if ((await rows.count()) === 0) await page.getByRole('button', { name: 'Add subject' }).click();
      const row = page.getByRole('group', { name: new RegExp(`^Subject ${i + 1}$`) });
      await row.getByLabel('Title').fill(subject);
      await row.getByLabel('Credit Hours').fill('3');
      await row.getByLabel('Grade').fill(GRADES[i] ?? '');
    }
    await page.keyboard.press('Control+Enter');
    await expect(page).toHaveURL(list);
    await expect(page.getByText('Entry has been updated successfully')).toBeVisible();
    await expect(page.getByRole('row')).toHaveCount(4);
  });

  await test.step('six results for the next student take at most 30 keys', async () => {
    const keys = countedKeys(page);
    await expect(page.getByRole('button', { name: 'Next: Bano Siddiqui' })).toBeVisible();
    await keys.press('F8', 'Enter');
    await expect(page).toHaveURL(`/students/${second}/academics/edit?semester=1`);
    const fill = page.getByRole('button', { name: 'As for Ada Siddiqui (6 subjects)' });
    await expect(fill).toBeVisible();
    await expectNoSeriousAxeFindings(page);
    await expect(page.locator('fieldset input:focus')).toHaveCount(1);
    await keys.press('Shift+Tab');
    await expect(fill).toBeFocused();
    await keys.press('Enter');
    await expect(fill).toBeHidden();
    for (const grade of GRADES) await keys.press(...grade.toLowerCase(), 'Enter');
    await keys.press('Control+Enter');
    await expect(page).toHaveURL(list);
    expect(keys.total()).toBeLessThanOrEqual(30);
    await page.keyboard.press('F8');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'As for Bano Siddiqui (6 subjects)' })).toBeVisible();
    await follow(page, `/students/${second}`);
    await page.getByRole('button', { name: /^Semester 1 / }).click();
    await expect(page.getByRole('dialog').getByRole('row', { name: /Statics.*B\+/ })).toBeVisible();
  });
});
