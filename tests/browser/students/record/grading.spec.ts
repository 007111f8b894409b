import { readFile } from 'node:fs/promises';
import type { CgpaExplanation } from '../../../../src/contract/grading/grading.ts';
import type { PolicyPreview } from '../../../../src/contract/grading/policies.ts';
import { Api } from '../../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../../support/browser/accessibility.ts';
import { expect, type Page, test } from '../../../support/browser/fixtures.ts';
import { unique } from '../../../support/records.ts';

const drawer = (page: Page) => page.getByRole('dialog');
const standing = (page: Page) => page.getByRole('region', { name: 'GPA Standing' });
const line = (page: Page, semester: number, title: string) =>
  page.getByRole('table', { name: `Subjects of semester ${semester}` }).getByRole('row', { name: title });

test('a CGPA with a repeated course is explained, printed and downloaded', async ({
  staffPage: page,
  api,
  server,
  admin,
}) => {
  const degree = unique();
  const { course_id: courseId } = await api.createCourse();
  const { id } = await api.createRecord(
    [
      [
        { title: 'Applied Physics', credits: 4, grade: 'F', courseId },
        { title: 'English', credits: 2, grade: 'B' },
      ],
      [{ title: 'Databases', credits: 3, grade: 'A' }],
      [{ title: 'Applied Physics', credits: 4, grade: 'C+', courseId }],
    ],
    { degree, current_sem: 4 },
  );
  const office = new Api(server.url, admin.token);
  const policy = { degrees: [degree], rules: { repeat_policy: 'best' } };
  const { fingerprint } = await office.post<PolicyPreview>('/api/policies/preview', policy);
  await office.post('/api/policies', { ...policy, name: 'Best attempt', fingerprint });

  await page.goto(`/students/${id}`);
  // (2 × 3 + 3 × 4 + 4 × 2.5) ÷ 9
  await expect(standing(page)).toContainText('3.11CGPAafter semester 3');
  await page.getByRole('button', { name: 'Explain' }).press('Enter');
  await expect(drawer(page)).toContainText('28.0 quality points');
  await expect(drawer(page)).toContainText('= 3.1111');
  await expect(drawer(page)).toContainText('of a repeated course the best attempt counts');
  await expect(line(page, 1, 'Applied Physics')).toContainText(
    'Does not count: repeated, the attempt in semester 3 with C+ counts instead.',
  );
  await expect(line(page, 3, 'Applied Physics')).toContainText(
    'Counts instead of the attempt in semester 1 with F.',
  );
  await expect(drawer(page)).toContainText(
    'Not linked to a course: English (semester 1), Databases (semester 2).',
  );

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download as JSON' }).click();
  const saved = await (await downloading).path();
  const json: CgpaExplanation = JSON.parse(await readFile(saved, 'utf8'));
  expect(json).toEqual(await api.get(`/api/students/${id}/cgpa?semester=3`));

  await page.getByLabel('CGPA after').selectOption('Semester 1');
  await expect(drawer(page)).toContainText('6.0 quality points');
  await expect(drawer(page)).toContainText('= 1.0000');
  await expect(line(page, 1, 'Applied Physics')).not.toContainText('Does not count');

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(line(page, 1, 'English')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'CGPA explained' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeHidden();
  const paper = await drawer(page).evaluate((dialog) => ({
    isCut: dialog.scrollHeight > dialog.clientHeight + 1,
    background: getComputedStyle(dialog).backgroundColor,
  }));
  expect(paper).toEqual({ isCut: false, background: 'rgb(255, 255, 255)' });
});

test('the standing of a student says which rule led to it, and the list is filtered by it', async ({
  staffPage: page,
  api,
}) => {
  const last_name = `Khan-${unique()}`;
  const weak = [{ title: 'Statics', credits: 3, grade: 'D+' } as const];
  const failed = [{ title: 'Dynamics', credits: 3, grade: 'F' } as const];
  const strong = [{ title: 'Statics', credits: 3, grade: 'A' } as const];
  const { id } = await api.createRecord([weak, weak], { first_name: 'Ayesha', last_name, current_sem: 3 });
  await api.createRecord([strong], { first_name: 'Bilal', last_name, id: `${id}-1`, current_sem: 2 });
  await api.createRecord([failed], { first_name: 'Zara', last_name, id: `${id}-2`, current_sem: 2 });

  await page.goto(`/students/${id}`);
  await expect(standing(page)).toContainText('ProbationCGPA 1.50 is below 2.00.');
  await standing(page).getByText('Standing by semester').press('Enter');
  await expect(standing(page).getByText('SGPA 1.50 is below 2.00.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Semester 1 Warning/ })).toBeVisible();
  await expectNoSeriousAxeFindings(page);

  await page.goto(`/students?q=${last_name}&sort=name`);
  const names = page.getByRole('row').getByRole('link');
  await expect(names).toHaveCount(3);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('checkbox', { name: 'Probation' }).check();
  await expect(names).toHaveText([`Ayesha ${last_name}`]);
  await page.getByRole('checkbox', { name: 'Warning' }).check();
  await expect(names).toHaveText([`Ayesha ${last_name}`, `Zara ${last_name}`]);
  await expect(page).toHaveURL(/standing=warning(,|%2C)probation/);
  await expect(page.getByRole('row', { name: `Ayesha ${last_name}` })).toContainText('Probation');
  await page.getByRole('region', { name: 'Views' }).getByRole('button', { name: 'Save this view' }).click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(
    `“${last_name}”, warning or probation, by name`,
  );
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Standing: Warning, Probation' }).click();
  await expect(names).toHaveCount(3);
});

test('a target is planned by credit hours, by semester and by course', async ({ staffPage: page, api }) => {
  const { course_id: courseId } = await api.createCourse();
  const { id } = await api.createRecord(
    [
      [
        { title: 'Applied Physics', credits: 4, grade: 'F', courseId },
        { title: 'English', credits: 4, grade: 'B' },
      ],
    ],
    { current_sem: 2 },
  );
  await page.goto(`/students/${id}`);
  // (2 × 140 − 12) ÷ 132
  await expect(standing(page)).toContainText('2.00 needs an average of 2.03 over 132 credit hours.');
  await page.getByRole('button', { name: /^What if/ }).press('Enter');
  const target = page.getByLabel('Target CGPA');
  await target.fill('4.2');
  await expect(target).toHaveAccessibleDescription('0 to 4 with at most two decimals.');
  await expect(target).toHaveValue('4.2');
  await target.fill('3');
  await page.getByLabel('Credit hours to come').fill('8');
  await expect(drawer(page)).toContainText(
    '3.00 is not reachable: 4.50 would be needed over 8 credit hours; the best possible CGPA is 2.75.',
  );
  // Selecting the text by dragging past the edge of the drawer leaves it open.
  const box = await page.getByLabel('Credit hours to come').boundingBox();
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 10);
  await page.mouse.down();
  await page.mouse.move(10, 300, { steps: 5 });
  await page.mouse.up();
  await page.getByLabel('Credit hours to come').fill('24');
  await expect(drawer(page)).toContainText('3.00 needs an average of 3.50 over 24 credit hours.');

  const second = drawer(page).getByRole('group', { name: 'Semester 2' });
  await second.getByLabel('Credit hours').fill('8');
  await second.getByRole('textbox', { name: 'SGPA' }).fill('3.5');
  // (12 + 8 × 3.5) ÷ 16
  await expect(second).toContainText('CGPA2.50');
  await second.getByRole('slider').press('End');
  await expect(second.getByRole('textbox', { name: 'SGPA' })).toHaveValue('4.00');
  await expect(second).toContainText('CGPA2.75');
  await second.getByRole('textbox', { name: 'SGPA' }).fill('5');
  await expect(second).toContainText('CGPA--');
  await expectNoSeriousAxeFindings(page);

  await page.getByRole('button', { name: 'By course' }).click();
  await page.getByLabel('Repeat a course').selectOption('Applied Physics, F in semester 1');
  await drawer(page)
    .getByRole('group', { name: 'Applied Physics' })
    .getByLabel('Grade')
    .selectOption('A (4)');
  // Policy 1 counts both attempts: 28 ÷ 12.
  await expect(drawer(page)).toContainText('CGPA after this course: 2.33, 12 credit hours counted.');
  await expectNoSeriousAxeFindings(page);
  await drawer(page).getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('button', { name: /^What if/ })).toBeFocused();
});
