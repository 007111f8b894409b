import { describe, expect } from 'vitest';
import { historyReply } from '../../src/contract/history.ts';
import { importUndoPreview } from '../../src/contract/imports.ts';
import { sheetSavedReply } from '../../src/contract/marksheets/sheets.ts';
import { bulkPreview, bulkReply } from '../../src/contract/students/bulk.ts';
import { recordReply } from '../../src/contract/students/students.ts';
import { termSavedReply } from '../../src/contract/terms.ts';
import { makePolicy } from '../support/app/grading-policies.ts';
import { listRows, prepareImport, previewRows, uploadFile } from '../support/app/import-file.ts';
import {
  type ClassForSheet,
  confirmSheet,
  createSheet,
  fillSheet,
  submitSheet,
} from '../support/app/mark-sheets.ts';
import type { Answer, Person } from '../support/app/people.ts';
import { targets } from '../support/processes/raw-client.ts';
import { aCourse, aFamily, aSemester, aStudent, aTerm, unique } from '../support/records.ts';

const UPDATE = { mode: 'update' };
const REASON = 'The grade ought to be another one';

/** A student whose first semester has a grade that one person submitted and another one confirmed. */
async function aConfirmedGrade(admin: Person, staff: Person) {
  const degree = unique();
  const student = aStudent({ degree, department: 'CE', syn: 'A', current_sem: 1 });
  const course = aCourse();
  await admin.post('/api/courses', course);
  const { term } = termSavedReply.parse((await admin.post('/api/terms', aTerm())).body);
  const own: ClassForSheet = { degree, ids: [student.id], ...course, ...term };
  await staff.post('/api/students', student);
  await staff.post('/api/students/family', aFamily(student.id));
  // Two deletions that a state without the grade could be restored from.
  await staff.post('/api/students/academics', aSemester(student.id, 1, []));
  const { academics } = await read(staff, student.id);
  await staff.delete(`/api/students/academics/${academics[0]?.academic_id}`);
  await staff.delete(`/api/students/${student.id}`);
  await staff.post(`/api/students/${student.id}/restore`);
  const sheet = await fillSheet(staff, await createSheet(staff, own), [71]);
  await submitSheet(staff, sheet);
  await confirmSheet(admin, sheet);
  const { entries } = historyReply.parse((await admin.get(`/api/students/${student.id}/history`)).body);
  return { student, course, sheet, entries };
}

async function applyAndUndo(person: Person, importId: number, fingerprint: string): Promise<Answer[]> {
  const path = `/api/imports/${importId}`;
  const applied = await person.post(`${path}/apply`, { fingerprint });
  const undo = importUndoPreview.parse((await person.get(`${path}/undo`)).body);
  return [applied, await person.post(`${path}/undo`, { fingerprint: undo.fingerprint })];
}

async function read(person: Person, id: string) {
  const record = recordReply.parse((await person.get(`/api/students/${id}`)).body);
  if (record === null) throw new Error('There is no record.');
  return record;
}

