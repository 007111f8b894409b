import { describe, expect } from 'vitest';
import {
  aClass,
  createSheet,
  fillSheet,
  getSheet,
  ONE_COMPONENT,
} from '../../../../tests/support/app/mark-sheets.ts';
import {
  getFieldErrors,
  type Person,
  sharedApps,
  type TestApp,
} from '../../../../tests/support/app/test-app.ts';
import { checksReply, proposeReply } from '../../../contract/marksheets/grading.ts';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import { runChecks } from '../../verify/checks.ts';

/** Example 1 of the rules. */
const THIRTY_MARKS = [
  ...[95, 91, 88, 86, 84, 82, 80, 79, 78, 76, 75, 74, 73, 72, 71],
  ...[70, 69, 68, 66, 65, 63, 61, 60, 58, 55, 52, 49, 44, 38, 24],
];
const MOVED = [82, 74, 66, 58, 50.86, 42.98, 35.11];

const getPath = ({ sheet_id }: Sheet) => `/api/sheets/${sheet_id}`;

/** A sheet of a class of its own with these totals. */
async function aFilledSheet(
  people: { app: TestApp; admin: Person; staff: Person },
  marks: readonly (number | string)[],
): Promise<Sheet> {
  const own = await aClass(people, marks.length);
  return fillSheet(people.staff, await createSheet(people.staff, own), marks);
}

const propose = async (person: Person, sheet: Sheet, input: object) => {
  const answer = await person.post(`${getPath(sheet)}/boundaries/propose`, input);
  expect(answer.status, answer.text).toBe(200);
  return proposeReply.parse(answer.body);
};
const counts = (
  a: number,
  bPlus: number,
  b: number,
  cPlus: number,
  c: number,
  dPlus: number,
  d: number,
  f: number,
) => ({
  ...{ A: a, 'B+': bPlus, B: b, 'C+': cPlus, C: c, 'D+': dPlus, D: d, F: f },
});

describe.each(sharedApps())('boundaries of mark sheets, on $name', ({ test }) => {
  test('are proposed as in example 1, with the floor of policy 1', async ({ app, admin, staff, viewer }) => {
    const sheet = await aFilledSheet({ app, admin, staff }, THIRTY_MARKS);
    expect(sheet.stats).toEqual({ n: 30, mean: 68.2, std_dev: 15.76 });
    const proposal = await propose(viewer, sheet, { method: 'mean-sd' });
    expect(proposal).toMatchObject({
      boundaries: [82.38, 74.5, 66.62, 58.74, 50.86, 42.98, 35.11],
      counts: counts(5, 6, 7, 5, 3, 2, 0, 2),
      mean_points: 2.78,
      ...{ stats: { n: 30, mean: 68.2, std_dev: 15.76 }, refused: null, warnings: [] },
    });
    expect(proposal.shares).toMatchObject({ A: 0.17, F: 0.07 });
    expect(proposal.borderline.map(({ total, next_letter }) => [total, next_letter])).toEqual([
      [82, 'A'],
      [74, 'B+'],
      [66, 'B'],
      [58, 'C+'],
    ]);
    expect((await getSheet(staff, sheet.sheet_id)).version).toBe(sheet.version);
  });

  test('are refused for a small class, and shown with fixed boundaries', async ({ app, admin, staff }) => {
    const sheet = await aFilledSheet({ app, admin, staff }, [91, 90, 89, 88, 87, 60]);
    expect(sheet.stats).toEqual({ n: 6, mean: 84.17, std_dev: 10.88 });
    const refused = await propose(staff, sheet, { method: 'mean-sd' });
    expect(refused).toMatchObject({
      boundaries: null,
      counts: counts(0, 0, 0, 0, 0, 0, 0, 0),
      refused: 'A class is graded relatively from 10 students with a total on; this one has 6.',
    });
    expect((await propose(staff, sheet, {})).counts).toEqual(counts(5, 0, 0, 0, 0, 1, 0, 0));
    const answer = await staff.put(`${getPath(sheet)}/boundaries`, {
      ...{ method: 'mean-sd', boundaries: MOVED, reason: null },
    });
    expect(getFieldErrors(answer)).toEqual({ method: [refused.refused] });
  });

  test('give at most as many A as a share allows where totals are equal, as in example 3', async ({
    app,
    admin,
    staff,
  }) => {
    const marks = [93, 90, 88, 88, ...Array.from({ length: 16 }, (_, i) => 80 - 2 * i)];
    const sheet = await aFilledSheet({ app, admin, staff }, marks);
    const { boundaries, counts: found } = await propose(staff, sheet, { method: 'quantile' });
    expect(boundaries?.[0]).toBe(90);
    expect(found.A).toBe(2);
  });

  test('are stored, with a reason where a warning stands and some were moved', async ({
    app,
    admin,
    staff,
    viewer,
  }) => {
    const sheet = await aFilledSheet({ app, admin, staff }, THIRTY_MARKS);
    const path = `${getPath(sheet)}/boundaries`;
    const input = { method: 'mean-sd', params: {}, step: 0.01, boundaries: MOVED };
    expect((await viewer.put(path, input)).status).toBe(403);
    const stored = await staff.put(path, input);
    expect(stored).toMatchObject({
      status: 200,
      body: {
        sheet: { method: 'mean-sd', boundaries: MOVED, boundaries_stored: true, boundaries_reason: null },
      },
    });
    const { counts: moved, mean_points } = await propose(staff, sheet, {
      ...{ method: 'absolute', params: { boundaries: MOVED } },
    });
    // Example 1 moved by hand, with the floor of policy 1: the one D is an F.
    expect([moved, mean_points]).toEqual([counts(6, 6, 7, 5, 2, 2, 0, 2), 2.85]);

    const generous = { ...input, boundaries: [79, 74, 66, 58, 50, 42, 35] };
    expect(getFieldErrors(await staff.put(path, generous))).toEqual({
      reason: [expect.stringContaining('8 of 30 students have an A')],
    });
    const given = await staff.put(path, { ...generous, reason: 'A strong class this year' });
    expect(given).toMatchObject({
      status: 200,
      body: { sheet: { boundaries_reason: 'A strong class this year' } },
    });
    expect(
      getFieldErrors(await staff.put(path, { ...input, boundaries: [80, 81, 70, 60, 50, 40, 30] })),
    ).toEqual({
      boundaries: ['The boundaries must fall from A to D.'],
    });
    expect(getFieldErrors(await staff.put(path, { ...input, boundaries: [80] }))).toEqual({
      boundaries: ['The boundaries must be seven numbers, for the letters A to D.'],
    });
  });

  test('give letters to the rows at once', async ({ app, admin, staff }) => {
    const sheet = await aFilledSheet({ app, admin, staff }, THIRTY_MARKS);
    const input = { method: 'mean-sd', boundaries: MOVED };
    expect((await staff.put(`${getPath(sheet)}/boundaries`, input)).status).toBe(200);
    const { rows } = await getSheet(staff, sheet.sheet_id);
    expect(rows.slice(0, 7).map(({ letter }) => letter)).toEqual(['A', 'A', 'A', 'A', 'A', 'A', 'B+']);
    expect(rows.at(-1)).toMatchObject({ total: 24, letter: 'F', points: 0 });
  });
});

