import { readFile } from 'node:fs/promises';
import { expectNoSeriousAxeFindings } from '../../../support/browser/accessibility.ts';
import { expect, type Page, test } from '../../../support/browser/fixtures.ts';
import { parseCsv } from '../../../support/csv.ts';
import { unique } from '../../../support/records.ts';
import { readSheets, unzip } from '../../../support/workbook.ts';

const panel = (page: Page) => page.getByRole('region', { name: 'Export' });

/** Simulates a browser that cannot write to the disk directly. */
const withoutSavePicker = (page: Page) =>
  page.addInitScript(() => Object.defineProperty(window, 'showSaveFilePicker', { value: undefined }));

/** Chooses an item of the menu beside Export with the keyboard. */
async function choose(page: Page, kind: string): Promise<void> {
  const menu = page.getByRole('button', { name: 'Other formats' });
  await expect(menu).toBeEnabled();
  await menu.press('Enter');
  await expect(page.locator('[role="menuitem"]:focus')).toHaveCount(1);
  const item = page.getByRole('menuitem', { name: kind });
  for (let i = 0; i < 5 && !(await item.evaluate((element) => element === document.activeElement)); i += 1) {
    await page.keyboard.press('ArrowDown');
  }
  await expect(item).toBeFocused();
  await page.keyboard.press('Enter');
}

/** Saves a workbook with one press, or another kind of file. */
async function download(page: Page, kind?: string): Promise<{ name: string; content: Buffer }> {
  const downloading = page.waitForEvent('download');
  if (kind === undefined) await page.getByRole('button', { name: 'Export', exact: true }).press('Enter');
  else await choose(page, kind);
  const file = await downloading;
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
}

/** Whether the XML parser of the browser accepts all texts. */
async function areWellFormed(page: Page, texts: readonly string[]): Promise<boolean> {
  // The content security policy forbids parsing markup on the pages of the product.
  const blank = await page.context().newPage();
  return blank.evaluate(
    (all) =>
      all.every(
        (text) => new DOMParser().parseFromString(text, 'text/xml').querySelector('parsererror') === null,
      ),
    texts,
  );
}