describe.each(targets())('a grade that two people confirmed, on $name', ({ test }) => {
  // Covers A130
  test('is changed by no call of a single member of staff', async ({ admin, staff }) => {
    const { student, course, sheet, entries } = await aConfirmedGrade(admin, staff);
    const { id } = student;
    const before = await read(staff, id);
    const [academic] = before.academics;
    const semester = `/api/students/academics/${academic?.academic_id}`;
    const extra = { subject_2: 'Seminar', subj_credit_2: 6, subj_grade_2: 4 };
    const importOf = async (row: object) => {
      const { id: importId, preview } = await prepareImport(staff, 'results', [
        { student_id: id, semester: 1, ...row },
      ]);
      const { fingerprint } = preview;
      return staff.post(`/api/imports/${importId}/apply`, { fingerprint, partial: true, reason: REASON });
    };
    const bulk = async () => {
      const change = { action: 'delete', ids: [id] };
      const seen = (await admin.post('/api/students/bulk/preview', change)).body as { fingerprint: string };
      return staff.post('/api/students/bulk', { ...change, fingerprint: seen.fingerprint });
    };
    const rectify = async () => {
      const correction = { kind: 'totalling', reason: REASON };
      const answer = await staff.post(`/api/sheets/${sheet.sheet_id}/rectify`, correction);
      const draft = sheetSavedReply.parse(answer.body).sheet;
      const component_id = draft.categories[0]?.components[0]?.component_id;
      const cells = [{ student_id: id, component_id, value: 99, was: 71 }];
      await staff.put(`/api/sheets/${draft.sheet_id}/cells`, { cells });
      await staff.post(`/api/sheets/${draft.sheet_id}/submit`, { reasons: {} });
      const shown = (await staff.get(`/api/sheets/${draft.sheet_id}/confirm`)).body as {
        fingerprint: string;
      };
      return staff.post(`/api/sheets/${draft.sheet_id}/confirm`, shown);
    };
    const attempts: Record<string, () => Promise<Answer>> = {
      'another grade': () => staff.put(semester, { ...academic, subj_grade_1: 4, reason: REASON }),
      'other credit hours': () => staff.put(semester, { ...academic, subj_credit_1: 1, reason: REASON }),
      'another course': () => staff.put(semester, { ...academic, subject_1_id: null, reason: REASON }),
      'one more subject': () => staff.put(semester, { ...academic, ...extra, reason: REASON }),
      'no subject': () => staff.put(semester, { student_id: id, semester: 1, reason: REASON }),
      'an older version': () =>
        staff.call('PUT', semester, { body: { ...academic, ...extra }, headers: { 'if-match': '*' } }),
      'the semester again': () =>
        staff.post('/api/students/academics', { ...aSemester(id, 1, []), ...extra, reason: REASON }),
      'no semester': () => staff.call('DELETE', semester, { body: { reason: REASON } }),
      'an entry after it': () => staff.post(`/api/students/${id}/entry-semester`, { semester: 2 }),
      'no student': () => staff.delete(`/api/students/${id}`),
      'no student, among others': bulk,
      'the same student anew': () => staff.post('/api/students', student),
      'another registration number': () => staff.put(`/api/students/${id}/id`, { id: aStudent().id }),
      'an import of another grade': () => importOf({ course_id: course.course_id, grade: 'A' }),
      'an import of one more subject': () => importOf({ title: 'Seminar', credits: 6, grade: 'A' }),
      'a sheet beside it': () => staff.delete(`/api/sheets/${sheet.sheet_id}`),
      'marks of a confirmed sheet': () =>
        staff.put(`/api/sheets/${sheet.sheet_id}/cells`, {
          cells: [
            {
              student_id: id,
              component_id: sheet.categories[0]?.components[0]?.component_id,
              value: 99,
              was: 71,
            },
          ],
        }),
      'another state of the row': () =>
        staff.put(`/api/sheets/${sheet.sheet_id}/rows/${id}`, { status: 'withdrawn', reason: REASON }),
      'a rectification without a second person': rectify,
      ...Object.fromEntries(
        entries.flatMap((entry) =>
          (['before', 'after'] as const).map((state) => [
            `the state ${state} entry ${entry.id}`,
            () => staff.post(`/api/history/${entry.id}/restore?state=${state}`, { reason: REASON }),
          ]),
        ),
      ),
      ...Object.fromEntries(
        entries.map((entry) => [
          `the semester deleted by entry ${entry.id}`,
          () => staff.post(`/api/students/${id}/academics/restore?entry=${entry.id}`, { reason: REASON }),
        ]),
      ),
    };
    // Calls that are the staff's, and what takes them back, write no semester.
    const harmless = {
      'marks of the course by hand': async () => [
        await staff.post('/api/courses-marks', { course_id: course.course_id, marks: '99,98' }),
      ],
      'an import of marks': async () => {
        const fields = { course_id: String(course.course_id) };
        const uploaded = await uploadFile(staff, 'marks', 'marks\n99\n', { fields });
        const { fingerprint } = await previewRows(staff, uploaded);
        return applyAndUndo(staff, uploaded.import_id, fingerprint);
      },
      'an import of students': async () => {
        const { id: importId, preview } = await prepareImport(
          staff,
          'students',
          [{ id, reason: 'Merit' }],
          UPDATE,
        );
        return applyAndUndo(staff, importId, preview.fingerprint);
      },
      'changes of many students': async () => {
        const answers: Answer[] = [];
        for (const change of [
          { action: 'next-semester' },
          { action: 'syndicate', syn: 'B' },
          { action: 'department', department: 'EE' },
        ]) {
          const seen = await staff.post('/api/students/bulk/preview', { ...change, ids: [id] });
          const { fingerprint } = bulkPreview.parse(seen.body);
          const done = await staff.post('/api/students/bulk', { ...change, ids: [id], fingerprint });
          const undone = bulkReply.parse(done.body).change.id;
          answers.push(done, await staff.post(`/api/students/bulk/${undone}/undo`));
        }
        return answers;
      },
    };
    for (const [name, act] of Object.entries(harmless)) {
      for (const { status, text } of await act()) expect([200, 201], `${name}: ${text}`).toContain(status);
      expect((await read(staff, id)).academics, name).toEqual(before.academics);
    }
    const kept = await read(staff, id);
    for (const [name, attempt] of Object.entries(attempts)) {
      const answer = await attempt();
      expect(answer.status, `${name}: ${answer.text}`).toBeGreaterThanOrEqual(400);
      expect(answer.status, `${name}: ${answer.text}`).toBeLessThan(500);
      expect(await read(staff, id), name).toEqual(kept);
    }
    // Deleted by an administrator, its ID is not for a record with other grades.
    expect((await admin.delete(`/api/students/${id}`)).status).toBe(200);
    expect((await staff.post('/api/students', student)).status).toBe(422);
    const { preview } = await prepareImport(staff, 'students', [student]);
    expect(preview.counts).toMatchObject({ create: 0, refused: 1 });
    for (const { id: entry, entity, action } of entries) {
      if (entity !== 'student' || action !== 'delete') continue;
      expect((await staff.post(`/api/history/${entry}/restore?state=before`)).status).toBe(403);
      expect((await staff.post(`/api/students/${id}/restore?entry=${entry}`)).status).toBe(403);
      expect((await admin.post(`/api/students/${id}/restore?entry=${entry}`)).status).toBe(409);
    }
    expect((await admin.post(`/api/students/${id}/restore`)).status).toBe(201);
    expect(await read(staff, id)).toEqual(kept);
  });

  // Covers A130
  test('is not entered anew by staff after an administrator recorded the ID anew', async ({
    admin,
    staff,
  }) => {
    const { student, course, sheet } = await aConfirmedGrade(admin, staff);
    const { id } = student;
    const before = await read(staff, id);
    await admin.delete(`/api/students/${id}`);
    expect((await admin.post('/api/students', student)).status).toBe(201);
    await staff.post('/api/students/family', aFamily(id));
    const better = {
      ...aSemester(id, 1, [{ title: 'Signals', credits: 3, grade: 'A' }]),
      subject_1_id: course.course_id,
    };
    const refusal = {
      status: 403,
      body: {
        message: `Semester 1 has results of mark sheet ${sheet.sheet_id}. An administrator changes it, with a reason.`,
      },
    };
    expect(await staff.post('/api/students/academics', { ...better, reason: REASON })).toMatchObject(refusal);
    const { id: importId, preview } = await prepareImport(staff, 'results', [
      { student_id: id, semester: 1, course_id: course.course_id, title: 'Signals', credits: 3, grade: 'A' },
    ]);
    const { fingerprint } = preview;
    expect(await staff.post(`/api/imports/${importId}/apply`, { fingerprint, reason: REASON })).toMatchObject(
      refusal,
    );
    expect((await read(staff, id)).academics).toEqual([]);
    // The new record can't be taken away by staff either, and the ID stays an administrator's.
    expect((await staff.delete(`/api/students/${id}`)).status).toBe(403);
    expect((await admin.delete(`/api/students/${id}`)).status).toBe(200);
    expect((await staff.post('/api/students', student)).status).toBe(422);

    const { entries } = historyReply.parse((await admin.get(`/api/students/${id}/history`)).body);
    const deletions = entries.filter((one) => one.entity === 'student' && one.action === 'delete');
    const [later, withGrade] = deletions;
    expect((await admin.post(`/api/students/${id}/restore?entry=${later?.id}`)).status).toBe(409);
    expect((await admin.post(`/api/students/${id}/restore?entry=${withGrade?.id}`)).status).toBe(201);
    const [academic] = (await read(staff, id)).academics;
    expect((await read(staff, id)).academics).toEqual(before.academics);
    // The sheet protects the restored record as it did before.
    const answer = await admin.put(`/api/students/academics/${academic?.academic_id}`, {
      ...{ ...academic, subj_grade_1: 4, reason: REASON },
    });
    expect(answer.status, answer.text).toBe(422);
  });
});

