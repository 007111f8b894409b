import { describe, expect } from 'vitest';
import { findings } from '../../../../tests/support/app/findings.ts';
import { placeHold, releaseHold } from '../../../../tests/support/app/holds.ts';
import {
  aSheetFor,
  type ClassForSheet,
  createSheet,
  fillSheet,
  getSheet,
  nameTeachers,
  submitSheet,
} from '../../../../tests/support/app/mark-sheets.ts';
import { addScheme, addStudent, aRow, refusedFields } from '../../../../tests/support/app/schemes.ts';
import { type Person, sharedApps } from '../../../../tests/support/app/test-app.ts';
import { aCourse, aTerm, unique } from '../../../../tests/support/records.ts';
import { historyReply } from '../../../contract/history.ts';
import { confirmPreview } from '../../../contract/marksheets/confirmation.ts';
import {
  type Registration,
  registrationReply,
  studentsPreviewReply,
  studentTermsReply,
} from '../../../contract/marksheets/registrations.ts';
import { type Sheet, sheetListReply } from '../../../contract/marksheets/sheets.ts';
import { termSavedReply } from '../../../contract/terms.ts';

const REASON = 'Agreed with the batch adviser.';
const OPEN = { add_until: '2099-01-10', drop_until: '2099-01-20', withdraw_until: '2099-02-10' };
const OVER = { add_until: '2020-01-10', drop_until: '2020-01-20', withdraw_until: '2020-02-10' };

async function addCourse(admin: Person, credits = 3): Promise<{ course_id: number; code: string }> {
  const course = { ...aCourse(), credits };
  expect((await admin.post('/api/courses', course)).status).toBe(201);
  return { course_id: course.course_id, code: course.course_code };
}

async function addTerm(admin: Person, days: object = OPEN): Promise<number> {
  const term = { ...aTerm(), starts_on: '2020-01-01', ends_on: '2099-12-31', ...days };
  const added = await admin.post('/api/terms', term);
  expect(added.status, added.text).toBe(201);
  return termSavedReply.parse(added.body).term.term_id;
}

/** A sheet without students. */
const addSheet = (staff: Person, of: Omit<ClassForSheet, 'ids'>, changes: object = {}) =>
  createSheet(staff, { ...of, ids: [] }, changes);

const studentsPath = ({ sheet_id }: Sheet) => `/api/sheets/${sheet_id}/students`;
const preview = async (by: Person, sheet: Sheet, id: string) => {
  const answer = await by.post(`${studentsPath(sheet)}/preview`, { ids: [id] });
  expect(answer.status, answer.text).toBe(200);
  const [only] = studentsPreviewReply.parse(answer.body);
  if (only === undefined) throw new Error('The student is not in the preview.');
  return only;
};
const registrations = async (by: Person, path: string): Promise<Registration[]> =>
  registrationReply.array().parse((await by.get(path)).body);

