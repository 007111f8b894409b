import type { PolicyPreview } from '../../../src/contract/grading/policies.ts';
import type { Sheet } from '../../../src/contract/marksheets/sheets.ts';
import { Api } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { field } from '../../support/browser/forms.ts';
import { makeSheet, putMarks } from '../../support/browser/mark-sheets.ts';
import { expectNoSidewaysScrolling } from '../../support/browser/screens.ts';
import { unique } from '../../support/records.ts';

/** The totals of the first worked example of the rules. */
const EXAMPLE = [
  95, 91, 88, 86, 84, 82, 80, 79, 78, 76, 75, 74, 73, 72, 71, 70, 69, 68, 66, 65, 63, 61, 60, 58, 55, 52, 49,
  44, 38, 24,
];
const LETTERS = ['A', 'B+', 'B', 'C+', 'C', 'D+', 'D'] as const;

const handle = (page: Page, letter: string) =>
  page.getByRole('slider', { name: `Lowest total for ${letter}`, exact: true });
const boundary = (page: Page, letter: string) => field(page, `Lowest total for ${letter}`);
const row = (page: Page, letter: string) =>
  page
    .getByRole('region', { name: 'Grades' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: `Grade ${letter}`, exact: true }) });
const open = (page: Page, { sheet_id }: Sheet, url = '') => page.goto(`${url}/marksheets/${sheet_id}/grades`);
const readSheet = async (api: Api, { sheet_id }: Sheet) =>
  (await api.get<{ sheet: Sheet }>(`/api/sheets/${sheet_id}`)).sheet;

/** The counts of the table, A to F. */
async function expectCounts(page: Page, counts: readonly number[]): Promise<void> {
  for (const [i, letter] of [...LETTERS, 'F'].entries()) {
    await expect(row(page, letter).locator('.strong'), letter).toHaveText(String(counts[i]));
  }
}

