import { describe, expect } from 'vitest';
import { findings } from '../../../../tests/support/app/findings.ts';
import { importRows, listRows, prepareImport } from '../../../../tests/support/app/import-file.ts';
import {
  aClass,
  createSheet,
  fillSheet,
  getSheet,
  submitSheet,
} from '../../../../tests/support/app/mark-sheets.ts';
import { getFieldErrors, type Person, sharedApps } from '../../../../tests/support/app/test-app.ts';
import { aFamily, aSemester, aStudent, unique } from '../../../../tests/support/records.ts';
import { ownCopyReply } from '../../../contract/documents/own-copy.ts';
import { degreeCheckReply, standingReply } from '../../../contract/grading/grading.ts';
import { historyReply } from '../../../contract/history.ts';
import { entrySemesterReply } from '../../../contract/students/academics.ts';
import { recordReply, type StudentInput } from '../../../contract/students/students.ts';

const STATICS = [{ title: 'Statics', credits: 3, grade: 'B' }] as const;

async function enter(by: Person, changes: Partial<StudentInput> = {}) {
  const student = aStudent({ current_sem: 3, degree: `K-${unique()}`, ...changes });
  expect((await by.post('/api/students', student)).status).toBe(201);
  await by.post('/api/students/family', aFamily(student.id));
  return student;
}

const enterIn = (by: Person, id: string, semester: unknown) =>
  by.post(`/api/students/${id}/entry-semester`, { semester });

const academics = async (by: Person, id: string) =>
  recordReply.parse((await by.get(`/api/students/${id}`)).body)?.academics ?? [];

const isComplete = async (by: Person, id: string) =>
  (await by.get(`/api/students?q=${id}`)).body as {
    students: { is_complete: boolean; cgpa: number | null }[];
  };

