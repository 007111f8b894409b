import { expect, test } from '../support/browser/fixtures.ts';

const SEMESTERS = [
  [
    { title: 'Calculus', credits: 3, grade: 'A' },
    { title: 'Applied Physics', credits: 4, grade: 'C+' },
  ],
  [{ title: 'Databases', credits: 3, grade: 'F' }],
] as const;

// Covers 2.122
test('a semester with results opens an overlay with its subjects, which Escape and its X close', async ({
  staffPage: page,
  api,
}) => {
  const { id } = await api.createRecord(SEMESTERS, { current_sem: 3 });
  await page.goto(`/students/${id}`);
  const open = page.getByRole('button', { name: /^Semester 1 SGPA 3\.14/ });
  const overlay = page.getByRole('dialog', { name: 'Semester 1 Ayesha Siddiqui', exact: true });
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

test('the overlay moves to the next and the previous semester', async ({ staffPage: page, api }) => {
  const { id } = await api.createRecord(SEMESTERS);
  await page.goto(`/students/${id}`);
  await page.getByRole('button', { name: /^Semester 1 / }).click();
  await page.getByRole('button', { name: 'Next semester' }).click();
  const overlay = page.getByRole('dialog', { name: /^Semester 2/ });
  await expect(overlay.getByRole('heading', { name: 'Databases' })).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(
    page.getByRole('dialog', { name: /^Semester 1/ }).getByRole('heading', { name: 'Calculus' }),
  ).toBeVisible();
});

test('a semester is edited from its overlay, without editing the ones before it', async ({
  staffPage: page,
  api,
}) => {
  const { id } = await api.createRecord([[], [], [{ title: 'Databases', credits: 3, grade: 'F' }]]);
  await page.goto(`/students/${id}`);
  await page.getByRole('button', { name: /^Semester 3 SGPA/ }).click();
  await page.getByRole('link', { name: 'Edit Semester 3' }).click();
  await expect(page.getByRole('heading', { name: 'Semester 3' })).toBeVisible();
  await page.getByLabel('Grade').first().selectOption('A');
  await page.getByRole('button', { name: 'Update Semester Entry' }).click();
  await expect(page.getByText('Entry has been updated successfully')).toBeVisible();
  await page.goto(`/students/${id}`);
  await expect(page.getByRole('button', { name: /^Semester 3 SGPA 4\.00/ })).toBeVisible();
});

// Covers 2.124
test('a semester without results can’t be opened', async ({ staffPage: page, api }) => {
  const { id } = await api.createRecord(SEMESTERS, { current_sem: 3 });
  await page.goto(`/students/${id}`);
  const standing = page.getByRole('region', { name: 'GPA Standing' });
  await expect(standing.getByRole('button')).toHaveCount(2);
  await standing.getByText('Semester 3', { exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
