import { type SelectQueryBuilder, sql } from 'kysely';
import { forUpdate, holdingShared, sharedAdvisoryLock } from '../../db/dialect/locks.ts';
import { jsonArray, jsonElements, jsonRows } from '../../db/dialect/sql.ts';
import { type NamedParameter, preparedQuery, preparedQueryVariants } from '../../db/prepared-query.ts';
import type { Db, Schema, Tx } from '../../db/schema.ts';
import type { StudentRow } from '../derived/derived-columns.ts';
import { loadPolicies, type Policies } from '../grading/policies.ts';
import { type NotifiedColumns, toNotifiedColumns } from '../grading/standing-facts.ts';
import {
  EQUIVALENTS_LOCK,
  isStudentId,
  lockStudent,
  type ResultParts,
  resultColumns,
  semesterTuples,
  subjectTuples,
} from '../queries.ts';
import type { SemesterRow, Subject } from '../semester-slots.ts';
import type { ProtectedSlot } from './protected-slots.ts';
import { selectUnrecorded, type UnrecordedResult } from './unrecorded-results.ts';

/** A recorded semester with its subjects in the order of their slots. */
export interface RecordedSemester {
  row: SemesterRow & { version: number; is_provisional: number } & NotifiedColumns;
  subjects: readonly Subject[];
}

/** A student with all results. */
export interface StudentResults {
  student: StudentRow;
  hasFamily: boolean;
  /** The recorded semesters in order, from the first on. */
  recorded: readonly RecordedSemester[];
  protectedSlots: readonly ProtectedSlot[];
  /** Results in the order of their sheets. */
  unrecorded: readonly UnrecordedResult[];
  /** Read after the student was locked. */
  policies: Policies;
}

/** Where results are read; for storing, `lock` locks the rows. */
export interface ResultSource {
  db: Db;
  lock<O>(query: SelectQueryBuilder<Schema, keyof Schema, O>): SelectQueryBuilder<Schema, keyof Schema, O>;
}

/** The results of students by id. Storing locks the students. */
export async function loadResults(
  { db, lock }: ResultSource,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StudentResults>> {
  if (ids.length === 0) return new Map();
  if (db.isTransaction) await sharedAdvisoryLock(db, EQUIVALENTS_LOCK);
  const students = await lock(
    db.selectFrom('students').selectAll().where('id', 'in', ids).orderBy('id'),
  ).execute();
  return readResults(db, students);
}

/** The results of one student, whose row is locked before they are read, so they cannot change in between. */
export const lockResults = async (tx: Tx, id: string) =>
  isStudentId(id) ? readOne(tx, lockStudent(tx, id), { of: 'student', key: id }) : undefined;

/** {@link lockResults} of the student to whom a semester belongs. */
export const lockResultsWith = async (tx: Tx, academicId: number) =>
  readOne(tx, lockOwner(tx, academicId), { of: 'semester', key: academicId });

const lockOwner = preparedQuery<StudentRow, [academicId: number]>(
  (db) => sql`select * from students
    where id = (select student_id from semesters where academic_id = ${0})
      ${holdingShared(db, EQUIVALENTS_LOCK)} ${forUpdate(db)}`,
);

/** The results of a student who has been read. */
export const readStudentResults = async (db: Db, student: StudentRow) =>
  readOne(db, Promise.resolve(student), { of: 'student', key: student.id });

/** Reads one student's results, right behind the student. */
async function readOne(
  db: Db,
  reading: Promise<StudentRow | undefined>,
  { of, key }: { of: 'student' | 'semester'; key: string | number },
): Promise<StudentResults | undefined> {
  const [student, [row], policies] = await Promise.all([
    reading,
    findResults(db, of, { key }),
    loadPolicies(db),
  ]);
  return student && row && toResults(student, row, policies);
}

/** The results as one row of a student: the lists are JSON. */
interface ResultsRow extends ResultParts {
  id: string;
  family_of: string | null;
  /** `[semester, slot, sheet_id, title]` of each. */
  protected_slots: string;
  /** `[semester, sheet_id, title]` of each. */
  unrecorded: string;
}

const findResults = preparedQueryVariants<ResultsRow, 'student' | 'semester' | 'students'>(
  (db, of, value) => {
    const slot = jsonArray(db, [
      sql.ref('r.semester'),
      sql.ref('r.slot'),
      sql.ref('r.sheet_id'),
      sql.ref('h.title'),
    ]);
    const lost = jsonArray(db, [sql.ref('u.semester'), sql.ref('u.sheet_id'), sql.ref('u.title')]);
    return sql`
    select s.id, f.student_id as family_of, ${resultColumns(db)},
      (select ${jsonRows(db, slot, sql`r.semester, r.slot`)} from sheet_results r
        cross join sheets h where h.sheet_id = r.sheet_id and r.student_id = s.id) as protected_slots,
      (select ${jsonRows(db, lost, sql`u.sheet_id`)}
        from (${selectUnrecorded(sql`r.student_id = s.id`)}) u) as unrecorded
    from ${of === 'students' ? sql`${jsonElements(db, value('ids'))} l cross join` : sql``}
      students s left join families f on f.student_id = s.id
    where s.id = ${studentKeys(value)[of]}`;
  },
);

const studentKeys = (value: NamedParameter) => ({
  student: value('key'),
  semester: sql`(select student_id from semesters where academic_id = ${value('key')})`,
  students: sql`l.value`,
});

async function readResults(
  db: Db,
  students: readonly StudentRow[],
): Promise<ReadonlyMap<string, StudentResults>> {
  const rows = await findResults(db, 'students', { ids: JSON.stringify(students.map(({ id }) => id)) });
  const policies = await loadPolicies(db);
  const found = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    students.flatMap((student) => {
      const row = found.get(student.id);
      return row === undefined ? [] : [[student.id, toResults(student, row, policies)]];
    }),
  );
}

function toResults(student: StudentRow, row: ResultsRow, policies: Policies): StudentResults {
  const student_id = student.id;
  const subjects = subjectTuples(row);
  const slots: [semester: number, slot: number, sheet_id: number, title: string][] = JSON.parse(
    row.protected_slots,
  );
  const unrecorded: [semester: number, sheet_id: number, title: string][] = JSON.parse(row.unrecorded);
  return {
    student,
    policies,
    hasFamily: row.family_of !== null,
    recorded: semesterTuples(row).map((tuple) => {
      const [academic_id, semester, sgpa, cgpa, version, is_provisional, is_elsewhere, ...notified] = tuple;
      return {
        row: {
          academic_id,
          student_id,
          semester,
          sgpa,
          cgpa,
          version,
          is_provisional,
          is_elsewhere,
          ...toNotifiedColumns(notified),
        },
        subjects: subjects.flatMap(([of, slot, title, course_id, credits, half_points]) =>
          of === semester ? { slot, title, course_id, credits, half_points } : [],
        ),
      };
    }),
    protectedSlots: slots.map(([semester, slot, sheet_id, title]) => ({
      semester,
      slot,
      sheet_id,
      title,
    })),
    unrecorded: unrecorded.map(([semester, sheet_id, title]) => ({ semester, sheet_id, title })),
  };
}
