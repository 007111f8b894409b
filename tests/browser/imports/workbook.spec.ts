import { writeXlsx } from 'hucre';
import { expect, test } from '../../support/browser/fixtures.ts';
import { chooseFile } from '../../support/browser/imports.ts';

test('hidden rows of a workbook are said, and an empty first sheet is passed over', async ({
  staffPage: page,
}) => {
  const workbook = await writeXlsx({
    sheets: [
      { name: 'Empty', rows: [] },
      {
        name: 'Courses',
        rows: [
          ['Course ID', 'Course code', 'Course name'],
          [71_001, 'CS-1', 'Optics'],
          [71_002, 'CS-2', 'Statics'],
        ],
        rowDefs: new Map([[2, { hidden: true }]]),
      },
    ],
  });
  await page.goto('/imports/new?kind=courses');
  await chooseFile(page, 'courses.xlsx', workbook);
  await expect(page.getByLabel('Sheet')).toHaveValue('Courses');
  await expect(page.getByText('Row 3 is hidden in the workbook')).toBeVisible();
  await page.getByRole('button', { name: 'Preview 2 rows' }).click();
  await expect(page.getByText('The row is hidden in the workbook.')).toBeVisible();
});
