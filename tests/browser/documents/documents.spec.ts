import { readFile } from 'node:fs/promises';
import type { IssuedDocument } from '../../../src/contract/documents/documents.ts';
import { Api, registerUser } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { chooseInMore, expectNoSidewaysScrolling, follow } from '../../support/browser/screens.ts';
import { type Subject, unique } from '../../support/records.ts';

const RESULTS: readonly (readonly Subject[])[] = [
  [{ title: 'Calculus', credits: 3, grade: 'A' }],
  [{ title: 'Statics', credits: 4, grade: 'B' }],
];
const SERIAL = /\d{4}-\d{6}/;

const issuedFor = (api: Api, studentId: string) =>
  api.get<IssuedDocument[]>(`/api/documents?student_id=${studentId}`);

async function expectAccessible(page: Page): Promise<void> {
  await expectNoSeriousAxeFindings(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoSeriousAxeFindings(page, ['color-contrast', 'target-size']);
  await expectNoSidewaysScrolling(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Presses the button of the open dialog and answers the file that is saved. */
async function save(page: Page, button: string) {
  const downloading = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: button }).press('Enter');
  const file = await downloading;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test.beforeEach(async ({ page }) => {
  // Simulates a browser that cannot write to the disk directly.
  await page.addInitScript(() => Object.defineProperty(window, 'showSaveFilePicker', { value: undefined }));
});

test('a transcript is issued on the record by keyboard, saved, and stands in the register', async ({
  staffPage: page,
  api,
}) => {
  const student = await api.createRecord(RESULTS);
  await page.goto(`/students/${student.id}/documents`);
  await expect(page.getByRole('heading', { name: 'Nothing has been issued yet.' })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Issue documents' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Issue documents' });
  await expect(dialog.getByRole('combobox', { name: 'Document' })).toHaveValue('transcript');
  await expect(dialog.getByRole('button', { name: 'Issue', exact: true })).toBeEnabled();
  await expectAccessible(page);
  expect((await save(page, 'Save preview')).name).toBe(`preview-${student.id}.pdf`);
  await expect(dialog.getByText('The preview has been saved. Nothing was issued.')).toBeVisible();
  expect(await issuedFor(api, student.id)).toEqual([]);
  await dialog.getByLabel('Purpose').fill('Visa');
  await dialog.getByLabel('Recipient').fill('Embassy of Norway');
  const savedByItself = page.waitForEvent('download');
  await dialog.getByLabel('Recipient').press('Enter');
  await expect(dialog.getByText('1 transcript issued.')).toBeVisible();
  expect((await savedByItself).suggestedFilename()).toMatch(/^transcript-.*\.pdf$/);
  await expect(dialog.getByText('The file has been saved.')).toBeVisible();
  await expectAccessible(page);
  const [issued] = await issuedFor(api, student.id);
  expect(issued).toMatchObject({
    kind: 'transcript',
    purpose: 'Visa',
    to: 'Embassy of Norway',
    state: 'valid',
  });
  await expect(dialog.getByText(issued?.serial ?? '')).toBeVisible();
  const file = await save(page, 'Save PDF');
  expect(file.name).toBe(`transcript-${student.id}-${issued?.serial}.pdf`);
  expect(file.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  await expect(dialog.getByText('The file has been saved.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Issue documents' })).toBeFocused();

  const row = page.getByRole('row').filter({ hasText: issued?.serial ?? '' });
  await expect(row).toContainText('Embassy of Norway');
  await expect(row).toContainText('Valid');
  await page.getByRole('link', { name: 'Open in the register' }).press('Enter');
  await expect(page).toHaveURL(`/documents?student_id=${student.id}`);
  await expect(page.getByRole('row').filter({ hasText: SERIAL })).toHaveCount(1);
});

test('a document that does not exist is refused in plain words, and an unofficial one is not registered', async ({
  staffPage: page,
  api,
}) => {
  await test.step('a result card that does not exist is refused in plain words, and an unofficial one is not registered', async () => {
    const student = await api.createRecord(RESULTS);
    await page.goto(`/students/${student.id}`);
    await page.getByRole('button', { name: 'Issue documents' }).click();
    const dialog = page.getByRole('dialog', { name: 'Issue documents' });
    await dialog.getByRole('combobox', { name: 'Document' }).selectOption('Semester result card');
    await expect(dialog.getByRole('combobox', { name: 'Semester' })).toHaveValue('2');
    await dialog.getByRole('combobox', { name: 'Semester' }).selectOption('Semester 5');
    await expect(dialog.getByText('Semester 5 is not recorded.')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Issue', exact: true })).toBeDisabled();
    await dialog.getByRole('combobox', { name: 'Semester' }).selectOption('Semester 1');
    await dialog.getByRole('radio', { name: 'Unofficial' }).check();
    const make = dialog.getByRole('button', { name: 'Make' });
    await expect(make).toBeEnabled();
    await make.press('Enter');
    await expect(dialog.getByText('1 unofficial result card can be saved.')).toBeVisible();
    expect((await save(page, 'Save PDF')).bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(await issuedFor(api, student.id)).toEqual([]);
  });

  await test.step('a student without results gets no document, and is told why', async () => {
    const student = await api.createRecord([]);
    await follow(page, `/students/${student.id}`);
    await page.getByRole('button', { name: 'Issue documents' }).click();
    await expect(page.getByRole('dialog').getByText('No semester is recorded.')).toBeVisible();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Issue', exact: true })).toBeDisabled();
  });
});

test('official documents wait for the name of the institution, with a way there for administrators', async ({
  page,
  ownServer: { url },
}) => {
  const admin = await registerUser(url, 'Asad Admin');
  const api = new Api(url, admin.token);
  const student = await api.createRecord(RESULTS);
  const staff = await registerUser(url);
  await signIn(page, staff);
  await page.goto(`${url}/students/${student.id}`);
  await page.getByRole('button', { name: 'Issue documents' }).click();
  const dialog = page.getByRole('dialog', { name: 'Issue documents' });
  await expect(dialog.getByText('An administrator enters it in the settings.')).toBeVisible();
  await expect(dialog.getByRole('radio', { name: 'Official', exact: true })).toBeDisabled();
  await expect(dialog.getByRole('radio', { name: 'Unofficial' })).toBeChecked();
  await expect(dialog.getByRole('button', { name: 'Make' })).toBeEnabled();
  await expectAccessible(page);

  await signIn(page, admin);
  await page.goto(`${url}/students/${student.id}`);
  await page.getByRole('button', { name: 'Issue documents' }).click();
  await dialog.getByRole('link', { name: 'Open the settings' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Rohtas College of Engineering');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Institution updated successfully')).toBeVisible();

  // The codes of this server lead to a loopback address.
  await follow(page, `/students/${student.id}`);
  await page.getByRole('button', { name: 'Issue documents' }).click();
  await expect(dialog.getByRole('radio', { name: 'Official', exact: true })).toBeChecked();
  await expect(
    dialog.getByText(`The codes lead to ${url}, which nobody outside of this network reaches.`),
  ).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Open the settings' })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Issue', exact: true }).press('Enter');
  await expect(dialog.getByText('1 transcript issued.')).toBeVisible();
});

test('the selected students get their documents in one batch, without those who have no results', async ({
  staffPage: page,
  api,
}) => {
  const degree = unique();
  const ids: string[] = [];
  for (const last_name of ['Aslam', 'Bhatti', 'Chaudhry']) {
    const results = last_name === 'Chaudhry' ? [] : RESULTS;
    ids.push((await api.createRecord(results, { degree, last_name, id: `${degree}-${last_name}` })).id);
  }
  await page.goto(`/students?degree=${degree}`);
  await page.getByRole('checkbox', { name: 'Select all loaded students' }).check();
  await page.getByRole('button', { name: 'Issue documents' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Issue documents for 3 students' });
  await expect(dialog.getByRole('listitem')).toHaveText([/Chaudhry.*No semester is recorded/]);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Issue 2 transcripts' }).press('Enter');
  await expect(dialog.getByText('2 transcripts issued.')).toBeVisible();
  await expectAccessible(page);
  expect((await save(page, 'Save PDF')).bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect((await save(page, 'Save ZIP')).bytes.subarray(0, 2).toString()).toBe('PK');
  expect(await issuedFor(api, ids[0] ?? '')).toHaveLength(1);
  expect(await issuedFor(api, ids[2] ?? '')).toHaveLength(0);
});

test('a long batch shows its progress and is stopped', async ({ staffPage: page, api }) => {
  const student = await api.createRecord(RESULTS);
  const running = {
    ...{ batch_id: 1, kind: 'transcript', semester: null, official: true, state: 'running' },
    ...{ progress: { done: 74, of: 117 }, refused: [], documents: 74, to: null, purpose: null },
    ...{ first_serial: '2026-000053', last_serial: '2026-000126', student_id: null },
    ...{ created_at: new Date().toISOString(), created_by: { id: 1, name: 'Sana Malik' } },
  };
  let batch = running;
  await page.route('**/api/documents', (route) =>
    route.fulfill({ status: 201, json: { message: '', batch_id: 1, documents: [], batch } }),
  );
  await page.route('**/api/documents/batches/1', (route) => route.fulfill({ json: batch }));
  await page.route('**/api/documents/batches/1/cancel', (route) => {
    batch = { ...running, state: 'cancelled' };
    return route.fulfill({ json: { message: '', batch } });
  });
  await page.goto(`/students/${student.id}`);
  await page.getByRole('button', { name: 'Issue documents' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Issue', exact: true }).click();
  await expect(dialog.getByRole('progressbar', { name: 'Issuing' })).toHaveAttribute('value', '74');
  await expect(dialog.getByText('2026-000053 to 2026-000126')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save PDF' })).toBeDisabled();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Stop' }).press('Enter');
  await expect(dialog.getByText('Stopped. 74 transcripts issued.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Close', exact: true }).last()).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Save PDF' })).toBeEnabled();
});

test('the register is filtered, and an administrator revokes a document with a reason and saves the own copy of a student', async ({
  page,
  api,
  admin,
  account,
}) => {
  const student = await api.createRecord(RESULTS, { last_name: 'Achakzai' });
  const order = { kind: 'transcript', ids: [student.id], official: true, purpose: null, to: null };
  await api.post('/api/documents', order);
  await api.post('/api/documents', { ...order, kind: 'result-card', semester: 1 });
  const [card, transcript] = await issuedFor(api, student.id);
  if (card === undefined || transcript === undefined)
    throw new Error('Two documents should have been issued.');

  await signIn(page, account);
  await page.goto('/documents');
  await page.getByLabel('Student ID').fill(student.id);
  const rows = page.getByRole('row').filter({ hasText: SERIAL });
  await expect(rows).toHaveText([/Semester result card.*Valid/, /Academic transcript.*Valid/]);
  await expect(page.getByRole('button', { name: /^Revoke/ })).toHaveCount(0);
  // The documents of the filter before are shown pale until those of this one are read.
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await expectAccessible(page);
  await page.getByLabel('Serial').fill(transcript.serial);
  await expect(rows).toHaveText([/Academic transcript/]);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: `Save ${transcript.serial}` }).press('Enter');
  expect((await downloading).suggestedFilename()).toBe(`transcript-${student.id}-${transcript.serial}.pdf`);

  await follow(page, `/students/${student.id}`);
  await expect(page.getByRole('button', { name: 'Issue documents' })).toBeVisible();
  await page.getByRole('button', { name: 'More' }).press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Change status' })).toBeFocused();
  await expect(page.getByRole('menuitem', { name: /^Everything held/ })).toHaveCount(0);

  await signIn(page, admin);
  await page.goto(`/documents?student_id=${student.id}`);
  await page.getByRole('button', { name: `Revoke ${card.serial}` }).press('Enter');
  const dialog = page.getByRole('dialog', { name: `Revoke ${card.serial}` });
  await dialog.getByRole('button', { name: 'Revoke document' }).press('Enter');
  await expect(dialog.getByText('Required')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Reason').fill('Issued for the wrong person');
  await dialog.getByLabel('Reason').press('Enter');
  await expect(page.getByText(`${card.serial} was revoked.`)).toBeVisible();
  await expect(rows.filter({ hasText: card.serial })).toContainText('Revoked');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(rows.filter({ hasText: card.serial })).toContainText(
    'Asad Admin: Issued for the wrong person',
  );
  await page.getByLabel('State').selectOption('Revoked');
  await expect(rows).toHaveCount(1);
  await page.getByLabel('Serial').fill(transcript.serial);
  await expect(page.getByText('No document matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear all' }).press('Enter');
  await expect(page.getByLabel('Student ID')).toHaveValue('');
  await expect(page.getByLabel('Student ID')).toBeFocused();
  // Also what waits for a pause in typing.
  await page.getByLabel('Student ID').fill(student.id);
  await page.getByRole('button', { name: 'Clear all' }).waitFor();
  await page.getByLabel('Serial').fill(transcript.serial);
  await page.getByRole('button', { name: 'Clear all' }).press('Enter');
  await expect(page.getByLabel('Serial')).toHaveValue('');
  await expect(page.getByLabel('Student ID')).toBeFocused();

  await follow(page, `/students/${student.id}`);
  for (const [format, start] of [
    ['PDF', '%PDF-'],
    ['JSON', '{'],
  ] as const) {
    const downloading = page.waitForEvent('download');
    await chooseInMore(page, `Everything held about this student, ${format}`);
    const file = await downloading;
    expect(file.suggestedFilename()).toBe(`copy-of-${student.id}.${format.toLowerCase()}`);
    const bytes = await readFile(await file.path());
    expect(bytes.subarray(0, start.length).toString()).toBe(start);
  }
});

test('the result sheet of a class is saved on its report', async ({ staffPage: page, api }) => {
  const degree = unique();
  await api.createRecord(RESULTS, { degree });
  await page.goto(`/reports?department=CE&degree=${degree}`);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Result sheet' }).press('Enter');
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(new RegExp(`^result-sheet-CE-${degree}-.*\\.pdf$`));
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');
});
