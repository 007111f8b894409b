import { describe, expect } from 'vitest';
import { aClass, createSheet, FULL_SETUP, fillSheet } from '../../../tests/support/app/mark-sheets.ts';
import { sharedApps } from '../../../tests/support/app/test-app.ts';
import { parseCsv } from '../../../tests/support/csv.ts';
import { historyReply } from '../../contract/history.ts';

describe.each(sharedApps())('the marks of a sheet as CSV, on $name', ({ test }) => {
  test('have the IDs, names, marks, totals and grades in the order of the sheet', async ({
    app,
    admin,
    staff,
    viewer,
  }) => {
    const own = await aClass({ app, admin }, ['10', '9', '2']);
    const sheet = await fillSheet(staff, await createSheet(staff, own), [90, 'A']);
    const path = `/api/sheets/${sheet.sheet_id}`;
    const [, second, third] = sheet.rows;
    const withdrawn = { status: 'withdrawn', reason: 'Left in May', semester: null };
    await staff.put(`${path}/rows/${third?.student_id}`, withdrawn);
    const answer = await viewer.get(`${path}/marks.csv`);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="marks-${sheet.sheet_id}.csv"`,
    });
    expect(answer.text.startsWith('\uFEFF')).toBe(true);
    const name = `${second?.first_name} ${second?.last_name}`;
    expect(parseCsv(answer.text.slice(1))).toEqual([
      ['CMS ID', 'Name', 'Final', 'Total', 'Grade'],
      [`${own.degree}-2`, name, '90', '90', 'A'],
      [`${own.degree}-9`, name, 'A', '0', 'F'],
      [`${own.degree}-10`, name, '', '', 'W'],
    ]);
    expect((await app.call('GET', `${path}/marks.csv`)).status).toBe(401);
    expect((await staff.get('/api/sheets/999999/marks.csv')).status).toBe(404);
  });

  test('have no cell that a spreadsheet would run, and tell equal components apart', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 1);
    const categories = ['=Lab', 'Theory'].map((name) => ({
      ...{ name, weight: 50, best_of: null },
      components: [{ name: 'Final', max: 100 }],
    }));
    const sheet = await createSheet(staff, own, { categories });
    const { text } = await staff.get(`/api/sheets/${sheet.sheet_id}/marks.csv`);
    expect(parseCsv(text.slice(1))[0]).toEqual([
      'CMS ID',
      'Name',
      "'=Lab: Final",
      'Theory: Final',
      'Total',
      'Grade',
    ]);
  });

  test('leave an entry in the history', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 1);
    const sheet = await createSheet(staff, own, { categories: FULL_SETUP });
    await staff.get(`/api/sheets/${sheet.sheet_id}/marks.csv`);
    const { entries } = historyReply.parse((await admin.get('/api/history?entity=export')).body);
    expect(JSON.stringify(entries)).toContain(`"sheet_id\\":${sheet.sheet_id}`);
  });
});
