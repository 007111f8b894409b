import { toCsv } from '../../support/app/import-file.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, test } from '../../support/browser/fixtures.ts';
import { chooseFile, rowCount } from '../../support/browser/imports.ts';
import { expectNoSidewaysScrolling } from '../../support/browser/screens.ts';
import { unique } from '../../support/records.ts';

test('a row that names another person is imported once it is ticked, on a wide and on a narrow screen', async ({
  staffPage: page,
  api,
}) => {
  const { id, first_name, last_name } = await api.createRecord([]);
  const name = `${first_name} ${last_name}`;
  const rows = [{ 'CMS ID': id, Name: 'Sample, Usman', DOB: '2004-11-30' }];
  await page.goto('/imports/new');
  await chooseFile(page, `persons-${unique()}.csv`, toCsv(rows));
  await page.getByRole('button', { name: 'Only changed' }).click();
  await page.getByLabel('Full names').selectOption('last-word');
  await page.getByRole('button', { name: 'Preview 1 row' }).click();

  await expect(rowCount(page, 'Refused')).toContainText('1');
  const table = page.getByRole('table', { name: 'Rows' });
  await expect(table).toContainText(`${id} is the ID of ${name}`);
  await expect(table).toContainText('The row names Usman Sample, born 2004-11-30.');
  await expect(table.locator('del', { hasText: first_name })).toBeVisible();
  await expect(table.locator('ins', { hasText: 'Usman' })).toBeVisible();
  await expectNoSeriousAxeFindings(page);
  await expect(page.getByRole('button', { name: 'Import 0 rows' })).toBeDisabled();

  await test.step('the tick counts the row, and taking it away refuses it again', async () => {
    const tick = page.getByRole('checkbox', { name: /^Import it/ });
    await tick.check();
    await expect(rowCount(page, 'Changed')).toContainText('1');
    await expect(tick).toBeChecked();
    await tick.uncheck();
    await expect(rowCount(page, 'Refused')).toContainText('1');
  });

  await test.step('a reload and a phone show the same', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    const card = page.getByRole('list', { name: 'Rows' }).getByRole('listitem').first();
    await expect(card).toContainText(`${id} is the ID of ${name}`);
    await card.getByRole('checkbox', { name: /^Import it/ }).check();
    await expect(rowCount(page, 'Changed')).toContainText('1');
    await expectNoSidewaysScrolling(page);
    await expectNoSeriousAxeFindings(page);
  });

  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await expect(page.getByRole('heading', { name: '1 student saved' })).toBeVisible();
  await page.goto(`/students/${id}`);
  await expect(page.getByRole('heading', { name: 'Usman Sample' })).toBeVisible();
});
