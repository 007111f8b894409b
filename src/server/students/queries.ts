import { sql } from 'kysely';
import type { z } from 'zod';
import {
  type Family,
  familyReply,
  type Namesakes,
  type namesakesQuery,
  type Student,
  type StudentInput,
  type StudentRecord,
  studentReply,
} from '../../contract/students/students.ts';
import { currentCgpa, finalCgpa, latestCgpa } from '../../domain/grading/gpa.ts';
import { nameSortKey, naturalSortKey } from '../../domain/search-text.ts';
import {
  DEPARTMENT_CODES,
  SCHOOL_MARKS_TOTAL,
  SEMESTERS,
  toFraction,
  toHundredths,
} from '../../domain/student.ts';
import { forUpdate, holdingShared } from '../db/dialect/locks.ts';
import { jsonArray, jsonElements, jsonFraction, jsonObject, jsonRows, jsonText } from '../db/dialect/sql.ts';
import { preparedQuery } from '../db/prepared-query.ts';
import type { Db, FamiliesTable, PoliciesTable, Tx } from '../db/schema.ts';
import { etag, versionPart } from '../http/etags.ts';
import type { StudentRow } from './derived/derived-columns.ts';
import { equivalentsColumn } from './grading/equivalents.ts';
import { NOTIFIED_COLUMNS, type NotifiedTuple } from './grading/standing-facts.ts';
import { isGraded, type Subject, semesterJson } from './semester-slots.ts';

/** Text of any other form is no student's id. Checked before a query, since PostgreSQL rejects some characters. */
export const isStudentId = (id: string) => /^[A-Za-z0-9._-]{1,20}$/.test(id);