test('boundaries follow from a method, are moved by mouse and keyboard, and are stored', async ({
  staffPage: page,
  api,
  admin,
  server,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const { sheet } = await makeSheet({ api, admin: new Api(server.url, admin.token) }, EXAMPLE);
  await open(page, sheet);
  await expect(page.getByText('Policy boundaries, not saved')).toBeVisible();
  await expect(handle(page, 'A')).toHaveAttribute('aria-valuetext', '85.00, 4 students, 13\u00a0%');
  await page.getByRole('button', { name: 'Mean ± SD' }).click();
  for (const [i, from] of ['82.38', '74.50', '66.62', '58.74', '50.86', '42.98', '35.11'].entries()) {
    await expect(boundary(page, LETTERS[i] ?? '')).toHaveValue(from);
  }
  // The 38 is above the boundary of D, but below the floor of the policy.
  await expectCounts(page, [5, 6, 7, 5, 3, 2, 0, 2]);
  await expect(page.getByText('Mean 68.20, standard deviation 15.76, of 30.')).toBeVisible();
  await expect(page.getByText('Mean points 2.78')).toBeVisible();
  const borderline = page.getByRole('list', { name: 'Just under a boundary' }).getByRole('listitem');
  await expect(borderline).toHaveCount(4);
  await expect(borderline.filter({ hasText: '82.00' })).toContainText('B+, 0.38 under A');
  await expectNoSeriousAxeFindings(page);

  // By mouse: past its neighbour it stops one step above it.
  await handle(page, 'A').hover();
  const box = await handle(page, 'A').boundingBox();
  if (box === null) throw new Error('The handle is not shown.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.down();
  await page.mouse.move(x - 300, y, { steps: 4 });
  await expect(boundary(page, 'A')).toHaveValue('74.51');
  await expect(row(page, 'B+').locator('.strong')).toHaveText('0');
  await page.mouse.up();
  await expect(
    page.getByText('11 of 30 students have an A; more than 6 (20 %) need a reason.'),
  ).toBeVisible();
  await expect(page.getByText('1 boundary differs from what the method proposes: A 82.38.')).toBeVisible();
  // The moves of one drag are undone together.
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(boundary(page, 'A')).toHaveValue('82.38');
  const redo = page.getByRole('button', { name: 'Redo' });
  await redo.click();
  await expect(boundary(page, 'A')).toHaveValue('74.51');
  // It keeps the focus when there is no more to redo.
  await expect(redo).toBeDisabled();
  await expect(redo).toBeFocused();

  // By keyboard: a step, a mark, and back.
  await handle(page, 'A').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(boundary(page, 'A')).toHaveValue('74.51');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowUp');
  await expect(handle(page, 'A')).toHaveAttribute('aria-valuenow', '75.52');
  await expect(handle(page, 'A')).toHaveAttribute('aria-valuemin', '74.51');
  await page.keyboard.press('End');
  await expect(handle(page, 'A')).toHaveText('nobody');
  await page.keyboard.press('Control+z');
  await expect(boundary(page, 'A')).toHaveValue('74.51');
  await page.keyboard.press('Control+y');
  await expect(handle(page, 'A')).toHaveText('nobody');

  // By typing. What does not fit stays and says why.
  await boundary(page, 'A').fill('74');
  await page.keyboard.press('Enter');
  await expect(boundary(page, 'A')).toHaveAccessibleDescription(
    'A must begin above B+, which begins at 74.50.',
  );
  await boundary(page, 'A').fill('79');
  await page.keyboard.press('Enter');
  await expectCounts(page, [8, 3, 7, 5, 3, 2, 0, 2]);
  await expect(boundary(page, 'A')).toBeFocused();

  // A limit is passed by a boundary that was moved, so a reason is needed.
  await page.getByRole('button', { name: 'Save boundaries' }).click();
  const reason = field(page, 'Reason for these boundaries');
  await expect(reason).toBeFocused();
  await expect(reason).toHaveAttribute('aria-invalid', 'true');
  await reason.fill('The paper was long; agreed with the head.');
  // Another tab and a reload lose nothing.
  await page.getByRole('link', { name: 'Changes' }).click();
  await page.getByRole('link', { name: 'Grades' }).click();
  await expect(boundary(page, 'A')).toHaveValue('79.00');
  await page.reload();
  await expect(boundary(page, 'A')).toHaveValue('79.00');
  await expect(reason).toHaveValue('The paper was long; agreed with the head.');
  const store = page.getByRole('button', { name: 'Save boundaries' });
  await store.click();
  await expect(page.getByText('Boundaries stored successfully')).toBeVisible();
  await expect(store).toBeDisabled();
  await expect(store).toBeFocused();
  expect(await readSheet(api, sheet)).toMatchObject({
    ...{ method: 'mean-sd', boundaries: [79, 74.5, 66.62, 58.74, 50.86, 42.98, 35.11] },
    ...{ boundaries_stored: true, boundaries_reason: 'The paper was long; agreed with the head.' },
  });
});

test('parameters of the methods and the step propose at once, and refused ones say why', async ({
  staffPage: page,
  api,
  admin,
  server,
}) => {
  const { sheet } = await makeSheet({ api, admin: new Api(server.url, admin.token) }, EXAMPLE);
  await open(page, sheet);
  await page.getByRole('button', { name: 'Mean ± SD' }).click();
  const rules = page.getByRole('group').filter({ hasText: 'Step of the boundaries' });
  await rules.locator('summary').click();
  const step = page.getByLabel('Step of the boundaries, in marks');
  await step.fill('0.5');
  await step.press('Enter');
  await expect(boundary(page, 'A')).toHaveValue('82.50');
  await expect(step).toBeFocused();
  await expect(boundary(page, 'D')).toHaveValue('35.00');
  const k = page.getByRole('group', { name: 'Standard deviations from the mean' });
  await k.getByLabel('B+').fill('2');
  await k.getByLabel('B+').press('Enter');
  await expect(k).toHaveAccessibleDescription('The numbers must fall from A to D.');
  await expect(boundary(page, 'B+')).toHaveValue('74.50');
  await k.getByLabel('B+').fill('0.5');
  await k.getByLabel('B+').press('Tab');
  await expect(boundary(page, 'B+')).toHaveValue('76.00');
  await expect(k).toHaveAccessibleDescription('');
  await expect(k.getByLabel('B', { exact: true })).toBeFocused();
  await page.getByRole('button', { name: 'Use the numbers of the policy' }).click();
  await expect(boundary(page, 'B+')).toHaveValue('74.50');
  await page.getByRole('button', { name: 'Shares', exact: true }).click();
  // At most 15 % of 30 are 4.
  await expect(row(page, 'A').locator('.strong')).toHaveText('4');
  await expect(boundary(page, 'A')).toHaveValue('86.00');
  await page.getByRole('button', { name: 'Gaps', exact: true }).click();
  // Of 84 and 82, both 2 above the next total, the nearer to 82.5.
  await expect(boundary(page, 'A')).toHaveValue('82.00');
  const compared = page.getByRole('table').filter({ hasText: 'These boundaries' });
  await expect(compared.getByRole('row', { name: /^Policy boundaries|^As it was/ })).toBeVisible();
  await expectNoSeriousAxeFindings(page);
});

test('a class that is too small or has no spread is graded by fixed boundaries', async ({
  staffPage: page,
  api,
  admin,
  server,
}) => {
  const people = { api, admin: new Api(server.url, admin.token) };
  const small = await makeSheet(people, [91, 60, null]);
  await open(page, small.sheet);
  await expect(page.getByText('1 student has no total yet and is not counted here.')).toBeVisible();
  await page.getByRole('button', { name: 'Mean ± SD' }).click();
  const refusal = page.getByRole('alert');
  await expect(refusal).toContainText('A class is graded relatively from 10 students with a total on');
  await expect(page.getByRole('slider')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Save boundaries' })).toBeDisabled();
  await expectNoSeriousAxeFindings(page);
  await refusal.getByRole('button', { name: 'Use fixed boundaries' }).click();
  await expect(page.getByRole('slider')).toHaveCount(7);
  await expect(page.getByRole('main')).toBeFocused();
  await expect(boundary(page, 'A')).toHaveValue('85.00');

  const equal = await makeSheet(
    people,
    Array.from({ length: 10 }, () => 70),
  );
  await open(page, equal.sheet);
  await page.getByRole('button', { name: 'Mean ± SD' }).click();
  await expect(refusal).toContainText('All totals are equal');
});

test('boundaries that somebody else stores meanwhile are not overwritten unasked', async ({
  staffPage: page,
  api,
  admin,
  server,
  expectedProblems,
}) => {
  expectedProblems.add(412);
  const other = new Api(server.url, admin.token);
  const { sheet, ids } = await makeSheet({ api, admin: other }, EXAMPLE);
  const theirs = [90, 80, 75, 70, 65, 60, 50];
  const store = (boundaries: readonly number[]) =>
    other.send('PUT', `/api/sheets/${sheet.sheet_id}/boundaries`, { method: 'absolute', boundaries });
  await open(page, sheet);
  await handle(page, 'D').focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(boundary(page, 'D')).toHaveValue('49.00');

  expect((await store(theirs)).status).toBe(200);
  const conflict = page.getByRole('alert').filter({ hasText: 'Somebody else has stored other boundaries' });
  await expect(conflict).toBeVisible();
  await expect(boundary(page, 'D')).toHaveValue('49.00');
  await conflict.getByRole('button', { name: 'Use the stored boundaries' }).click();
  await expect(page.getByRole('main')).toBeFocused();
  await expect(boundary(page, 'A')).toHaveValue('90.00');
  await expect(conflict).toBeHidden();

  await handle(page, 'D').focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await page.getByRole('button', { name: 'Discard changes' }).press('Enter');
  await expect(page.getByRole('main')).toBeFocused();

  await handle(page, 'D').focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await store(theirs.with(0, 91));
  await conflict.getByRole('button', { name: 'Store mine in its place' }).click();
  await expect(page.getByText('Boundaries stored successfully')).toBeVisible();
  expect((await readSheet(api, sheet)).boundaries).toEqual(theirs.with(6, 49));

  // Marks of others are no conflict, and count at once.
  await handle(page, 'D').focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await putMarks(other, sheet, [[ids[0] ?? '', 20, 95]]);
  await expect(row(page, 'F').locator('.strong')).toHaveText('4');
  await page.getByRole('button', { name: 'Save boundaries' }).click();
  await expect.poll(async () => (await readSheet(api, sheet)).boundaries?.[6]).toBe(48);
});

test('marks that somebody else types move the proposal of a relative policy, and are no conflict', async ({
  staffPage: page,
  api,
  admin,
  server,
  expectedProblems,
}) => {
  expectedProblems.add(412);
  const other = new Api(server.url, admin.token);
  const { sheet, ids, degree } = await makeSheet({ api, admin: other }, EXAMPLE);
  const policy = { degrees: [degree], rules: { grading_method: 'mean-sd' } };
  const { fingerprint } = await other.post<PolicyPreview>('/api/policies/preview', policy);
  await other.post('/api/policies', { ...policy, name: unique(), fingerprint });
  await open(page, sheet);
  await expect(boundary(page, 'A')).toHaveValue('82.38');
  await boundary(page, 'A').fill('83');
  await boundary(page, 'A').press('Enter');
  await putMarks(other, sheet, [[ids[29] ?? '', 84, 24]]);
  await expect(row(page, 'F').locator('.strong')).toHaveText('1');
  await expect(page.getByRole('alert').filter({ hasText: 'Somebody else' })).toBeHidden();
  await page.getByRole('button', { name: 'Save boundaries' }).click();
  await expect(page.getByText('Boundaries stored successfully')).toBeVisible();
  expect((await readSheet(api, sheet)).boundaries?.[0]).toBe(83);
});

test('earlier mark sheets that could not be read are read again when asked', async ({
  staffPage: page,
  api,
  admin,
  server,
  expectedProblems,
}) => {
  expectedProblems.add('offline');
  const { sheet } = await makeSheet({ api, admin: new Api(server.url, admin.token) }, EXAMPLE);
  await page.route('**/offerings', (route) => route.abort('connectionrefused'), { times: 1 });
  await open(page, sheet);
  await expect(page.getByRole('alert')).toContainText('The server could not be reached.');
  const none = page.getByText('The course has no earlier confirmed mark sheet.');
  await expect(none).toBeHidden();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(none).toBeVisible();
});

test('the workbench fits a phone, where a boundary is moved by taps', async ({
  api,
  admin,
  server,
  browser,
}) => {
  const { sheet } = await makeSheet({ api, admin: new Api(server.url, admin.token) }, EXAMPLE);
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await signIn(page, admin);
  await open(page, sheet, server.url);
  await expect(page.getByRole('button', { name: '5 marks' })).toHaveAttribute('aria-pressed', 'true');
  await handle(page, 'B').tap();
  await page.getByRole('button', { name: 'B: 0.1 higher' }).tap();
  await page.getByRole('button', { name: 'B: 0.1 higher' }).tap();
  await expect(boundary(page, 'B')).toHaveValue('75.20');
  await expectNoSeriousAxeFindings(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoSeriousAxeFindings(page, ['color-contrast']);
  await expectNoSidewaysScrolling(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScrolling(page);
  await context.close();
});

test('a sheet that is submitted meanwhile shows what was stored, and its boundaries don’t move', async ({
  page,
  api,
  admin,
  server,
}) => {
  const adminApi = new Api(server.url, admin.token);
  const { sheet } = await makeSheet({ api, admin: adminApi }, EXAMPLE);
  await signIn(page, admin);
  await open(page, sheet);
  await handle(page, 'A').focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(handle(page, 'A')).toHaveAttribute('aria-valuenow', '84');
  // Somebody else submits it as it is stored: what was not stored is not shown as if it were.
  await api.post(`/api/sheets/${sheet.sheet_id}/submit`, {
    reasons: {},
  });
  await expect(page.getByText('The sheet is submitted.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save boundaries' })).toHaveCount(0);
  await handle(page, 'A').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(handle(page, 'A')).toHaveAttribute('aria-valuenow', '85');
  await expect(handle(page, 'A')).toHaveAttribute('aria-readonly', 'true');
});
