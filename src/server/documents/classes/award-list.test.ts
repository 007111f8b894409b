import { describe, expect } from 'vitest';
import {
  aClass,
  confirmSheet,
  createSheet,
  FULL_SETUP,
  fillSheet,
  submitSheet,
} from '../../../../tests/support/app/mark-sheets.ts';
import { type Person, sharedApps, type TestApp } from '../../../../tests/support/app/test-app.ts';
import { readPdf } from '../../../../tests/support/read-pdf.ts';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';

const getPath = ({ sheet_id }: Pick<Sheet, 'sheet_id'>) => `/api/sheets/${sheet_id}/award-list.pdf`;

async function fetchList(app: TestApp, { token }: Person, sheet: Pick<Sheet, 'sheet_id'>) {
  const answer = await app.app.inject({ url: getPath(sheet), headers: { authorization: `Bearer ${token}` } });
  return { status: answer.statusCode, headers: answer.headers, pdf: answer.rawPayload };
}

async function readList(app: TestApp, person: Person, sheet: Sheet) {
  const { status, pdf } = await fetchList(app, person, sheet);
  expect(status).toBe(200);
  return readPdf(pdf);
}

describe.each(sharedApps())('the award list of a mark sheet, on $name', ({ test }) => {
  test('has marks, totals, grades, boundaries and counts of a draft, and says that it is not confirmed', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 5);
    const sheet = await fillSheet(staff, await createSheet(staff, own), [88.25, 71, 'A', 60, 40]);
    const [first, second, third, fourth] = own.ids;
    const rows = `/api/sheets/${sheet.sheet_id}/rows`;
    for (const [id, status] of [
      [fourth, 'incomplete'],
      [own.ids[4], 'withdrawn'],
    ] as const) {
      const answer = await staff.put(`${rows}/${id}`, { status, reason: 'Asked for it', semester: null });
      expect(answer.status, answer.text).toBe(200);
    }
    const { status, headers, pdf } = await fetchList(app, staff, sheet);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="award-list-${sheet.sheet_id}.pdf"`,
    });
    const { pages, sizes, title } = await readPdf(pdf);
    const [page = ''] = pages;
    expect(sizes).toEqual([{ width: 842, height: 595 }]);
    expect(title).toContain(
      `${sheet.course_code} Signals, Computer and Software Engineering, Batch ${own.degree}, semester 1`,
    );
    expect(page).toContain('page 1 of 1');
    expect(page).toMatch(/CMS ID Name Final of 100 Total Grade/);
    expect(page).toMatch(
      new RegExp(`1 ${first} .+ 88\\.25 88\\.25 A 2 ${second} .+ 71 71\\.00 \\S+ 3 ${third}`),
    );
    expect(page).toMatch(new RegExp(`${third} \\D+ A 0\\.00 F 4 ${fourth} .+ 60 60\\.00 I`));
    expect(page).toMatch(/40 40\.00 W/);
    expect(page).toMatch(/Boundaries A \d+\.\d\d, .+, F below/);
    expect(page).toMatch(/Counts 5 students, A 1, .*F 1, I 1, W 1, mean/);
    expect(page).toContain('Weights Final 100 %');
    expect(page).toContain('NOT CONFIRMED');
    expect(page).toContain('Draft, not confirmed: marks and grades may change');
    expect(page).toMatch(/Teacher Coordinator Head of department Name Date Name Date Name Date/);
  });

  test('has the attendance of who has some, and names who is short, condoned and barred', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 3);
    const sheet = await fillSheet(staff, await createSheet(staff, own), [88, 71]);
    const [first, second, third] = own.ids;
    expect((await readList(app, staff, sheet)).pages.join(' ')).not.toContain('Attendance');
    const path = `/api/sheets/${sheet.sheet_id}`;
    const stored = await staff.put(`${path}/attendance`, {
      rows: [
        { student_id: first, theory: { held: 30, attended: 22 } },
        { student_id: second, theory: { held: 30, attended: 21 } },
      ],
    });
    expect(stored.status, stored.text).toBe(200);
    const reason = 'A medical board has said so.';
    expect((await admin.put(`${path}/rows/${second}/condone`, { reason })).status).toBe(200);
    expect((await staff.put(`${path}/rows/${third}`, { status: 'barred', reason })).status).toBe(200);
    const page = (await readList(app, staff, sheet)).pages.join(' ');
    expect(page).toMatch(new RegExp(`${first} .+ 88 73\\.33 88\\.00`));
    expect(page).not.toContain('lab %');
    expect(page).toContain(`Short: ${first}.`);
    expect(page).toContain(`Condoned: ${second}.`);
    expect(page).toContain(`Not admitted to the final: ${third}.`);
  });

  test('says by whom and when a sheet was submitted, then confirmed, with its checksum', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 2);
    const sheet = await fillSheet(staff, await createSheet(staff, own), [88, 71]);
    await submitSheet(staff, sheet);
    const submitted = (await readList(app, admin, sheet)).pages.join(' ');
    expect(submitted).toContain('Submitted, not confirmed');
    expect(submitted).toContain(`Not confirmed. Submitted by ${staff.user.name}, `);
    const { checksum, confirmed_at } = await confirmSheet(admin, sheet);
    const confirmed = (await readList(app, staff, sheet)).pages.join(' ');
    expect(confirmed).not.toMatch(/not confirmed/i);
    expect(confirmed).toContain(`Submitted by ${staff.user.name}, `);
    expect(confirmed).toContain(`Confirmed by ${admin.user.name}, `);
    expect(confirmed).toContain(`${confirmed_at?.slice(11, 16)} UTC. Checksum ${checksum}. Provisional`);
  });

  test('repeats its head on each page of a large class, and says on each that it is not confirmed', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 60);
    const sheet = await createSheet(staff, own, { categories: FULL_SETUP });
    const { pages } = await readList(app, staff, sheet);
    expect(pages.length).toBeGreaterThan(1);
    pages.forEach((page, i) => {
      expect(page).toContain(`page ${i + 1} of ${pages.length}`);
      expect(page).toContain('NOT CONFIRMED');
      expect(page).toContain('Quiz 5');
    });
    const text = pages.join(' ');
    for (const id of own.ids) expect(text.split(id)).toHaveLength(2);
    expect(text).toContain('Quizzes 10 %, best 4 of 5; Assignments 10 %');
  });

  test('continues fifty components with long names on further pages, with each student on all of them', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 2);
    await app.db.write
      .updateTable('students')
      .set({ first_name: 'Muhammad Abdullah Zulfiqar ', last_name: 'ul-Haq '.repeat(20).trim() })
      .where('id', '=', own.ids[0] ?? '')
      .execute();
    const components = Array.from({ length: 50 }, (_, i) => ({
      name: `Laboratory report ${i + 1} on the measured response`,
      max: 10,
    }));
    const categories = [{ name: 'Laboratory', weight: 100, best_of: null, components }];
    const sheet = await createSheet(staff, own, { categories });
    const { pages } = await readList(app, staff, sheet);
    const tables = pages.filter((page) => page.includes('CMS ID'));
    expect(tables.length).toBeGreaterThan(1);
    for (const page of tables) for (const id of own.ids) expect(page).toContain(id);
    const text = tables.join(' ');
    for (let i = 1; i <= 50; i += 1) expect(text.split(`report ${i} `)).toHaveLength(2);
    expect(text.match(/ul-Haq/g)).toHaveLength(20 * tables.length);
  });

  test('is for staff, and refused for a sheet that there is not or that has no students', async ({
    app,
    admin,
    staff,
    viewer,
  }) => {
    const own = await aClass({ app, admin }, 1);
    const sheet = await createSheet(staff, own);
    expect((await fetchList(app, viewer, sheet)).status).toBe(403);
    expect((await app.app.inject({ url: getPath(sheet) })).statusCode).toBe(401);
    expect((await fetchList(app, staff, { sheet_id: 2_000_000_000 })).status).toBe(404);
    const id = own.ids[0];
    expect((await staff.delete(`/api/sheets/${sheet.sheet_id}/students/${id}`)).status).toBe(200);
    const refused = await fetchList(app, staff, sheet);
    expect(refused.status).toBe(409);
    expect(refused.pdf.toString()).toContain('no students');
  });

  test('leaves an entry in the history', async ({ app, admin, staff }) => {
    const sheet = await createSheet(staff, await aClass({ app, admin }, 1));
    await readList(app, staff, sheet);
    const { text } = await admin.get('/api/history?entity=export');
    expect(text).toContain('award-list');
    expect(text).toContain(JSON.stringify(JSON.stringify({ sheet_id: sheet.sheet_id })));
  });
});