export async function findStudent(db: Db, id: string): Promise<StudentRow | undefined> {
  if (!isStudentId(id)) return undefined;
  return db.selectFrom('students').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * What keeps changes of equivalents out while the results of a student are stored: the pair would pass by a course that it can't
 * see yet. Held together by all who store results.
 */
export const EQUIVALENTS_LOCK = 'equivalents of courses';

/** The student's row, locked until the transaction ends. */
export async function lockStudent(tx: Tx, id: string): Promise<StudentRow | undefined> {
  return isStudentId(id) ? lockRow(tx, id) : undefined;
}

const lockRow = preparedQuery<StudentRow, [id: string]>(
  (db) =>
    sql`select * from students where id = ${''} ${holdingShared(db, EQUIVALENTS_LOCK)} ${forUpdate(db)}`,
);

export const findFamily = preparedQuery<FamiliesTable, [studentId: string]>(
  () => sql`select * from families where student_id = ${''}`,
);

/** A student of the table or subquery `s`, as the JSON of the reply. */
function studentJson(db: Db) {
  const entries = Object.keys(studentReply.shape).map((name) => {
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
    Object.fromEntries(Object.keys(familyReply.shape).map((name) => [name, sql.ref(`f.${name}`)] as const)),
  );
}

/**
 * Students per page of the whole list: the first page and each page after it. A client that stops reading leaves one or two
 * pages in memory, so hundreds of such clients cost little.
 */
export const LIST_PAGES = { first: 128, next: 32 };

export interface ListPage {
  /** A JSON array of students, in order of their ids. */
  students: string;
  count: number;
  last_id: string | null;
}

/**
 * The next students after an id (`''` for the first), as JSON text built by the database: building it here from rows would
 * cost more than the rest of the call. A range scan of the primary key.
 */
export const listQuery = (db: Db) => sql<ListPage>`
    select ${jsonRows(db, studentJson(db), sql.ref('s.id'))} as students, count(*) as count, max(s.id) as last_id
    from (select * from students where id > ${''} order by id limit ${1}) as s`;
export const listStudentsAfter = preparedQuery<ListPage, [afterId: string, limit: number]>(listQuery);

/** The results of a student. */
export interface ResultLists {
  /** JSON: the {@link SemesterTuple} of each recorded semester, in order. */
  semesters: string;
  /** JSON: `[semester, slot, title, course_id, credits, half_points]` of each filled slot, in order. */
  subjects: string;
}

/** The same with the policy by which the stored averages were computed. */
export interface ResultParts extends ResultLists {
  policy_id: number;
}

export interface RecordParts extends ResultParts {
  student: string;
  version: number;
  current_sem: number;
  /** JSON of the reply; null while the family step has not been done. */
  family: string | null;
  family_version: number | null;
}

/** {@link ResultParts} of a student of the table `s`. */
export const resultColumns = (db: Db) => sql`s.policy_id, ${resultLists(db)}`;

/** {@link ResultLists} of a student of the table `s`: look-ups by primary key. */
export function resultLists(db: Db) {
  const semester = jsonArray(db, [
    sql.ref('a.academic_id'),
    sql.ref('a.semester'),
    sql.ref('a.sgpa'),
    sql.ref('a.cgpa'),
    sql.ref('a.version'),
    sql.ref('a.is_provisional'),
    sql.ref('a.is_elsewhere'),
    ...NOTIFIED_COLUMNS.map((name) => sql.ref(`a.${name}`)),
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
      (select ${jsonRows(db, semester, sql`a.semester`)} from semesters a where a.student_id = s.id) as semesters,
      (select ${jsonRows(db, subject, sql`t.semester, t.slot`)}
        from semester_subjects t where t.student_id = s.id) as subjects`;
}

/** A whole record in one statement: four look-ups by primary key. */
const recordColumns = (db: Db) => sql`
      ${jsonText(db, studentJson(db))} as student,
      s.version,
      s.current_sem,
      case when f.student_id is not null then ${jsonText(db, familyJson(db))} end as family,
      f.version as family_version,
      ${resultColumns(db)}`;

export const recordQuery = (db: Db) => sql<RecordParts>`
  select ${recordColumns(db)}
  from students s left join families f on f.student_id = s.id
  where s.id = ${''}`;

/** Results with what figures follow from beside them. */
export interface GradedParts extends ResultParts, Pick<PoliciesTable, 'rules'>, Pick<StudentRow, 'degree'> {
  /** JSON, see `parseEquivalents`. */
  equivalents: string;
  credits_outside: number;
}

/** {@link GradedParts} of a student of the table `s`, without the rules of the policy. */
export const gradedColumns = (db: Db) => sql`
  ${resultColumns(db)}, s.degree, ${equivalentsColumn(db)} as equivalents,
  (select coalesce(sum(e.credits), 0) from outside_credits e where e.student_id = s.id) as credits_outside`;

export const resultsQuery = (db: Db) => sql<GradedParts>`
  select ${gradedColumns(db)}, p.rules
  from students s inner join policies p on p.policy_id = s.policy_id
  where s.id = ${''}`;

const findRecord = preparedQuery<RecordParts, [id: string]>(recordQuery);

const findResults = preparedQuery<GradedParts, [id: string]>(resultsQuery);

/** The results of a student and the rules of the policy; undefined when there is no such student. */
export const findResultParts = async (db: Db, id: string) =>
  isStudentId(id) ? findResults(db, id) : undefined;

/** The records of many students. */
export async function findRecords(db: Db, ids: readonly string[]): Promise<(RecordParts & { id: string })[]> {
  const query = sql<RecordParts & { id: string }>`
    select s.id, ${recordColumns(db)}
    from ${jsonElements(db, sql`${JSON.stringify(ids)}`)} l
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

/** Which steps of a student's entry are done; undefined when there is no such student. */
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

/** IDs of other students that differ from this one only in upper and lower case. */
export async function findIdsInOtherCase(db: Db, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('students')
    .select('id')
    // The index is kept apart by these.
    .where('current_sem', 'in', SEMESTERS)
    .where('department', 'in', DEPARTMENT_CODES)
    .where('is_active', 'in', [0, 1])
    // IDs with leading zeros in a number have the same key, so the case is compared below.
    .where('id_key', '=', naturalSortKey(id))
    .where('id', '!=', id)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id).filter((other) => other.toLowerCase() === id.toLowerCase());
}

const MOST_NAMESAKES = 5;

/** Students born on a day with a name, whatever its case and accents. */
export async function findNamesakes(
  db: Db,
  { first_name, last_name, dob }: z.output<typeof namesakesQuery>,
): Promise<Namesakes['students']> {
  return db
    .selectFrom('students')
    .select(['id', 'first_name', 'last_name'])
    .where('dob', '=', dob)
    .where('name_key', '=', nameSortKey(`${first_name} ${last_name}`))
    .orderBy('id')
    .limit(MOST_NAMESAKES)
    .execute();
}

/** The JSON arrays that the database builds, see {@link ResultLists}. */
type SemesterTuple = [
  academic_id: number,
  semester: number,
  sgpa: number,
  cgpa: number,
  version: number,
  is_provisional: number,
  is_elsewhere: number,
  ...NotifiedTuple,
];
type SubjectTuple = [
  semester: number,
  slot: Subject['slot'],
  title: string,
  course_id: number | null,
  credits: number | null,
  half_points: number | null,
];

export const semesterTuples = ({ semesters }: Pick<ResultLists, 'semesters'>): SemesterTuple[] =>
  JSON.parse(semesters);
export const subjectTuples = ({ subjects }: Pick<ResultLists, 'subjects'>): SubjectTuple[] =>
  JSON.parse(subjects);

export interface RecordJson {
  /** The reply as JSON; `null` while the family step has not been done. */
  json: string;
  etag: string;
}

/**
 * A whole record, ready to send. The JSON of base record and family comes from the database; only the numbered slots of the
 * semesters are written here.
 */
export async function readRecord(db: Db, id: string): Promise<RecordJson | undefined> {
  const parts = isStudentId(id) ? await findRecord(db, id) : undefined;
  return parts === undefined ? undefined : assembleRecord(id, parts);
}

/** Builds a record from the parts that {@link recordQuery} has read. */
export function assembleRecord(id: string, parts: RecordParts): RecordJson {
  if (parts.family === null || parts.family_version === null) {
    return { json: 'null', etag: etag(versionPart.student(parts.version)) };
  }
  const semesters = semesterTuples(parts);
  const subjects = subjectTuples(parts);
  const academics = semestersJson(id, semesters, subjects);
  return {
    json: `{"student":${parts.student},"family":${parts.family},"academics":[${academics}],"academics_summary":${JSON.stringify(summarise(parts.current_sem, semesters, subjects))}}`,
    etag: etag(
      versionPart.student(parts.version),
      versionPart.family(parts.family_version),
      ...semesters.map(([, semester, , , version]) => versionPart.semester(semester, version)),
      versionPart.policy(parts.policy_id),
    ),
  };
}

/** The results of a student as the record has them, also without a family. */
export const academicsJson = (id: string, parts: ResultParts): string =>
  `[${semestersJson(id, semesterTuples(parts), subjectTuples(parts))}]`;

function summarise(
  currentSemester: number,
  semesters: readonly SemesterTuple[],
  subjects: readonly SubjectTuple[],
): StudentRecord['academics_summary'] {
  const graded = new Set(
    subjects.flatMap(([semester, , , , credits, half_points]) =>
      isGraded({ credits, half_points }) ? semester : [],
    ),
  );
  const recorded = semesters.map(([, semester, , cgpa]) => ({
    cgpa: cgpa / 100,
    isGraded: graded.has(semester),
  }));
  const latest = latestCgpa(recorded, currentSemester);
  const current = currentCgpa(recorded, currentSemester);
  return {
    latest_cgpa: latest?.cgpa ?? null,
    latest_cgpa_semester: latest?.semester ?? null,
    ...(current && { current_cgpa: { value: current.cgpa, semester: current.semester } }),
    final_cgpa: finalCgpa(recorded, currentSemester),
  };
}

function semestersJson(
  student_id: string,
  semesters: readonly SemesterTuple[],
  subjects: readonly SubjectTuple[],
): string[] {
  return semesters.map(([academic_id, semester, sgpa, cgpa, , , is_elsewhere]) => {
    const own: Subject[] = [];
    for (const [ofSemester, slot, title, course_id, credits, half_points] of subjects) {
      if (ofSemester === semester) own.push({ slot, title, course_id, credits, half_points });
    }
    return semesterJson({ academic_id, student_id, semester, sgpa, cgpa, is_elsewhere }, own);
  });
}

/** School marks become a fraction of 1100; version and derived columns are left out. */
export function presentStudent({
  version: _version,
  id_key: _idKey,
  name_key: _nameKey,
  degree_key: _degreeKey,
  search_text: _searchText,
  word_bits: _wordBits,
  cgpa: _cgpa,
  cgpa_semester: _cgpaSemester,
  final_cgpa: _finalCgpa,
  fall: _fall,
  is_complete: _isComplete,
  is_active: _isActive,
  policy_id: _policyId,
  standing: _standing,
  ...row
}: StudentRow): Student {
  return { ...row, fsc_marks: toFraction(row.fsc_marks), matric_marks: toFraction(row.matric_marks) };
}

export function presentFamily({ version: _, ...row }: FamiliesTable): Family {
  return row;
}

/** The columns of a checked input: school marks become whole hundredths. */
export function studentColumns<Input extends Omit<StudentInput, 'id'>>(input: Input) {
  const hundredths = (marks: number) => toHundredths(marks) ?? Number.NaN;
  return { ...input, fsc_marks: hundredths(input.fsc_marks), matric_marks: hundredths(input.matric_marks) };
}