describe.each(sharedApps())('a late entry, on $name', ({ test }) => {
  test('stores the semesters before it without subjects, which count in nothing', async ({ app, staff }) => {
    const { id, degree } = await enter(staff);
    const answer = await enterIn(staff, id, '3');
    expect(answer.status, answer.text).toBe(201);
    const stored = entrySemesterReply.parse(answer.body).academics;
    expect(stored).toMatchObject([
      { semester: 1, elsewhere: true, subject_1: null, sgpa: 0, cgpa: 0 },
      { semester: 2, elsewhere: true },
    ]);
    expect(await academics(staff, id)).toEqual(stored);
    expect((await staff.get(`/api/students/${id}/academics/create`)).body).toMatchObject({
      ...{ canProceed: true, nextSemester: 3 },
    });
    expect((await isComplete(staff, id)).students).toMatchObject([{ is_complete: true, cgpa: null }]);
    const created = await staff.post('/api/students/academics', aSemester(id, 3, STATICS));
    expect(created.body).toMatchObject({ academic: { semester: 3, sgpa: 3, cgpa: 3 } });
    expect(created.text).not.toContain('elsewhere');
    const standing = standingReply.parse((await staff.get(`/api/students/${id}/standing`)).body);
    expect(standing).toMatchObject({ standing: 'good', semesters: [{ semester: 3, provisional: false }] });
    expect(standing.semesters).toHaveLength(1);
    expect((await staff.get(`/api/students/${id}/cgpa`)).body).toMatchObject({ semester: 3, cgpa: 3 });
    expect(
      degreeCheckReply.parse((await staff.get(`/api/students/${id}/degree-check`)).body).lines,
    ).toContainEqual(expect.objectContaining({ rule: 'semesters', text: '3 of 8 semesters are recorded.' }));
    const summary = `/api/reports/result-summary?department=CE&degree=${degree}`;
    expect((await staff.get(`${summary}&semester=1`)).body).toMatchObject({ entered: 0, complete: 0 });
    expect((await staff.get(`${summary}&semester=3`)).body).toMatchObject({ entered: 1, complete: 1 });
    expect(
      (await staff.get(`/api/reports/ranking?department=CE&degree=${degree}&semester=1`)).body,
    ).toMatchObject({ of: 0, unranked: [{ id }] });
    const other = await enter(staff, { degree });
    expect((await staff.get(`/api/students/${other.id}/class-subjects?semester=1`)).body).toMatchObject({
      classmates: 0,
    });
    expect(await findings(app)).toEqual([]);
  });

  test('is for staff, from semester 2 to the current one, while nothing is recorded', async ({
    app,
    staff,
    viewer,
  }) => {
    const { id } = await enter(staff);
    expect((await enterIn(viewer, id, 3)).status).toBe(403);
    for (const semester of [1, 9, 2.5, 'three', null]) {
      expect(getFieldErrors(await enterIn(staff, id, semester))).toHaveProperty('semester');
    }
    expect(getFieldErrors(await enterIn(staff, id, 4))).toEqual({
      semester: ['The semester must not be past the current one, 3.'],
    });
    expect((await enterIn(staff, 'nobody', 3)).status).toBe(404);
    const answers = await Promise.all([3, 3, 2].map((semester) => enterIn(staff, id, semester)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await findings(app)).toEqual([]);
  });

  test('takes no results before it, by form, import or mark sheet', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 0);
    const { id } = await enter(staff, { degree: own.degree, syn: 'A', current_sem: 2 });
    await enterIn(staff, id, 2);
    const [first] = await academics(staff, id);
    const text = 'Semester 1 is before the entry of this student, so it has no results.';
    expect(
      await staff.put(`/api/students/academics/${first?.academic_id}`, aSemester(id, 1, STATICS)),
    ).toMatchObject({ status: 409, body: { message: text } });
    const row = { student_id: id, semester: 1, title: 'Statics', credits: 3, grade: 'B' };
    const prepared = await prepareImport(staff, 'results', [row]);
    expect(await listRows(staff, prepared.id)).toMatchObject([{ errors: { semester: [text] } }]);
    const sheet = await fillSheet(staff, await createSheet(staff, own, { ids: [id], semester: 1 }), [70]);
    const path = `/api/sheets/${sheet.sheet_id}/rows/${id}`;
    expect((await staff.put(path, { status: 'graded', reason: null, semester: 1 })).status).toBe(200);
    expect((await getSheet(staff, sheet.sheet_id)).rows).toMatchObject([
      { blocked: 'Semester 1 is before the entry of this student.' },
    ]);
    await submitSheet(staff, sheet);
    expect((await admin.get(`/api/sheets/${sheet.sheet_id}/confirm`)).body).toMatchObject({ writes: [] });
    expect(await findings(app)).toEqual([]);
  });

  test('is taken back by deleting the last recorded semester, and restored as it was', async ({
    app,
    admin,
    staff,
  }) => {
    const { id } = await enter(staff);
    await enterIn(staff, id, 3);
    const before = await academics(staff, id);
    const deleted = await staff.delete(`/api/students/academics/${before[1]?.academic_id}`);
    const { entry } = deleted.body as { entry: number };
    expect(await academics(staff, id)).toEqual(before.slice(0, 1));
    expect((await staff.get(`/api/students/${id}/academics/create`)).body).toMatchObject({ nextSemester: 2 });
    expect((await staff.post(`/api/students/${id}/academics/restore?entry=${entry}`)).status).toBe(201);
    expect(await academics(staff, id)).toEqual(before);
    await staff.delete(`/api/students/${id}`);
    expect((await staff.post(`/api/students/${id}/restore`)).status).toBe(201);
    expect(await academics(staff, id)).toEqual(before);
    const newId = aStudent().id;
    expect((await admin.put(`/api/students/${id}/id`, { id: newId })).status).toBe(200);
    expect(await academics(staff, newId)).toEqual(before.map((one) => ({ ...one, student_id: newId })));
    for (const { academic_id } of before.toReversed()) {
      expect((await staff.delete(`/api/students/academics/${academic_id}`)).status).toBe(200);
    }
    expect((await staff.post('/api/students/academics', aSemester(newId, 1, STATICS))).status).toBe(201);
    const { entries } = historyReply.parse((await staff.get(`/api/students/${newId}/history`)).body);
    expect(entries.map(({ action, entity }) => `${action} ${entity}`)).toContain('delete semester');
    expect(entries.flatMap(({ changes }) => changes)).toContainEqual({
      ...{ field: 'elsewhere', label: 'Before entry', before: null, after: 'yes' },
    });
    expect(await findings(app)).toEqual([]);
  });

  test('is seen by the checks of the database', async ({ app, staff }) => {
    const { id } = await enter(staff);
    await enterIn(staff, id, 2);
    const mark = (is_elsewhere: number) =>
      app.db.write.updateTable('semesters').set({ is_elsewhere }).where('student_id', '=', id).execute();
    await mark(0);
    expect(await findings(app)).toEqual([
      `Students and their history: Student ${id}: semester 1: elsewhere differ from the history.`,
    ]);
    await mark(1);
  });

  test('stands in documents and in the copy of the record', async ({ admin, staff }) => {
    const { id } = await enter(staff);
    await enterIn(staff, id, 3);
    const order = (body: object) =>
      staff.post('/api/documents', {
        ids: [id],
        official: false,
        purpose: null,
        to: null,
        portrait: false,
        ...body,
      });
    expect((await order({ kind: 'transcript' })).text).toContain('No semester is recorded.');
    expect((await order({ kind: 'result-card', semester: 1 })).text).toContain(
      'Semester 1 is before the entry of this student.',
    );
    await staff.post('/api/students/academics', aSemester(id, 3, STATICS));
    const ordered = await order({ kind: 'transcript' });
    expect(ordered.status, ordered.text).toBe(201);
    const copy = await admin.get(`/api/students/${id}/own-copy`);
    expect(ownCopyReply.parse(copy.body).semesters).toMatchObject([
      { semester: 1, elsewhere: true },
      { semester: 2, elsewhere: true },
      { semester: 3, sgpa: 3 },
    ]);
  });
});