describe.each(sharedApps())('registrations, on $name', ({ test }) => {
  test('are refused against a hold, for all but an administrator with a reason, in any term', async ({
    app,
    admin,
    staff,
    viewer,
  }) => {
    for (const days of [OPEN, {}]) {
      const degree = unique();
      const term_id = await addTerm(admin, days);
      const { course_id } = await addCourse(admin);
      const [held, free] = [await addStudent(staff, degree), await addStudent(staff, degree)];
      const hold = await placeHold(staff, held, { blocks: ['registration'], from: '2026-11-02' });
      const text = `fees, since 2026-11-02, ${staff.user.name}`;
      const of = { degree, term_id, course_id };
      const refusal = { ids: `Registration is blocked: ${text}. CMS ID: ${held}.` };
      // A sheet is made with all or nobody, also by an administrator.
      for (const by of [staff, admin])
        expect(refusedFields(await by.post('/api/sheets', aSheetFor({ ...of, ids: [held, free] })))).toEqual(
          refusal,
        );
      expect(sheetListReply.parse((await staff.get(`/api/sheets?term_id=${term_id}`)).body)).toEqual([]);

      const sheet = await addSheet(staff, of, { degree: `${degree}x` });
      expect(await preview(staff, sheet, held)).toMatchObject({
        checks: [{ rule: 'hold', state: 'refused', text }],
        refused: text,
      });
      const add = (by: Person, body: object) => by.post(studentsPath(sheet), { ids: [held, free], ...body });
      expect(refusedFields(await add(staff, { reason: REASON }))).toEqual(refusal);
      expect(refusedFields(await add(admin, {}))).toEqual({
        [`reasons.${held}`]: `A reason is needed for ${held}. Registration is blocked: ${text}.`,
      });
      expect((await getSheet(staff, sheet.sheet_id)).rows).toEqual([]);
      const added = await add(admin, { reasons: { [held]: REASON } });
      expect(added.status, added.text).toBe(200);
      const path = `/api/sheets/${sheet.sheet_id}/registrations`;
      const rows = await registrations(viewer, path);
      expect(rows.find(({ student_id }) => student_id === held)).toMatchObject({
        checks: [{ rule: 'hold' }],
        reason: REASON,
      });
      expect(rows.find(({ student_id }) => student_id === free)).toMatchObject({ checks: [], reason: null });
      expect(await registrations(viewer, `${path}?open=true`)).toEqual([]);

      // A hold of another thing, or one that is released, is none here.
      await placeHold(staff, free, { blocks: ['official-documents', 'result-card', 'certificate'] });
      expect((await releaseHold(admin, hold)).status).toBe(200);
      const second = await addCourse(admin);
      await createSheet(staff, { ...of, ...second, ids: [held, free] });
    }
    expect(await findings(app)).toEqual([]);
  });

  // Example 16
  test('are warned of credit hours beyond the limit, which follows the CGPA and the term', async ({
    app,
    admin,
    staff,
    viewer,
  }) => {
    const degree = unique();
    const term_id = await addTerm(admin);
    const taken = [];
    for (let i = 0; i < 4; i += 1) taken.push((await addCourse(admin)).course_id);
    const [one = 0, second = 0, third = 0, fourth = 0] = taken;
    const good = await addStudent(staff, degree, [[[one, 'B+']]]);
    const other = await addStudent(staff, degree, [[[one, 'B']]]);
    const fails = [second, third, fourth].map((id) => [id, 'F'] as const);
    const failing = await addStudent(staff, degree, [[[one, 'C']], fails]);
    const ids = [good, other];
    const of = async () => ({ degree, term_id, ids, course_id: (await addCourse(admin)).course_id });
    for (const credits of [6, 6, 6, 1]) await createSheet(staff, await of(), { credits, ids });
    const [first] = await registrations(viewer, `/api/terms/${term_id}/registrations`);
    expect(first).toMatchObject({ checks: [], reason: null, added_by: { id: staff.user.id } });

    const three = await addSheet(staff, await of(), { credits: 3, degree: `${degree}x` });
    for (const [id, limit] of [
      [good, 21],
      [other, 19],
    ] as const)
      expect((await preview(staff, three, id)).checks).toEqual([
        {
          ...{ rule: 'load', state: 'warn' },
          text: `Load: 22 credits with this course, the limit is ${limit}.`,
        },
      ]);
    const two = await addSheet(staff, await of(), { credits: 2, degree: `${degree}x` });
    expect((await preview(staff, two, good)).checks).toEqual([]);
    const [warned] = (await preview(staff, two, other)).checks;
    expect(warned).toMatchObject({ rule: 'load', state: 'warn' });

    const six = await addSheet(staff, await of(), { credits: 6, degree: `${degree}x` });
    const more = await createSheet(staff, await of(), { credits: 6, ids: [failing] });
    expect((await preview(staff, six, failing)).checks).toEqual([]);
    const more2 = await createSheet(staff, await of(), { credits: 3, ids: [failing] });
    expect((await preview(staff, six, failing)).checks).toMatchObject([
      { text: 'Load: 15 credits with this course, the limit is 13.' },
    ]);
    expect([more.state, more2.state]).toEqual(['draft', 'draft']);
    const summer = await addTerm(admin, { ...OPEN, summer: true });
    await createSheet(staff, { ...(await of()), term_id: summer }, { credits: 6, ids: [good] });
    const beside = await addSheet(
      staff,
      { ...(await of()), term_id: summer },
      { credits: 4, degree: `${degree}x` },
    );
    expect((await preview(staff, beside, good)).checks).toMatchObject([
      { text: 'Load: 10 credits with this course, the limit is 9.' },
    ]);

    const refused = await staff.post(studentsPath(two), { ids: [other, good] });
    expect(refusedFields(refused)).toEqual({
      [`reasons.${other}`]: `A reason is needed for ${other}. Load: 21 credits with this course, the limit is 19.`,
    });
    expect((await getSheet(staff, two.sheet_id)).rows).toEqual([]);
    const short = await staff.post(studentsPath(two), { ids: [other], reasons: { [other]: 'Short' } });
    expect(Object.keys(refusedFields(short))).toEqual([`reasons.${other}`]);
    const added = await staff.post(studentsPath(two), { ids: [other, good], reasons: { [other]: REASON } });
    expect(added.status, added.text).toBe(200);
    const path = `/api/sheets/${two.sheet_id}/registrations`;
    const listed = await registrations(viewer, path);
    expect(listed.find(({ student_id }) => student_id === other)).toMatchObject({
      ...{ reason: REASON, checks: [warned], added_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    });
    expect(listed.find(({ student_id }) => student_id === good)).toMatchObject({ reason: null, checks: [] });
    expect(await registrations(viewer, `${path}?open=true`)).toEqual([]);
    // A later course brings another warning, which the reason does not cover.
    const last = await addSheet(staff, await of(), { credits: 1, degree: `${degree}x` });
    expect((await staff.post(studentsPath(last), { ids: [other], reason: REASON })).status).toBe(200);
    const open = await registrations(viewer, `${path}?open=true`);
    expect(open).toMatchObject([{ student_id: other, reason: REASON }]);
    const explain = `/api/sheets/${two.sheet_id}/rows/${other}/registration`;
    expect((await viewer.put(explain, { reason: REASON })).status).toBe(403);
    const stale = await staff.call('PUT', explain, {
      body: { reason: REASON },
      headers: { 'if-match': '"g1"' },
    });
    expect(stale.status).toBe(412);
    const saved = await staff.put(explain, { reason: 'Dean’s office, case 41.' });
    expect(saved, saved.text).toMatchObject({
      status: 200,
      body: { registration: { student_id: other, reason: 'Dean’s office, case 41.' } },
    });
    const again = await staff.put(explain, { reason: 'Dean’s office, case 41.' });
    expect(again.headers.etag).toBe(saved.headers.etag);
    expect(await registrations(viewer, `${path}?open=true`)).toEqual([]);
    const entries = historyReply.parse(
      (await admin.get(`/api/history?entity=sheet&entity_id=${two.sheet_id}`)).body,
    ).entries;
    expect(entries[0]?.changes).toContainEqual({
      ...{ field: `${other} · reason to add`, label: `${other} · reason to add` },
      ...{ before: REASON, after: 'Dean’s office, case 41.' },
    });
    const [latest] = studentTermsReply.parse((await viewer.get(`/api/students/${other}/terms`)).body);
    expect(latest).toMatchObject({ term_id, credits: 22, limit: 19 });
    expect(latest?.courses).toHaveLength(6);
    expect(await findings(app)).toEqual([]);
  });

  // Example 16
  test('need what the scheme of the student asks', async ({ app, admin, staff, viewer }) => {
    const degree = unique();
    const [first, second] = [await addCourse(admin), await addCourse(admin)];
    const passed = await addStudent(staff, degree, [[[first.course_id, 'D']]]);
    const failed = await addStudent(staff, degree, [[[first.course_id, 'F']]]);
    const taking = await addStudent(staff, degree);
    const { scheme_id } = await addScheme(
      admin,
      [degree],
      [
        aRow([first.course_id], { key: 'A' }),
        aRow([second.course_id], {
          ...{ key: 'B', semester: 2 },
          needs: [{ course_id: first.course_id, kind: 'before' }],
        }),
      ],
    );
    expect(scheme_id).toBeGreaterThan(0);
    const before = await createSheet(
      staff,
      { degree, ids: [], term_id: await addTerm(admin), course_id: first.course_id },
      { ids: [taking] },
    );
    expect(before.scheme_row).toBe('A');
    await submitSheet(staff, await fillSheet(staff, before, [80]));
    const term_id = await addTerm(admin);
    const of = { degree, term_id, course_id: second.course_id };
    const sheet = await addSheet(staff, of, { semester: 2, degree: `${degree}x` });
    const states = { [passed]: 'met', [failed]: 'warn', [taking]: 'if-passed' };
    for (const [id, state] of Object.entries(states))
      expect((await preview(staff, sheet, id)).checks).toMatchObject([{ rule: 'needs', state }]);
    const ids = Object.keys(states);
    expect(Object.keys(refusedFields(await staff.post(studentsPath(sheet), { ids })))).toEqual([
      `reasons.${failed}`,
    ]);
    expect((await staff.post(studentsPath(sheet), { ids, reason: REASON })).status).toBe(200);
    const listed = await registrations(viewer, `/api/sheets/${sheet.sheet_id}/registrations`);
    expect(Object.fromEntries(listed.map((one) => [one.student_id, one.reason]))).toEqual({
      ...{ [passed]: null, [taking]: null, [failed]: REASON },
    });
    // The first sheet fails the student who takes the second course on the condition that the first is passed.
    const component_id = before.categories[0]?.components[0]?.component_id;
    const lower = async (value: number, was: number) => {
      const back = await staff.post(`/api/sheets/${before.sheet_id}/take-back`, { reason: REASON });
      expect(back.status, back.text).toBe(200);
      const cells = [{ student_id: taking, component_id, value, was }];
      expect((await staff.put(`/api/sheets/${before.sheet_id}/cells`, { cells })).status).toBe(200);
      await submitSheet(staff, before);
    };
    const dependingNow = async () =>
      confirmPreview.parse((await viewer.get(`/api/sheets/${before.sheet_id}/confirm`)).body).depending;
    expect(await dependingNow()).toEqual([]);
    await lower(20, 80);
    const depending = [{ student_id: taking, sheet_id: sheet.sheet_id, title: sheet.title }];
    expect(await dependingNow()).toEqual(depending);
    const stale = await admin.post(`/api/sheets/${before.sheet_id}/confirm`, { fingerprint: 'other' });
    expect(stale).toMatchObject({ status: 412, body: { current: { depending } } });
    await lower(80, 20);
    const repeat = await addSheet(
      staff,
      { degree, term_id, course_id: first.course_id },
      { degree: `${degree}x` },
    );
    expect(await preview(staff, repeat, failed)).toMatchObject({ attempt: 2, before: 'F', checks: [] });
    // Below the letter from which a repeat needs a reason.
    expect(await preview(staff, repeat, passed)).toMatchObject({ attempt: 2, before: 'D', checks: [] });
    const better = await addStudent(staff, degree, [[[first.course_id, 'C']]]);
    expect((await preview(staff, repeat, better)).checks).toEqual([
      { rule: 'passed', state: 'warn', text: 'Passed with C in semester 1.' },
    ]);
    const waived = await admin.post(`/api/students/${failed}/exceptions`, {
      ...{ row: 'A', course_id: null, reason: REASON },
    });
    expect(waived.status, waived.text).toBe(201);
    const now = await registrations(viewer, `/api/sheets/${sheet.sheet_id}/registrations`);
    expect(now.find(({ student_id }) => student_id === failed)?.checks).toMatchObject([{ state: 'met' }]);
    expect(await findings(app)).toEqual([]);
  });

  test('are refused on a second sheet of the course in the term, also at the same moment', async ({
    app,
    admin,
    staff,
  }) => {
    const degree = unique();
    const { course_id } = await addCourse(admin);
    const term_id = await addTerm(admin);
    const id = await addStudent(staff, degree);
    const sheets = [];
    for (const name of ['a', 'b'])
      sheets.push(await addSheet(staff, { degree, term_id, course_id }, { degree: `${degree}${name}` }));
    const answers = await Promise.all(
      sheets.map((sheet) => staff.post(studentsPath(sheet), { ids: [id], reason: REASON })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    expect(answers.map(({ text }) => text).join()).toContain('of this course already');
    const made = await staff.post(
      '/api/sheets',
      aSheetFor({ degree, ids: [], term_id, course_id }, { ids: [id], degree: `${degree}c` }),
    );
    expect(Object.keys(refusedFields(made))).toEqual(['ids']);
    expect(await findings(app)).toEqual([]);
  });

  test('end with the last days for staff, and go on with a reason for administrators', async ({
    app,
    admin,
    staff,
    teacher,
  }) => {
    const degree = unique();
    const term_id = await addTerm(admin, OVER);
    const { course_id } = await addCourse(admin);
    const [one, other] = [await addStudent(staff, degree), await addStudent(staff, degree)];
    const sheet = await createSheet(staff, { degree, ids: [], term_id, course_id }, { ids: [one] });
    await nameTeachers(staff, sheet, [teacher]);
    const path = studentsPath(sheet);
    expect((await staff.post(path, { ids: [other], reason: REASON })).status).toBe(409);
    expect(Object.keys(refusedFields(await admin.post(path, { ids: [other] })))).toEqual(['reason']);
    expect((await admin.post(path, { ids: [other], reason: REASON })).status).toBe(200);
    const row = `/api/sheets/${sheet.sheet_id}/rows/${other}`;
    for (const person of [staff, teacher])
      expect((await person.put(row, { status: 'withdrawn', reason: REASON })).status).toBe(409);
    expect(Object.keys(refusedFields(await admin.put(row, { status: 'withdrawn' })))).toEqual(['reason']);
    expect((await admin.put(row, { status: 'withdrawn', reason: REASON })).status).toBe(200);
    expect(await staff.delete(`${path}/${other}`)).toMatchObject({
      ...{ status: 409, body: { message: 'Set the status withdrawn instead.' } },
    });
    expect(Object.keys(refusedFields(await admin.delete(`${path}/${other}`)))).toEqual(['reason']);
    const reason = encodeURIComponent(REASON);
    expect((await admin.delete(`${path}/${other}?reason=${reason}`)).status).toBe(200);
    expect((await getSheet(staff, sheet.sheet_id)).rows).toHaveLength(1);
    const [entry] = historyReply.parse(
      (await admin.get(`/api/history?entity=sheet&entity_id=${sheet.sheet_id}`)).body,
    ).entries;
    expect(JSON.stringify(entry)).toContain(REASON);
    expect(await findings(app)).toEqual([]);
  });

  test('have neither days nor checks in a term without them, and follow a deleted sheet that is restored', async ({
    app,
    admin,
    staff,
    viewer,
  }) => {
    const degree = unique();
    const term_id = await addTerm(admin, {});
    const id = await addStudent(staff, degree);
    const { course_id } = await addCourse(admin);
    const sheet = await createSheet(staff, { degree, ids: [], term_id, course_id }, { ids: [id] });
    expect(await registrations(viewer, `/api/sheets/${sheet.sheet_id}/registrations`)).toMatchObject([
      { student_id: id, attempt: 1, before: null, checks: [], added_by: { name: staff.user.name } },
    ]);
    expect(
      (await staff.put(`/api/sheets/${sheet.sheet_id}/rows/${id}/registration`, { reason: REASON })).status,
    ).toBe(200);
    expect((await staff.delete(`/api/sheets/${sheet.sheet_id}`)).status).toBe(200);
    const [entry] = historyReply.parse(
      (await admin.get(`/api/history?entity=sheet&entity_id=${sheet.sheet_id}`)).body,
    ).entries;
    expect((await admin.post(`/api/history/${entry?.id}/restore?state=before`)).status).toBe(201);
    const [found] = sheetListReply.parse((await staff.get(`/api/sheets?course_id=${course_id}`)).body);
    expect(await registrations(viewer, `/api/sheets/${found?.sheet_id}/registrations`)).toMatchObject([
      { student_id: id, reason: REASON },
    ]);
    const [term] = studentTermsReply.parse((await viewer.get(`/api/students/${id}/terms`)).body);
    expect(term).toMatchObject({
      ...{ term_id, credits: 3, limit: null },
      courses: [{ course_code: sheet.course_code, class: `CE-${degree}`, attempt: 1, teachers: [] }],
    });
    expect((await viewer.get('/api/students/nobody/terms')).status).toBe(404);
    const renamed = unique();
    expect((await admin.put(`/api/students/${id}/id`, { id: renamed })).status).toBe(200);
    expect(await findings(app)).toEqual([]);
    await app.db.write
      .updateTable('sheet_registrations')
      .set({ reason: 'Changed behind the history' })
      .where('student_id', '=', renamed)
      .execute();
    expect(await findings(app)).toEqual([
      expect.stringContaining(`student ${renamed}: the registration differs from the history.`),
    ]);
    await app.db.write
      .updateTable('sheet_registrations')
      .set({ reason: REASON })
      .where('student_id', '=', renamed)
      .execute();
  });
});