test('the filtered and sorted list is exported as CSV, as CSV for Excel and as a workbook', async ({
  staffPage: page,
  api,
}) => {
  await withoutSavePicker(page);
  const degree = unique();
  const results = [{ title: 'Statics', credits: 3, grade: 'B+' }] as const;
  const first = await api.createRecord([results], { degree, first_name: 'Zoë <&>', last_name: '=1+1' });
  const second = await api.createStudent({ degree, first_name: 'Bilal', phone_number: '+92 300 5550199' });
  await api.createStudent({ degree, first_name: 'Aiman', department: 'EE' });

  await page.goto(`/students?degree=${degree}&department=CE&sort=name`);
  await page.getByRole('button', { name: 'Other formats' }).click();
  await expect(page.getByText('2 students').last()).toBeVisible();
  await expectNoSeriousAxeFindings(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem', { name: 'CSV for Excel' })).toBeHidden();

  const csv = await download(page, 'CSV Plain text');
  expect(csv.name).toMatch(/^students-\d{4}-\d\d-\d\d\.csv$/);
  const rows = parseCsv(csv.content.toString());
  expect(rows[0]?.slice(0, 3)).toEqual(['ID', 'First Name', 'Last Name']);
  const schoolMarks = ['935', '987.5'];
  expect(rows.slice(1)).toEqual([
    [
      ...[second.id, 'Bilal', 'Siddiqui', '2005-03-14', 'F', 'CE', degree, 'B', '2', 'Active', '', ''],
      ...['', '', '', ...schoolMarks],
      ...["'+92 300 5550199", '', '', 'No'],
    ],
    [
      ...[
        first.id,
        'Zoë <&>',
        "'=1+1",
        '2005-03-14',
        'F',
        'CE',
        degree,
        'B',
        '1',
        'Active',
        '',
        'Good standing',
      ],
      ...['3.5', '1', '', ...schoolMarks],
      ...['0300-5550123', 'Imran Siddiqui', '0300-5550101', 'Yes'],
    ],
  ]);
  await expect(panel(page).getByText('Exported 2 students').first()).toBeVisible();
  await expectNoSeriousAxeFindings(page);

  const forExcel = await download(page, 'CSV for Excel');
  expect(forExcel.content.toString()).toBe(`\uFEFF${csv.content}`);
  const withSemicolons = await download(page, 'CSV with semicolons');
  expect(withSemicolons.content.toString()).toContain(`\uFEFFID;First Name;Last Name;`);

  // Only the selected student is exported, although the list shows more.
  await page.getByRole('checkbox', { name: /Zoë/ }).check();
  const workbook = await download(page);
  expect(workbook.name).toMatch(/\.xlsx$/);
  expect(await areWellFormed(page, [...unzip(workbook.content).values()])).toBe(true);
  const [sheet] = readSheets(workbook.content);
  expect(sheet?.rows).toEqual([
    rows[0],
    [
      ...[first.id, 'Zoë <&>', '=1+1', 38_425, 'F', 'CE', degree, 'B', 1, 'Active', null, 'Good standing'],
      ...[3.5, 1, null, 935, 987.5],
      ...['0300-5550123', 'Imran Siddiqui', '0300-5550101', 'Yes'],
    ],
  ]);
  await panel(page).getByRole('button', { name: 'Close' }).click();
  await expect(panel(page)).toBeHidden();

  await choose(page, 'Columns and results…');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expectNoSeriousAxeFindings(page);
  await expect(dialog.locator('input:focus')).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Select none' }).click();
  await expect(dialog.getByRole('button', { name: 'Export' })).toBeDisabled();
  await dialog.getByRole('checkbox', { name: 'ID' }).check();
  await dialog.getByRole('radio', { name: /^A row for each subject/ }).check();
  await expect(dialog.getByRole('radio', { name: /^Excel workbook/ })).toBeChecked();
  await dialog.getByRole('radio', { name: /^CSV Plain/ }).check();
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export' }).click();
  const chosen = parseCsv((await readFile(await (await downloading).path())).toString());
  expect(chosen[0]).toEqual([
    ...['ID', 'Semester', 'Course Code', 'Course ID', 'Subject', 'Credits', 'Grade', 'Grade Points'],
  ]);
  expect(chosen.slice(1)).toEqual([[first.id, '1', '', '', 'Statics', '3', 'B+', '3.5']]);
});

test('a long export is written directly to the disk while the user continues to work, can be cancelled, and leaves no file when it is refused', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  const degree = unique();
  for (let i = 0; i < 12; i += 1) await api.createStudent({ degree });
  // Writes to the private file system of the browser: a test cannot choose a file in the save dialog.
  await page.addInitScript(() => {
    const disk: { continueOpening?: () => void } = {};
    Object.assign(window, { disk });
    const showSaveFilePicker = async ({ suggestedName }: { suggestedName: string }) => {
      const folder = await navigator.storage.getDirectory();
      const handle = await folder.getFileHandle(suggestedName, { create: true });
      const createWritable = handle.createWritable.bind(handle);
      handle.createWritable = async () => {
        await new Promise<void>((resolve) => {
          disk.continueOpening = resolve;
        });
        return createWritable();
      };
      return handle;
    };
    Object.defineProperty(window, 'showSaveFilePicker', { value: showSaveFilePicker });
  });
  /** Lets the pending `createWritable` continue. */
  const allowOpening = () =>
    page
      .waitForFunction(() => {
        const disk: unknown = Reflect.get(window, 'disk');
        const continueOpening: unknown = Reflect.get(Object(disk), 'continueOpening');
        if (typeof continueOpening !== 'function') return false;
        Reflect.deleteProperty(Object(disk), 'continueOpening');
        continueOpening();
        return true;
      })
      .then(() => {});
  const listFiles = () =>
    page.evaluate(async () => {
      const names: string[] = [];
      for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
      return names;
    });
  const readFiles = () =>
    page.evaluate(async () => {
      const texts: string[] = [];
      for await (const handle of (await navigator.storage.getDirectory()).values()) {
        if (handle instanceof FileSystemFileHandle) texts.push(await (await handle.getFile()).text());
      }
      return texts;
    });

  await page.goto(`/students?degree=${degree}`);
  await choose(page, 'CSV Plain text');
  await expect(panel(page).getByRole('progressbar', { name: 'Exporting students' })).toBeVisible();
  await expect(panel(page).getByText(/^[\d,]+ of 12 rows$/)).toBeVisible();
  await page.getByRole('button', { name: 'Other formats' }).click();
  await expect(page.getByRole('menuitem', { name: 'CSV for Excel' })).toBeDisabled();
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Courses' }).click();
  await expect(page.getByRole('heading', { name: 'Courses', exact: true })).toBeVisible();
  await expectNoSeriousAxeFindings(page);
  await panel(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('The export has been cancelled.')).toBeVisible();
  await expect(panel(page)).toBeHidden();
  await allowOpening();
  await expect.poll(listFiles).toEqual([]);

  await page.goBack();
  expectedProblems.add('offline');
  await page.route('**/api/exports/**', (route) => route.abort('connectionrefused'), { times: 1 });
  await choose(page, 'CSV Plain text');
  await expect(panel(page)).toContainText('The server could not be reached.');
  expect(await listFiles()).toEqual([]);

  await panel(page).getByRole('button', { name: 'Try again' }).click();
  await allowOpening();
  await expect(panel(page).getByText('Exported 12 students').first()).toBeVisible();
  const [text = ''] = await readFiles();
  expect(parseCsv(text)).toHaveLength(13);
});

test('a failed export shows the reason and can be retried', async ({
  staffPage: page,
  api,
  server,
  expectedProblems,
}) => {
  const { id } = await api.createStudent();
  await withoutSavePicker(page);
  await page.goto(`/students?q=${id}`);
  await expect(page.getByRole('button', { name: 'Export', exact: true })).toBeEnabled();
  expectedProblems.add('offline');
  await server.stop();
  await choose(page, 'CSV for Excel');
  await expect(panel(page)).toContainText('The server could not be reached.');

  await server.restart();
  await expectNoSeriousAxeFindings(page);
  const downloading = page.waitForEvent('download');
  await panel(page).getByRole('button', { name: 'Try again' }).click();
  const content = await readFile(await (await downloading).path(), 'utf8');
  expect(parseCsv(content)).toHaveLength(2);
  await expect(panel(page).getByText('Exported 1 student', { exact: true }).first()).toBeVisible();
});