describe.each(sharedApps())('mark sheets on their way to a second person, on $name', ({ test }) => {
  test('are checked: empty cells refuse, shares and the class list warn', async ({
    app,
    admin,
    staff,
    viewer,
  }) => {
    const own = await aClass({ app, admin }, 4);
    const created = await createSheet(staff, own, { ids: own.ids.slice(0, 3) });
    const sheet = await fillSheet(staff, created, [90, 88]);
    const { refusals, warnings } = checksReply.parse((await viewer.get(`${getPath(sheet)}/checks`)).body);
    expect(refusals).toEqual([
      { rule: 'empty-cells', text: 'Cells of 1 student are empty.', student_ids: [own.ids[2]] },
    ]);
    expect(warnings.map(({ rule, student_ids }) => [rule, student_ids])).toEqual([
      ['max-a-share', []],
      ['class-list', [own.ids[3]]],
    ]);
    const refused = await staff.post(`${getPath(sheet)}/submit`, { reasons: {} });
    expect(refused).toMatchObject({ status: 409, body: { refusals } });
  });

  test('are checked against what the method says of the class as it is now', async ({
    app,
    admin,
    staff,
  }) => {
    const marks = [95, 90, 85, 80, 75, 70, 65, 60, 55, 50, 45];
    const sheet = await aFilledSheet({ app, admin, staff }, marks);
    const path = getPath(sheet);
    const check = async () => checksReply.parse((await staff.get(`${path}/checks`)).body);
    const { boundaries } = await propose(staff, sheet, { method: 'mean-sd' });
    expect((await staff.put(`${path}/boundaries`, { method: 'mean-sd', boundaries })).status).toBe(200);
    const before = await check();
    expect(before.refusals).toEqual([]);
    expect(before.warnings.map(({ rule }) => rule)).not.toContain('other-proposal');

    const component_id = sheet.categories[0]?.components[0]?.component_id;
    const cells = sheet.rows
      .slice(5)
      .map(({ student_id, total }) => ({ student_id, component_id, value: 94, was: total }));
    expect((await staff.put(`${path}/cells`, { cells })).status).toBe(200);
    expect((await check()).warnings).toContainEqual({
      rule: 'other-proposal',
      text: 'The method proposes other boundaries now than when the boundaries were stored.',
      student_ids: [],
    });

    for (const { student_id } of sheet.rows.slice(5)) {
      expect((await staff.delete(`${path}/students/${student_id}`)).status).toBe(200);
    }
    const text =
      'The stored boundaries don’t hold: their method refuses the class as it is now. A class is graded relatively from 10 students with a total on; this one has 5. Choose another one under Grades.';
    expect((await check()).refusals).toEqual([{ rule: 'no-boundaries', text, student_ids: [] }]);
    expect(await staff.post(`${path}/submit`, { reasons: {} })).toMatchObject({
      ...{ status: 409, body: { message: `The mark sheet can’t be submitted. ${text}` } },
    });
  });

  test('are submitted with a reason for each warning, and are read-only then', async ({
    app,
    admin,
    staff,
  }) => {
    const sheet = await aFilledSheet({ app, admin, staff }, [90, 70]);
    const submit = (reasons: object) => staff.post(`${getPath(sheet)}/submit`, { reasons });
    expect(getFieldErrors(await submit({ 'max-a-share': 'short' }))).toEqual({
      'reasons.max-a-share': [expect.stringContaining('A reason of at least 10 characters is needed.')],
    });
    const reasons = { 'max-a-share': 'Only two students took it' };
    const submitted = await submit(reasons);
    expect(submitted).toMatchObject({
      status: 200,
      body: {
        sheet: {
          ...{ state: 'submitted', policy_id: 1, boundaries_stored: true, submit_reasons: reasons },
          submitted_by: { id: staff.user.id },
        },
      },
    });
    expect((await submit(reasons)).status).toBe(409);
    const path = getPath(sheet);
    const { title, credits, categories, rows } = sheet;
    const component_id = categories[0]?.components[0]?.component_id;
    const cell = { student_id: rows[0]?.student_id, component_id, value: 1, was: 90 };
    const answers = await Promise.all([
      staff.put(path, { title, credits, categories }),
      staff.put(`${path}/cells`, { cells: [cell] }),
      staff.put(`${path}/rows/${rows[0]?.student_id}`, { status: 'excused' }),
      staff.put(`${path}/boundaries`, { method: 'absolute', boundaries: MOVED }),
      staff.post(`${path}/students`, { ids: [rows[0]?.student_id] }),
      staff.delete(`${path}/students/${rows[0]?.student_id}`),
      staff.delete(path),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409, 409, 409]);
    expect((await getSheet(staff, sheet.sheet_id)).rows).toEqual(rows);
  });

  test('are taken back by the submitter or an administrator, and never deleted then', async ({
    app,
    admin,
    staff,
  }) => {
    const other = await app.register();
    const sheet = await aFilledSheet({ app, admin, staff }, [70, 65, 62, 58, 55]);
    const takeBack = (person: Person, reason: string) =>
      person.post(`${getPath(sheet)}/take-back`, { reason });
    expect((await takeBack(staff, 'Not submitted yet')).status).toBe(409);
    expect((await staff.post(`${getPath(sheet)}/submit`, { reasons: {} })).status).toBe(200);
    expect((await takeBack(other, 'Somebody else’s sheet')).status).toBe(403);
    expect(getFieldErrors(await takeBack(staff, ''))).toHaveProperty('reason');
    expect(await takeBack(staff, 'A script turned up')).toMatchObject({
      status: 200,
      body: { sheet: { state: 'draft', was_submitted: true, sent_back: null } },
    });
    expect((await staff.delete(getPath(sheet))).status).toBe(409);
    expect((await staff.post(`${getPath(sheet)}/submit`, {})).status).toBe(200);
    const reason = 'An administrator may too';
    expect(await takeBack(admin, reason)).toMatchObject({
      status: 200,
      body: { sheet: { sent_back: { reason, by: { id: admin.user.id, name: admin.user.name } } } },
    });
    const lines: string[] = [];
    await runChecks(app.db.read, (line) => lines.push(line));
    expect(lines.filter((line) => line.includes(`Mark sheet ${sheet.sheet_id}:`))).toEqual([]);
    expect(await staff.post(`${getPath(sheet)}/submit`, {})).toMatchObject({
      body: { sheet: { sent_back: null } },
    });
  });

  test('can be submitted by one of two people at once', async ({ app, admin, staff }) => {
    const sheet = await aFilledSheet({ app, admin, staff }, [70, 65, 62, 58, 55]);
    const answers = await Promise.all(
      [staff, admin].map((person) => person.post(`${getPath(sheet)}/submit`, { reasons: {} })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('are refused with a component that nobody has filled for excused students only', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 2);
    const sheet = await fillSheet(staff, await createSheet(staff, own, { categories: ONE_COMPONENT }), [
      70,
      'E',
    ]);
    const { refusals } = checksReply.parse((await staff.get(`${getPath(sheet)}/checks`)).body);
    expect(refusals).toMatchObject([{ rule: 'no-total', student_ids: [own.ids[1]] }]);
    expect(
      (await staff.put(`${getPath(sheet)}/rows/${own.ids[1]}`, { status: 'excused', reason: 'Transfer' }))
        .status,
    ).toBe(200);
    expect((await staff.post(`${getPath(sheet)}/submit`, { reasons: {} })).status).toBe(200);
  });
});
