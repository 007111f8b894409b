import { expect } from 'vitest';
import { confirmPreview } from '../../../src/contract/marksheets/confirmation.ts';
import { checksReply } from '../../../src/contract/marksheets/grading.ts';
import { type Sheet, sheetSavedReply, sheetShowReply } from '../../../src/contract/marksheets/sheets.ts';
import { termSavedReply } from '../../../src/contract/terms.ts';
import { aCourse, aStudent, aTerm, unique } from '../records.ts';
import { insertStudents } from './fill-class.ts';
import type { Person, TestApp } from './test-app.ts';

/** A single component of 100 marks, so that the total of a row is its mark. */
export const ONE_COMPONENT = [
  { name: 'Final', weight: 100, best_of: null, components: [{ name: 'Final', max: 100 }] },
];

/** The set-up of example 8 of the rules: quizzes, assignments, two tests and the final. */
export const FULL_SETUP = [
  {
    name: 'Quizzes',
    weight: 10,
    best_of: 4,
    components: [1, 2, 3, 4, 5].map((number) => ({ name: `Quiz ${number}`, max: 10 })),
  },
  {
    name: 'Assignments',
    weight: 10,
    best_of: null,
    components: [1, 2, 3].map((number) => ({ name: `Assignment ${number}`, max: 20 })),
  },
  { name: 'OHT 1', weight: 15, best_of: null, components: [{ name: 'OHT 1', max: 50 }] },
  { name: 'OHT 2', weight: 15, best_of: null, components: [{ name: 'OHT 2', max: 50 }] },
  { name: 'ESE', weight: 50, best_of: null, components: [{ name: 'ESE', max: 100 }] },
];

export interface ClassForSheet {
  degree: string;
  ids: string[];
  course_id: number;
  term_id: number;
}

/** A class of its own, a course and a term. `students`: how many, or how the ID of each ends. */
export async function aClass(
  { app, admin }: { app: TestApp; admin: Person },
  students: number | readonly string[],
): Promise<ClassForSheet> {
  const degree = unique();
  const ends =
    typeof students === 'number'
      ? Array.from({ length: students }, (_, i) => String(i + 1).padStart(3, '0'))
      : students;
  const ids = ends.map((end) => `${degree}-${end}`);
  await insertStudents(
    app.db.write,
    ids.map((id) => aStudent({ id, degree, department: 'CE', syn: 'A', current_sem: 1 })),
  );
  const course = aCourse();
  expect((await admin.post('/api/courses', course)).status).toBe(201);
  const term = await admin.post('/api/terms', aTerm());
  expect(term.status, term.text).toBe(201);
  return {
    degree,
    ids,
    course_id: course.course_id,
    term_id: termSavedReply.parse(term.body).term.term_id,
  };
}

export const aSheetFor = (ofClass: ClassForSheet, changes: object = {}) => ({
  course_id: ofClass.course_id,
  term_id: ofClass.term_id,
  title: 'Signals',
  credits: 3,
  semester: 1,
  department: 'CE',
  degree: ofClass.degree,
  categories: ONE_COMPONENT,
  ...changes,
});

export async function createSheet(
  person: Person,
  ofClass: ClassForSheet,
  changes: object = {},
): Promise<Sheet> {
  const answer = await person.post('/api/sheets', aSheetFor(ofClass, changes));
  expect(answer.status, answer.text).toBe(201);
  return sheetSavedReply.parse(answer.body).sheet;
}

/** Names these people as the teachers of a sheet, and no others. */
export async function nameTeachers(
  staff: Person,
  { sheet_id }: Pick<Sheet, 'sheet_id'>,
  teachers: readonly Pick<Person, 'user'>[],
): Promise<Sheet> {
  const answer = await staff.put(`/api/sheets/${sheet_id}/teachers`, {
    ids: teachers.map(({ user }) => user.id),
  });
  expect(answer.status, answer.text).toBe(200);
  return sheetSavedReply.parse(answer.body).sheet;
}

export async function getSheet(person: Person, sheetId: number): Promise<Sheet> {
  const answer = await person.get(`/api/sheets/${sheetId}`);
  expect(answer.status, answer.text).toBe(200);
  return sheetShowReply.parse(answer.body).sheet;
}

/** Fills the first component of the rows in their order; all cells were empty. */
export async function fillSheet(
  person: Person,
  sheet: Sheet,
  marks: readonly (number | string | null)[],
): Promise<Sheet> {
  const component_id = sheet.categories[0]?.components[0]?.component_id;
  const cells = sheet.rows.slice(0, marks.length).map(({ student_id }, i) => ({
    ...{ student_id, component_id },
    value: marks[i],
    was: null,
  }));
  const answer = await person.put(`/api/sheets/${sheet.sheet_id}/cells`, { cells });
  expect(answer.status, answer.text).toBe(200);
  return getSheet(person, sheet.sheet_id);
}

/** Submits a filled sheet, with a reason for each warning. */
export async function submitSheet(person: Person, { sheet_id }: Sheet): Promise<void> {
  const path = `/api/sheets/${sheet_id}`;
  const { warnings } = checksReply.parse((await person.get(`${path}/checks`)).body);
  const reasons = Object.fromEntries(warnings.map(({ rule }) => [rule, 'Agreed by the board']));
  const answer = await person.post(`${path}/submit`, { reasons });
  expect(answer.status, answer.text).toBe(200);
}

/** Confirms a submitted sheet as it is previewed. `leave`: the students whose rows are blocked. */
export async function confirmSheet(
  person: Person,
  { sheet_id }: Sheet,
  leave?: readonly string[],
): Promise<Sheet> {
  const path = `/api/sheets/${sheet_id}/confirm`;
  const { fingerprint } = confirmPreview.parse((await person.get(path)).body);
  const answer = await person.post(path, { fingerprint, leave });
  expect(answer.status, answer.text).toBe(200);
  return sheetSavedReply.parse(answer.body).sheet;
}
