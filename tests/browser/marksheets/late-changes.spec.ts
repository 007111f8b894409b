import type { Sheet } from '../../../src/contract/marksheets/sheets.ts';
import { Api } from '../../support/api.ts';
import { expect, signIn, test } from '../../support/browser/fixtures.ts';
import { field } from '../../support/browser/forms.ts';
import { expectAccessible } from '../../support/browser/screens.ts';
import { unique } from '../../support/records.ts';

test('after the last day an administrator takes a student off the list with a reason, staff do not', async ({
  page,
  admin,
  account,
  server,
  expectedProblems,
}) => {
  expectedProblems.add(409).add(422);
  const api = new Api(server.url, admin.token);
  const degree = unique();
  const name = `Fall ${unique()}`;
  const { term } = await api.post<{ term: { term_id: number } }>('/api/terms', {
    ...{ name, starts_on: '2020-01-06', ends_on: '2020-06-19' },
    ...{ add_until: '2020-01-20', drop_until: '2020-01-27', withdraw_until: '2020-02-17' },
  });
  const { course_id } = await api.createCourse();
  const long = `Muhammad ${'Abdul-Rahman-ibn-Khalid '.repeat(3)}`.trim();
  for (const first_name of [long, 'Waleed'])
    await api.createRecord([], { department: 'CE', degree, first_name, current_sem: 1 });
  const { sheet } = await api.post<{ sheet: Sheet }>('/api/sheets', {
    ...{ course_id, term_id: term.term_id, title: 'Signals', credits: 3, semester: 1 },
    ...{ department: 'CE', degree },
    categories: [{ name: 'Final', weight: 100, components: [{ name: 'Final', max: 100 }] }],
  });
  const takeOff = page.getByRole('button', {
    name: new RegExp(`^Take ${long.slice(0, 20)}.* off the list$`),
  });
  const rows = page.getByRole('table', { name: 'Class list' }).getByRole('row');

  await test.step('staff are told what to do instead', async () => {
    await signIn(page, account);
    await page.goto(`/marksheets/${sheet.sheet_id}/class`);
    await takeOff.press('Enter');
    await page.getByRole('button', { name: 'Yes' }).press('Enter');
    await expect(page.getByText('Set the status withdrawn instead.')).toBeVisible();
    await expect(rows).toHaveCount(3);
  });

  await test.step('an administrator is asked for the reason, which stands in the history', async () => {
    await signIn(page, admin);
    await page.goto(`/marksheets/${sheet.sheet_id}/class`);
    await takeOff.press('Enter');
    await expect(page.getByText(/^Students were dropped until 27 January 2020\./)).toBeVisible();
    await expect(field(page, 'Reason')).toBeFocused();
    await page.keyboard.type('Short');
    await page.getByRole('button', { name: 'Take off' }).press('Enter');
    await expect(field(page, 'Reason')).toHaveAccessibleDescription(/at least 10 characters/);
    await expectAccessible(page);
    await field(page, 'Reason').fill('Never attended, dean’s office 41.');
    await page.getByRole('button', { name: 'Take off' }).press('Enter');
    await expect(rows).toHaveCount(2);
    const history = await api.get(`/api/history?entity=sheet&entity_id=${sheet.sheet_id}`);
    expect(JSON.stringify(history)).toContain('Never attended, dean’s office 41.');
  });

  await test.step('the list of terms has the last days', async () => {
    await page.goto('/settings/terms');
    await expect(page.getByRole('row').filter({ hasText: name })).toContainText('27 January 2020');
    await expectAccessible(page);
  });
});
