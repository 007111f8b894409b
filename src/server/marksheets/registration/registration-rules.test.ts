import { describe, expect } from 'vitest';
import { findings } from '../../../../tests/support/app/findings.ts';
import { createSheet } from '../../../../tests/support/app/mark-sheets.ts';
import { addScheme, addStudent, aRow, refusedFields } from '../../../../tests/support/app/schemes.ts';
import { type Person, sharedApps } from '../../../../tests/support/app/test-app.ts';
import { aCourse, aTerm, unique } from '../../../../tests/support/records.ts';
import { registrationReply, studentsPreviewReply } from '../../../contract/marksheets/registrations.ts';
import { type Sheet, sheetListReply } from '../../../contract/marksheets/sheets.ts';
import { equivalentPreview } from '../../../contract/schemes/equivalents.ts';
import { termSavedReply } from '../../../contract/terms.ts';

async function addCourse(admin: Person): Promise<number> {
  const course = aCourse();
  expect((await admin.post('/api/courses', course)).status).toBe(201);
  return course.course_id;
}

async function addTerm(admin: Person): Promise<number> {
  const days = { add_until: '2099-01-10', drop_until: '2099-01-20', withdraw_until: '2099-02-10' };
  const term = { ...aTerm(), starts_on: '2020-01-01', ends_on: '2099-12-31', ...days };
  return termSavedReply.parse((await admin.post('/api/terms', term)).body).term.term_id;
}

async function addPair(admin: Person, course_id: number, other_id: number, degree: string): Promise<void> {
  const pair = { course_id, other_id, degrees: [degree] };
  const found = await admin.post('/api/equivalents/preview', pair);
  const { fingerprint } = equivalentPreview.parse(found.body);
  const made = await admin.post('/api/equivalents', { ...pair, fingerprint });
  expect(made.status, made.text).toBe(201);
}

/** A sheet of a class without students. */
const addSheet = (staff: Person, term_id: number, course_id: number, changes: object = {}) =>
  createSheet(staff, { degree: unique(), ids: [], term_id, course_id }, changes);

const studentsPath = ({ sheet_id }: Sheet) => `/api/sheets/${sheet_id}/students`;

async function preview(by: Person, sheet: Sheet, id: string) {
  const answer = await by.post(`${studentsPath(sheet)}/preview`, { ids: [id] });
  expect(answer.status, answer.text).toBe(200);
  return studentsPreviewReply.parse(answer.body)[0];
}

describe.each(sharedApps())('the rules of registrations, on $name', ({ test }) => {
  test('take courses of a pair as one: for attempts, needs, and twice in a term', async ({
    app,
    admin,
    staff,
  }) => {
    const degree = unique();
    const [old, current, next] = [await addCourse(admin), await addCourse(admin), await addCourse(admin)];
    const id = await addStudent(staff, degree, [[[old, 'D']]]);
    await addScheme(
      admin,
      [degree],
      [
        aRow([current], { key: 'A' }),
        aRow([next], { key: 'B', semester: 2, needs: [{ course_id: current, kind: 'before' }] }),
      ],
    );
    const term_id = await addTerm(admin);
    const repeat = await addSheet(staff, term_id, current);
    const follows = await addSheet(staff, term_id, next, { semester: 2 });
    const again = await addSheet(staff, term_id, old);
    expect(await preview(staff, repeat, id)).toMatchObject({ attempt: 1, before: null, checks: [] });
    expect(await preview(staff, follows, id)).toMatchObject({ checks: [{ rule: 'needs', state: 'warn' }] });
    await addPair(admin, old, current, degree);
    expect(await preview(staff, repeat, id)).toMatchObject({ attempt: 2, before: 'D', checks: [] });
    expect(await preview(staff, follows, id)).toMatchObject({ checks: [{ rule: 'needs', state: 'met' }] });
    expect((await staff.post(studentsPath(repeat), { ids: [id] })).status).toBe(200);
    expect(await preview(staff, again, id)).toMatchObject({ checks: [{ rule: 'twice', state: 'refused' }] });
    expect(Object.keys(refusedFields(await staff.post(studentsPath(again), { ids: [id] })))).toEqual(['ids']);
    expect(await findings(app)).toEqual([]);
  });

  test('meet a need beside the course by a row in the same term, as long as it is not withdrawn', async ({
    admin,
    staff,
  }) => {
    const degree = unique();
    const [lecture, lab] = [await addCourse(admin), await addCourse(admin)];
    const id = await addStudent(staff, degree);
    await addScheme(
      admin,
      [degree],
      [
        aRow([lecture], { key: 'A' }),
        aRow([lab], { key: 'B', needs: [{ course_id: lecture, kind: 'beside' }] }),
      ],
    );
    const term_id = await addTerm(admin);
    const ofLecture = await addSheet(staff, term_id, lecture);
    const ofLab = await addSheet(staff, term_id, lab);
    const needs = async () => (await preview(staff, ofLab, id))?.checks.map(({ state }) => state);
    expect(await needs()).toEqual(['warn']);
    expect((await staff.post(studentsPath(ofLecture), { ids: [id] })).status).toBe(200);
    expect(await needs()).toEqual(['met']);
    const row = { status: 'withdrawn', reason: 'Ill since the first week.' };
    expect((await staff.put(`/api/sheets/${ofLecture.sheet_id}/rows/${id}`, row)).status).toBe(200);
    expect(await needs()).toEqual(['warn']);
  });

  test('are listed of a term by department and batch, as its mark sheets are', async ({
    admin,
    staff,
    viewer,
  }) => {
    const [first, second] = [unique(), unique()];
    const course_id = await addCourse(admin);
    const term_id = await addTerm(admin);
    const sheets = new Map<string, Sheet>();
    for (const [department, degree] of [
      ['CE', first],
      ['EE', first],
      ['CE', second],
    ] as const) {
      const sheet = await createSheet(staff, { degree, ids: [], term_id, course_id }, { department });
      sheets.set(`${department} ${degree}`, sheet);
      const id = await addStudent(staff, degree);
      expect((await staff.post(studentsPath(sheet), { ids: [id] })).status).toBe(200);
    }
    const find = (...keys: string[]) => keys.map((key) => sheets.get(key)?.sheet_id).toSorted();
    for (const [query, found] of [
      ['department=CE', find(`CE ${first}`, `CE ${second}`)],
      [`degree=${first}`, find(`CE ${first}`, `EE ${first}`)],
      [`department=CE&degree=${first}`, find(`CE ${first}`)],
      ['department=MTS', []],
    ] as const) {
      const listed = await viewer.get(`/api/terms/${term_id}/registrations?${query}`);
      const rows = registrationReply.array().parse(listed.body);
      expect(rows.map(({ sheet_id }) => sheet_id).toSorted(), query).toEqual(found);
      const list = await viewer.get(`/api/sheets?term_id=${term_id}&${query}`);
      const own = sheetListReply.parse(list.body).map(({ sheet_id }) => sheet_id);
      expect(own.toSorted(), query).toEqual(found);
    }
    const wrong = await viewer.get(`/api/terms/${term_id}/registrations?department=XX`);
    expect(Object.keys(refusedFields(wrong))).toEqual(['department']);
  });
});
