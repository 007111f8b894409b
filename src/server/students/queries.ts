import { sql } from 'kysely';
import type { Family } from '../../contract/family.ts';
import type { Student } from '../../contract/students.ts';
import { SCHOOL_MARKS_TOTAL } from '../../domain/student.ts';
import { compileOnce } from '../db/compile-once.ts';
import { jsonArray, jsonFraction, jsonObject, jsonRows, jsonText, listed, locked } from '../db/dialect.ts';
import type { Db, Tx } from '../db/schema.ts';
import type { StudentRow } from './listing.ts';

/** Ids that can be nobody's are not looked for; PostgreSQL would even refuse some of their characters. */
export const isStudentId = (id: string) => /^[A-Za-z0-9._-]{1,20}$/.test(id);

export async function findStudent(db: Db, id: string): Promise<StudentRow | undefined> {
  if (!isStudentId(id)) return undefined;
  return db.selectFrom('students').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The student's row, held until the transaction ends. */
export async function lockStudent(tx: Tx, id: string): Promise<StudentRow | undefined> {
  if (!isStudentId(id)) return undefined;
  return locked(tx, tx.selectFrom('students').selectAll().where('id', '=', id)).executeTakeFirst();
}

export function findFamily(db: Db, studentId: string) {
  return db.selectFrom('families').selectAll().where('student_id', '=', studentId).executeTakeFirst();
}

/** Named once more as values, since types are gone at run time; the compiler holds them to the reply. */
const STUDENT_COLUMNS: Record<keyof Student, null> = {
  id: null,
  first_name: null,
  last_name: null,
  dob: null,
  joining_date: null,
  phone_number: null,
  gender: null,
  fsc_marks: null,
  fsc_year: null,
  fsc_div: null,
  matric_marks: null,
  matric_year: null,
  matric_div: null,
  current_sem: null,
  department: null,
  degree: null,
  syn: null,
  reason: null,
  img: null,
};

const FAMILY_COLUMNS: Record<keyof Family, null> = {
  student_id: null,
  father_name: null,
  father_occupation: null,
  mother_name: null,
  mother_occupation: null,
  number_siblings: null,
  father_phone: null,
  mother_phone: null,
  home_phone: null,
  address: null,
};

/** A student of the table or subquery `s`, as the JSON of the reply. */
function studentJson(db: Db) {
  const entries = Object.keys(STUDENT_COLUMNS).map((name) => {
    const column = sql.ref(`s.${name}`);
    return [
      name,
      name.endsWith('_marks') ? jsonFraction(db, column, SCHOOL_MARKS_TOTAL * 100) : column,
    ] as const;
  });
  return jsonObject(db, Object.fromEntries(entries));
}

/** A family of the table `f`, as the JSON of the reply. */
function familyJson(db: Db) {
  return jsonObject(
    db,
    Object.fromEntries(Object.keys(FAMILY_COLUMNS).map((name) => [name, sql.ref(`f.${name}`)] as const)),
  );
}

/**
 * Students of the first page of the whole list, and of each after it: a client that reads no further makes the process keep
 * one or two of those, and it shall not matter that hundreds do.
 */
export const LIST_PAGES = { first: 128, next: 32 };

export interface ListPage {
  /** A JSON array of students, in order of their ids. */
  students: string;
  count: number;
  last_id: string | null;
}

/**
 * The next students after an id (`''` for the first), as one text that the engine has built: taking
 * rows apart and putting JSON together here would cost more than the rest of the call. A range scan of the primary key.
 */
export const listQuery = (db: Db) => sql<ListPage>`
    select ${jsonRows(db, studentJson(db), sql.ref('s.id'))} as students, count(*) as count, max(s.id) as last_id
    from (select * from students where id > ${''} order by id limit ${1}) as s`;
export const listStudentsAfter = compileOnce<ListPage, [afterId: string, limit: number]>(listQuery);

export interface RecordParts {
  student: string;
  version: number;
  current_sem: number;
  /** JSON of the reply; null while the family step has not been done. */
  family: string | null;
  family_version: number | null;
  /** JSON: `[academic_id, semester, sgpa, cgpa, version]` of each recorded semester, in order. */
  semesters: string;
  /** JSON: `[semester, slot, title, course_id, credits, half_points]` of each filled slot, in order. */
  subjects: string;
}

/** All of a record in one statement: four look-ups by primary key. */
function recordColumns(db: Db) {
  const semester = jsonArray(db, [
    sql.ref('a.academic_id'),
    sql.ref('a.semester'),
    sql.ref('a.sgpa'),
    sql.ref('a.cgpa'),
    sql.ref('a.version'),
  ]);
  const subject = jsonArray(db, [
    sql.ref('t.semester'),
    sql.ref('t.slot'),
    sql.ref('t.title'),
    sql.ref('t.course_id'),
    sql.ref('t.credits'),
    sql.ref('t.half_points'),
  ]);
  return sql`
      ${jsonText(db, studentJson(db))} as student,
      s.version,
      s.current_sem,
      case when f.student_id is not null then ${jsonText(db, familyJson(db))} end as family,
      f.version as family_version,
      (select ${jsonRows(db, semester, sql`a.semester`)} from semesters a where a.student_id = s.id) as semesters,
      (select ${jsonRows(db, subject, sql`t.semester, t.slot`)}
        from semester_subjects t where t.student_id = s.id) as subjects`;
}

export const recordQuery = (db: Db) => sql<RecordParts>`
  select ${recordColumns(db)}
  from students s left join families f on f.student_id = s.id
  where s.id = ${''}`;

export const findRecord = compileOnce<RecordParts, [id: string]>(recordQuery);

/** The same of many. */
export async function findRecords(db: Db, ids: readonly string[]): Promise<(RecordParts & { id: string })[]> {
  const query = sql<RecordParts & { id: string }>`
    select s.id, ${recordColumns(db)}
    from ${listed(db, sql`${JSON.stringify(ids)}`)} l
      cross join students s
      left join families f on f.student_id = s.id
    where s.id = l.value`;
  return (await query.execute(db)).rows;
}

export interface EntryState {
  current_sem: number;
  has_family: boolean;
  recorded_semesters: number;
}

/** How far the entry of a student has come; undefined when there is no such student. */
export async function findEntryState(db: Db, id: string): Promise<EntryState | undefined> {
  if (!isStudentId(id)) return undefined;
  const row = await db
    .selectFrom('students as s')
    .leftJoin('families as f', 'f.student_id', 's.id')
    .select((eb) => [
      's.current_sem',
      'f.student_id as family_of',
      eb
        .selectFrom('semesters as a')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('a.student_id', '=', 's.id')
        .as('recorded'),
    ])
    .where('s.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    current_sem: row.current_sem,
    has_family: row.family_of !== null,
    recorded_semesters: Number(row.recorded ?? 0),
  };
}
