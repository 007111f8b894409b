import type { IssuedDocument } from '../../../src/contract/documents/documents.ts';
import type { Hold } from '../../../src/contract/students/holds.ts';
import { Api } from '../../support/api.ts';
import { aHold } from '../../support/app/holds.ts';
import { expect, signIn, test } from '../../support/browser/fixtures.ts';
import { expectAccessible, follow } from '../../support/browser/screens.ts';
import { type Subject, unique } from '../../support/records.ts';

const RESULTS: readonly (readonly Subject[])[] = [[{ title: 'Calculus', credits: 3, grade: 'A' }]];
const REASON = 'The embassy closes tomorrow, the dean agreed.';

test('a hold is placed on the record, keeps papers back but for one with a reason, and is released', async ({
  page,
  api,
  server: { url },
  admin,
  account,
  expectedProblems,
}) => {
  expectedProblems.add(422);
  const degree = unique();
  const make = (last_name: string) =>
    api.createRecord(RESULTS, { degree, last_name, first_name: 'Fizza', id: `${degree}-${last_name}` });
  const { id } = await make('Naqvi');
  await make('Sabzwari');
  const holdsOf = () => api.get<Hold[]>(`/api/students/${id}/holds`);

  await test.step('staff place one by keyboard, with what it blocks and a reason', async () => {
    await signIn(page, account);
    await page.goto(`/students/${id}`);
    await expect(page.getByRole('navigation', { name: 'Student', exact: true })).toBeVisible();
    await page.keyboard.press('4');
    await expect(page.getByRole('heading', { name: 'Nothing is on hold' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Place a hold' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Place a hold' });
    await expect(dialog.getByRole('combobox', { name: 'Kind' })).toBeFocused();
    for (const name of ['Official documents', 'Certificates'])
      await dialog.getByRole('checkbox', { name }).uncheck();
    await dialog.getByLabel('Reason').fill('Dues of Fall 2026 are open.');
    await dialog.getByRole('button', { name: 'Place hold' }).press('Enter');
    await expect(dialog.getByText('Choose at least one.')).toBeVisible();
    await dialog.getByRole('checkbox', { name: 'Official documents' }).press('Space');
    await dialog.getByLabel('Until').fill('2020-01-01');
    await dialog.getByRole('button', { name: 'Place hold' }).press('Enter');
    await expect(dialog.getByLabel('Until')).toBeFocused();
    await expect(dialog.getByText('The last day must not be before the first one.')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByLabel('Until').fill('');
    await dialog.getByRole('button', { name: 'Place hold' }).press('Enter');
    await expect(dialog).toBeHidden();
    const card = page.getByRole('article', { name: 'Fees' });
    await expect(card).toContainText('Dues of Fall 2026 are open.');
    await expect(card).toContainText(account.user.name);
    await expect(card.getByRole('button')).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Hold: fees' })).toBeVisible();
    expect(await holdsOf()).toMatchObject([
      { kind: 'fees', blocks: ['official-documents'], state: 'active' },
    ]);
    await expectAccessible(page);
  });

  await test.step('the paper is held back, for staff without a way around it', async () => {
    await page.keyboard.press('i');
    const dialog = page.getByRole('dialog', { name: 'Issue documents' });
    const panel = dialog.getByRole('region', { name: 'A hold blocks this paper' });
    await expect(panel).toContainText('Dues of Fall 2026 are open.');
    await expect(panel.getByRole('checkbox')).toHaveCount(0);
    await expect(dialog.getByRole('button', { name: 'Issue', exact: true })).toBeDisabled();
    await dialog.getByRole('radio', { name: 'Unofficial' }).check();
    await expect(panel).toBeHidden();
    await expect(dialog.getByRole('button', { name: 'Make' })).toBeEnabled();
    await page.keyboard.press('Escape');
  });

  await test.step('those of a batch who are on hold are named, the others get theirs', async () => {
    await follow(page, `/students?degree=${degree}`);
    await page.getByRole('checkbox', { name: 'Select all loaded students' }).check();
    await page.getByRole('button', { name: 'Issue documents' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Issue documents for 2 students' });
    const held = dialog.getByRole('region', { name: '1 is held and gets no paper' });
    await expect(held.getByRole('listitem')).toContainText(`fees, since`);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Issue 1 transcript' }).press('Enter');
    await expect(dialog.getByText('1 transcript issued.')).toBeVisible();
    await expect(held).toBeVisible();
    await held.getByRole('link', { name: 'Open' }).press('Enter');
    await expect(page).toHaveURL(`/students/${id}/holds`);
  });

  await test.step('an administrator issues one paper with a reason, which the hold names', async () => {
    await signIn(page, admin);
    await page.goto(`/students/${id}`);
    await page.getByRole('button', { name: 'Issue documents' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Issue documents' });
    await dialog.getByRole('checkbox', { name: 'Issue this one paper all the same' }).press('Space');
    const issue = dialog.getByRole('button', { name: 'Issue', exact: true });
    await expect(issue).toBeDisabled();
    await dialog.getByLabel('Reason').fill(REASON);
    await expect(issue).toBeEnabled();
    await expectAccessible(page);
    await issue.press('Enter');
    await expect(dialog.getByText('1 transcript issued.')).toBeVisible();
    const [issued] = await api.get<IssuedDocument[]>(`/api/documents?student_id=${id}`);
    expect(issued?.override).toMatchObject({ reason: REASON, by: { name: admin.user.name } });
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Hold: fees' }).press('Enter');
    await expect(page.getByText(`Issued in spite of it: ${issued?.serial}`)).toBeVisible();
  });

  await test.step('the list of holds is filtered, and a hold is released there with a reason', async () => {
    const ofAdmin = new Api(url, admin.token);
    await ofAdmin.post(`/api/students/${id}/holds`, aHold({ kind: 'library' }));
    await follow(page, '/documents/holds');
    await page.getByLabel('Name or ID').fill(`${degree}-Na`);
    const rows = page.getByRole('table', { name: 'Holds' }).getByRole('row');
    await expect(rows).toHaveText([
      /Reason/,
      /Fizza Naqvi.*Library/,
      /Fizza Naqvi.*Fees.*1 paper issued in spite/,
    ]);
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('Fees');
    await expect(rows).toHaveCount(2);
    await expect(page).toHaveURL(/kind=fees/);
    await expect(page.getByText('1 active hold', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Release the hold of Fizza Naqvi: Fees' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Release the hold: fees' });
    await dialog.getByLabel('Reason').fill('The dues are paid.');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Release hold' }).press('Enter');
    await expect(page.getByRole('heading', { name: 'No hold matches' })).toBeVisible();
    await page.getByRole('combobox', { name: 'State' }).selectOption('Released');
    await expect(rows.nth(1)).toContainText('“The dues are paid.”');
    await rows.nth(1).getByRole('link', { name: 'Fizza Naqvi' }).press('Enter');
    await expect(page.getByRole('article', { name: 'Fees' })).toContainText('Released');
    expect((await holdsOf()).map(({ state }) => state).toSorted()).toEqual(['active', 'released']);
  });
});