describe.each(targets())('grades of a batch that come from mark sheets, on $name', ({ test }) => {
  // Covers A130
  test('are not changed by moving the student to another batch and back', async ({ admin, staff }) => {
    const degree = unique();
    const student = aStudent({ degree, current_sem: 2 });
    const { id } = student;
    const other = unique();
    const grade = (semester: number) =>
      aSemester(id, semester, [{ title: 'Drawing', credits: 2, grade: 'B' }]);
    await staff.post('/api/students', student);
    await staff.post('/api/students/family', aFamily(id));
    await staff.post('/api/students/academics', grade(1));
    await makePolicy(admin, { degrees: [degree], rules: { sheets_only: true } });
    const text = `Grades of batch ${degree} come from mark sheets. Only an administrator moves a student with grades into it or out of it.`;
    const { id: _, ...base } = student;
    const moveTo = (person: Person, batch: string) =>
      person.put(`/api/students/${id}`, { ...base, degree: batch });
    const importTo = (person: Person, batch: string) =>
      prepareImport(person, 'students', [{ id, degree: batch }], UPDATE);
    const degreeNow = async () => (await read(staff, id)).student.degree;
    const refuse = async (batch: string) => {
      expect(await moveTo(staff, batch)).toMatchObject({ status: 403, body: { message: text } });
      const { id: importId, preview } = await importTo(staff, batch);
      expect(preview.counts).toMatchObject({ update: 0, refused: 1 });
      expect(await listRows(staff, importId)).toMatchObject([{ errors: { degree: [text] } }]);
    };
    await refuse(other);
    expect((await moveTo(admin, other)).status).toBe(200);
    await refuse(degree);
    expect(await degreeNow()).toBe(other);
    expect((await moveTo(staff, unique())).status).toBe(200);

    // A student without grades is moved by staff, but not back by an undo once there are some.
    const free = aStudent({ degree, current_sem: 1 });
    await staff.post('/api/students', free);
    await staff.post('/api/students/family', aFamily(free.id));
    const { id: importId, preview } = await prepareImport(
      staff,
      'students',
      [{ id: free.id, degree: other }],
      UPDATE,
    );
    await staff.post(`/api/imports/${importId}/apply`, { fingerprint: preview.fingerprint });
    await staff.post(
      '/api/students/academics',
      aSemester(free.id, 1, [{ title: 'Drawing', credits: 2, grade: 'A' }]),
    );
    const undo = importUndoPreview.parse((await staff.get(`/api/imports/${importId}/undo`)).body);
    expect(
      await staff.post(`/api/imports/${importId}/undo`, { fingerprint: undo.fingerprint }),
    ).toMatchObject({ status: 403, body: { message: text } });
    expect((await read(staff, free.id)).student.degree).toBe(other);
  });
});