describe.each(sharedApps())('an import of late entries, on $name', ({ test }) => {
  const aRow = (changes: object = {}) => ({
    ...aStudent({ current_sem: 4, degree: `K-${unique()}` }),
    entry_semester: '3',
    ...changes,
  });

  test('stores them with new and existing students, and takes them back', async ({ app, staff }) => {
    const made = aRow();
    const { entry_semester: _, ...existing } = aRow();
    await staff.post('/api/students', existing);
    const done = await importRows(staff, 'students', [made, { ...existing, entry_semester: '2' }]);
    expect(done.counts).toMatchObject({ create: 1, update: 1 });
    const stored = async (id: string) =>
      app.db.read
        .selectFrom('semesters')
        .select(['semester', 'is_elsewhere'])
        .where('student_id', '=', id)
        .orderBy('semester')
        .execute();
    expect(await stored(made.id)).toEqual([
      { semester: 1, is_elsewhere: 1 },
      { semester: 2, is_elsewhere: 1 },
    ]);
    expect(await stored(existing.id)).toHaveLength(1);
    const again = await prepareImport(staff, 'students', [made]);
    expect(again.preview.counts).toMatchObject({ unchanged: 1 });
    expect(await findings(app)).toEqual([]);
    const undo = `/api/imports/${done.import_id}/undo`;
    const { fingerprint } = (await staff.get(undo)).body as { fingerprint: string };
    expect((await staff.post(undo, { fingerprint })).body).toMatchObject({ undone: 2, kept: [] });
    expect(await stored(made.id)).toEqual([]);
    expect(await stored(existing.id)).toEqual([]);
    expect(await findings(app)).toEqual([]);
  });

  test('refuses a semester that can not be', async ({ staff }) => {
    const recorded = await enter(staff);
    await staff.post('/api/students/academics', aSemester(recorded.id, 1, []));
    const rows = [
      aRow({ entry_semester: '1' }),
      aRow({ entry_semester: '5' }),
      { ...aRow(), ...recorded, entry_semester: '3' },
      aRow({ entry_semester: '' }),
    ];
    const { id, preview } = await prepareImport(staff, 'students', rows);
    expect(preview.counts).toMatchObject({ create: 1, refused: 3 });
    const refused = (await listRows(staff, id)).map(({ errors }) => errors.entry_semester);
    expect(refused).toEqual([
      ['The entry semester must be a whole number from 2 to 8.'],
      ['The entry semester must not be past the current one, 4.'],
      ['Semester 1 is recorded already, so the student can not enter later.'],
      undefined,
    ]);
  });

  test('keeps a student who has results by now', async ({ staff }) => {
    const row = aRow();
    const { import_id } = await importRows(staff, 'students', [row]);
    await staff.post('/api/students/family', aFamily(row.id));
    await staff.post('/api/students/academics', aSemester(row.id, 3, STATICS));
    expect((await staff.get(`/api/imports/${import_id}/undo`)).body).toMatchObject({
      ...{ undone: 0, kept: [{ key: row.id, reason: 'Changed since.' }] },
    });
  });
});
