import { describe, expect } from 'vitest';
import { historyReply } from '../../src/contract/history.ts';
import { sheetSavedReply } from '../../src/contract/marksheets/sheets.ts';
import { recordReply } from '../../src/contract/students/students.ts';
import { termSavedReply } from '../../src/contract/terms.ts';
import { prepareImport } from '../support/app/import-file.ts';
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
    for (const [name, attempt] of Object.entries(attempts)) {
      const answer = await attempt();
      expect(answer.status, `${name}: ${answer.text}`).toBeGreaterThanOrEqual(400);
      expect(answer.status, `${name}: ${answer.text}`).toBeLessThan(500);
      expect(await read(staff, id), name).toEqual(before);
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
    expect(await read(staff, id)).toEqual(before);
  });
});
