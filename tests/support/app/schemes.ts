import { expect } from 'vitest';
import { auditReply } from '../../../src/contract/schemes/audit.ts';
import {
  type Scheme,
  type SchemePreview,
  schemePreview,
  schemeSavedReply,
} from '../../../src/contract/schemes/schemes.ts';
import type { GradeLetter } from '../../../src/domain/grading/gpa.ts';
import type { Department } from '../../../src/domain/student.ts';
import { aFamily, aSemester, aStudent, unique } from '../records.ts';
import type { Answer, Person } from './people.ts';
import { getFieldErrors } from './test-app.ts';

/** Adds courses with codes and ids, named as their codes. */
export async function addCourses(admin: Person, codes: Readonly<Record<string, number>>): Promise<void> {
  for (const [course_code, course_id] of Object.entries(codes)) {
    const added = await admin.post('/api/courses', { course_id, course_code, course_name: course_code });
    expect(added.status, added.text).toBe(201);
  }
}

/** A row of three credit hours in semester 1. */
export const aRow = (options: readonly number[], changes: object = {}) => ({
  semester: 1,
  theory: 3,
  lab: 0,
  options,
  ...changes,
});

/** A draft for batches of a department. */
export async function addDraft(
  admin: Person,
  degrees: string[] | null,
  rows: readonly object[] = [],
  department: Department = 'CE',
): Promise<Scheme> {
  const head = { name: 'BE Computer', department, degrees };
  const added = await admin.post('/api/schemes', head);
  expect(added.status, added.text).toBe(201);
  const { scheme } = schemeSavedReply.parse(added.body);
  if (rows.length === 0) return scheme;
  const saved = await admin.put(`/api/schemes/${scheme.scheme_id}`, { ...head, rows });
  expect(saved.status, saved.text).toBe(200);
  return schemeSavedReply.parse(saved.body).scheme;
}

export const previewOf = async (admin: Person, { scheme_id }: Scheme): Promise<SchemePreview> =>
  schemePreview.parse((await admin.get(`/api/schemes/${scheme_id}/preview`)).body);

export async function publish(admin: Person, scheme: Scheme): Promise<Scheme> {
  const { fingerprint } = await previewOf(admin, scheme);
  const done = await admin.post(`/api/schemes/${scheme.scheme_id}/publish`, { fingerprint });
  expect(done.status, done.text).toBe(200);
  return schemeSavedReply.parse(done.body).scheme;
}

/** A published scheme. */
export const addScheme = async (
  admin: Person,
  degrees: string[] | null,
  rows: readonly object[],
  department: Department = 'CE',
): Promise<Scheme> => publish(admin, await addDraft(admin, degrees, rows, department));

/** A student with the results of the first semesters: course id and letter, of three credit hours each. */
export async function addStudent(
  staff: Person,
  degree: string,
  semesters: readonly (readonly (readonly [courseId: number, grade: GradeLetter])[])[] = [],
  department: Department = 'CE',
): Promise<string> {
  const id = `S-${unique()}`;
  const current_sem = Math.max(1, semesters.length);
  const added = await staff.post('/api/students', aStudent({ id, degree, department, current_sem }));
  expect(added.status, added.text).toBe(201);
  await staff.post('/api/students/family', aFamily(id));
  for (const [i, subjects] of semesters.entries()) {
    const taken = subjects.map(([courseId, grade]) => ({
      title: `Course ${courseId}`,
      courseId,
      credits: 3,
      grade,
    }));
    const stored = await staff.post('/api/students/academics', aSemester(id, i + 1, taken));
    expect(stored.status, stored.text).toBe(201);
  }
  return id;
}

export const auditOf = async (by: Person, id: string, query = '') =>
  auditReply.parse((await by.get(`/api/students/${id}/audit${query}`)).body);

/** The state of each row by its key. */
export const statesOf = async (by: Person, id: string) =>
  Object.fromEntries((await auditOf(by, id)).rows.map(({ key, state }) => [key, state]));

/** The first text of each field of a 422. */
export const refusedFields = (answer: Answer): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(getFieldErrors(answer)).map(([field, [text]]) => [field, text]));
