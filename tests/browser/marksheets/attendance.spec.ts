import type { Sheet } from '../../../src/contract/marksheets/sheets.ts';
import { Api } from '../../support/api.ts';
import { expectNoSeriousAxeFindings } from '../../support/browser/accessibility.ts';
import { expect, type Page, signIn, test } from '../../support/browser/fixtures.ts';
import { makeSheet } from '../../support/browser/mark-sheets.ts';
import { expectNoSidewaysScrolling } from '../../support/browser/screens.ts';

const fieldOf = (page: Page, part: 'Theory' | 'Lab', student: number) =>
  page.getByRole('textbox', { name: `${part}, Ali ${student} `, exact: false }).first();

/** The theory of the rows of a sheet as `22/30`, `80%`, or `-` for none. */
async function storedTheory(api: Api, { sheet_id }: Pick<Sheet, 'sheet_id'>): Promise<string[]> {
  const { sheet } = await api.get<{ sheet: Sheet }>(`/api/sheets/${sheet_id}`);
  return sheet.rows.map(({ attendance }) => {
    const theory = attendance?.theory ?? null;
    if (theory === null) return '-';
    return theory.held === null ? `${theory.percent}%` : `${theory.attended}/${theory.held}`;
  });
}

async function pasteText(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const data = new DataTransfer();
    data.setData('text/plain', pasted);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, text);
}

test('attendance is typed, pasted and condoned in the class list, kept, and taken back', async ({
  page,
  server,
  admin,
  api,
  expectedProblems,
}) => {
  const adminApi = new Api(server.url, admin.token);
  const { sheet, ids } = await makeSheet({ api, admin: adminApi }, [80, 70, 60, 50]);
  const stored = (texts: readonly string[]) => expect.poll(() => storedTheory(api, sheet)).toEqual(texts);
  await signIn(page, admin);
  await page.goto(`/marksheets/${sheet.sheet_id}/class`);
  const main = page.getByRole('main');
  const row = (student: number) => page.getByRole('row').filter({ hasText: ids[student - 1] ?? '' });

  await test.step('a count needs how many were held, which H sets for all', async () => {
    await fieldOf(page, 'Theory', 1).focus();
    await page.keyboard.type('22');
    await page.keyboard.press('Enter');
    await expect(row(1)).toContainText('How many were held is not known. Press H, or type 22/30.');
    await expect(fieldOf(page, 'Theory', 2)).toBeFocused();
    await page.keyboard.press('h');
    const dialog = page.getByRole('dialog', { name: 'Theory: how many were held' });
    await dialog.getByRole('textbox', { name: 'Classes held' }).fill('30');
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await stored(['22/30', '-', '-', '-']);
    await expect(fieldOf(page, 'Theory', 2)).toBeFocused();
    await expect(row(1)).toContainText('73.33');
    await expect(row(1).getByTitle('23 of 30 are needed')).toBeVisible();
  });

  await test.step('several lines are pasted from the field on, and taken back as one', async () => {
    await pasteText(page, '27\n28\n29\n');
    await stored(['22/30', '27/30', '28/30', '29/30']);
    await page.keyboard.press('Control+z');
    await stored(['22/30', '-', '-', '-']);
    await page.keyboard.press('Control+y');
    await stored(['22/30', '27/30', '28/30', '29/30']);
    await page.keyboard.type('80 %');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('20/25');
    await page.keyboard.press('ArrowRight');
    await expect(fieldOf(page, 'Lab', 3)).toBeFocused();
    await stored(['22/30', '80%', '20/25', '29/30']);
    await pasteText(page, [`CMS ID\tTheory`, `${ids[3]}\t24`, `${ids[1]}\t26`].join('\n'));
    await page.getByRole('dialog').getByRole('button', { name: 'Paste 2 figures' }).click();
    await stored(['22/30', '26/30', '20/25', '24/30']);
  });

  await test.step('what can’t be is marked, and keeps the sheet from being submitted', async () => {
    await fieldOf(page, 'Theory', 4).fill('31');
    await page.keyboard.press('Enter');
    await expect(row(4)).toContainText('31 is over the 30 that were held.');
    await page.reload();
    await expect(fieldOf(page, 'Theory', 4)).toHaveValue('31/30');
    await page.getByRole('link', { name: 'Confirm', exact: true }).click();
    await expect(
      main.getByText('1 figure of attendance, typed in this browser, is not saved.'),
    ).toBeVisible();
    await main.getByRole('link', { name: 'Go to the class' }).click();
    await fieldOf(page, 'Theory', 4).fill('24');
    await page.keyboard.press('Enter');
    await expect(row(4)).not.toContainText('that were held');
  });

  await test.step('what somebody else has entered meanwhile is not overwritten', async () => {
    const [first = ''] = ids;
    await fieldOf(page, 'Theory', 1).focus();
    await page.keyboard.type('21');
    const rows = [
      {
        student_id: first,
        theory: { held: 30, attended: 25 },
        was: { theory: { held: 30, attended: 22 }, lab: null },
      },
    ];
    const changed = await api.send('PUT', `/api/sheets/${sheet.sheet_id}/attendance`, { rows });
    expect(changed.status).toBe(200);
    await page.keyboard.press('Enter');
    await expect(row(1)).toContainText('Somebody else has entered 25/30. You typed 21/30.');
    await expectNoSeriousAxeFindings(page);
    await row(1).getByRole('button', { name: 'Keep 21/30' }).click();
    await stored(['21/30', '26/30', '20/25', '24/30']);
  });

  await test.step('an administrator condones with a reason, and takes that back', async () => {
    await main.getByRole('button', { name: /Short of attendance 1/ }).click();
    await expect(page.getByRole('row')).toHaveCount(2);
    await page.getByRole('button', { name: 'Condone the attendance of Ali 1' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Medical board 4 of 2027.');
    await dialog.getByRole('button', { name: 'Condone' }).click();
    await expect(row(1)).toContainText('Medical board 4 of 2027.');
    await page.getByRole('button', { name: 'Take back the condoning of Ali 1' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
    await expect(page.getByRole('button', { name: 'Condone the attendance of Ali 1' })).toBeVisible();
    await main.getByRole('button', { name: /Short of attendance/ }).click();
  });

  await test.step('it fits a phone, and paper has texts instead of fields', async () => {
    const size = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScrolling(page);
    if (size !== null) await page.setViewportSize(size);
    await page.emulateMedia({ media: 'print' });
    await expect(fieldOf(page, 'Theory', 1)).toBeHidden();
    await expect(row(1)).toContainText('2170.00');
    await page.emulateMedia({ media: 'screen' });
  });

  await test.step('a submitted sheet is read only, and names what was not stored before', async () => {
    await fieldOf(page, 'Theory', 4).focus();
    await page.keyboard.type('31');
    await page.keyboard.press('Enter');
    expectedProblems.add(409);
    const { warnings } = await api.get<{ warnings: { rule: string }[] }>(
      `/api/sheets/${sheet.sheet_id}/checks`,
    );
    const reasons = Object.fromEntries(warnings.map(({ rule }) => [rule, 'Agreed by the board']));
    await api.post(`/api/sheets/${sheet.sheet_id}/submit`, { reasons });
    await expect(main.getByText('This attendance was typed here and not saved')).toBeVisible();
    await expect(fieldOf(page, 'Theory', 1)).toHaveCount(0);
    await expect(row(1)).toContainText('21');
    await main.getByRole('button', { name: 'Discard it' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
    await expect(main.getByText('This attendance was typed here')).toBeHidden();
  });
});
