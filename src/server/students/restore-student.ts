import { sql } from 'kysely';
import type { Student } from '../../contract/students/students.ts';
import { fromFraction } from '../../domain/student.ts';
import { type ColumnTypes, jsonToRows } from '../db/dialect/sql.ts';
import type { Db, Tx } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import { type Author, firstVersions, recordChanges, STUDENT_ENTITIES } from '../history/record-change.ts';
import { findMissingPictures } from '../pictures/store-picture.ts';
import { CohortCounts } from './derived/cohort-counts.ts';
import type { StudentRow } from './derived/derived-columns.ts';
import { reindex } from './derived/reindex.ts';
import { ResultCounts } from './derived/result-counts.ts';
import { findFormerOwner, findFormerOwners } from './former-ids.ts';
import { storeNotifiedStandings } from './grading/notified-standing.ts';
import { toHoldRow } from './holds/stored-holds.ts';
import { findStudent, isStudentId, presentStudent, studentColumns } from './queries.ts';
import { toSubjects } from './semester-slots.ts';
import { findUnrecorded, recallResults } from './semesters/unrecorded-results.ts';
import { type WholeRecord, wholeRecord } from './whole-record.ts';
import type { Versioned } from './write-student.ts';

/** The history entry of a deletion. */
export interface Deletion {
  /** Number of the entry. The entry of the restore refers to it. */
  id: number;
  /** The student's ID. */
  entity_id: string;
  /** JSON of the whole record. */
  before: string;
}

/**
 * Restores deleted students with families and results as they were, each with an entry in the history. Skips an id that is
 * in use again, or that another student has had since. Leaves out a portrait whose picture no longer exists.
 *
 * @param sums stored by the caller after its last batch
 * @returns the restored students
 */
export async function restoreRecords(
  tx: Tx,
  author: Author,
  deleted: readonly Deletion[],
  sums: { counts: CohortCounts; results: ResultCounts },
): Promise<StudentRow[]> {
  if (deleted.length === 0) return [];
  const taken = await findFormerOwners(
    tx,
    deleted.map(({ entity_id }) => entity_id),
    new Map(deleted.map(({ entity_id, id }) => [entity_id, id])),
  );
  const free = deleted.filter(({ entity_id }) => !taken.has(entity_id));
  const parsed = free.map(({ before }) => wholeRecord.parse(JSON.parse(before)));
  const missing = await findMissingPictures(
    tx,
    parsed.map(({ student }) => student.img),
  );
  const records = parsed.map((record) => {
    const { student } = record;
    return student.img !== null && missing.has(student.img)
      ? { ...record, student: { ...student, img: null } }
      : record;
  });
  const deletionById = new Map(records.map(({ student }, i) => [student.id, free[i]?.id]));
  const ids = records.map(({ student }) => student.id);
  const versions = await firstVersions(tx, STUDENT_ENTITIES, ids);
  const getVersion = (id: string) => versions.get(id) ?? 1;
  const rows = await tx
    .insertInto('students')
    .values(
      records.map(({ student }) => ({
        ...studentColumns({
          ...student,
          fsc_marks: fromFraction(student.fsc_marks),
          matric_marks: fromFraction(student.matric_marks),
        }),
        version: getVersion(student.id),
        // The stored averages may be by an earlier policy.
        policy_id: 0,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .execute();
  const inserted = new Set(rows.map(({ id }) => id));
  const restored = records.filter(({ student }) => inserted.has(student.id));
  const families = restored.flatMap(({ student, family }) =>
    family === undefined ? [] : { ...family, version: getVersion(student.id) },
  );
  if (families.length > 0) await tx.insertInto('families').values(families).execute();
  if (restored.length === 0) return [];
  await insertResults(tx, restored, await versionsOfSemesters(tx, restored), sums.results);
  await keepSheetResults(
    tx,
    restored.map(({ student }) => student.id),
  );
  const formerIds = restored.flatMap(({ student, former_ids = [] }) =>
    former_ids.map(({ id, entry }) => ({ student_id: student.id, history_id: entry, former_id: id })),
  );
  if (formerIds.length > 0) await tx.insertInto('student_former_ids').values(formerIds).execute();
  await insertParts(tx, restored);
  await reindex(tx, new Map(rows.map(({ id }) => [id, undefined])), sums.counts);
  await storeNotifiedStandings(
    tx,
    rows.map(({ id }) => id),
  );
  await recordChanges(
    tx,
    author,
    restored.map(({ student, family, academics = [], ...record }) => ({
      action: 'create',
      entity: 'student',
      entityId: student.id,
      after: {
        student,
        family,
        academics,
        former_ids: record.former_ids,
        notified_standings: record.notified_standings,
        exceptions: record.exceptions,
        outside_credits: record.outside_credits,
        holds: record.holds,
        restored: true,
        restored_from: deletionById.get(student.id),
      },
    })),
    null,
  );
  return rows;
}

/** Exceptions, courses from elsewhere and holds, under their numbers. */
async function insertParts(tx: Tx, records: readonly WholeRecord[]): Promise<void> {
  const exceptions = records.flatMap(({ student, exceptions: own = [] }) =>
    own.map(({ row, ...one }) => ({ ...one, student_id: student.id, row_key: row })),
  );
  if (exceptions.length > 0) await tx.insertInto('scheme_exceptions').values(exceptions).execute();
  const outside = records.flatMap(({ student, outside_credits = [] }) =>
    outside_credits.map(({ row, ...one }) => ({ ...one, student_id: student.id, row_key: row })),
  );
  if (outside.length > 0) await tx.insertInto('outside_credits').values(outside).execute();
  const holds = records.flatMap(({ student, holds: own = [] }) =>
    own.map((one) => toHoldRow(student.id, one)),
  );
  if (holds.length > 0) await tx.insertInto('holds').values(holds).execute();
}

/** Higher than before under any ID of the student, since the address of a semester does not have the ID. */
async function versionsOfSemesters(
  tx: Tx,
  records: readonly WholeRecord[],
): Promise<(studentId: string) => number> {
  const idsByStudent = new Map(
    records.map(({ student: { id }, former_ids = [] }) => [
      id,
      [id, ...former_ids.map((former) => former.id)],
    ]),
  );
  const versions = await firstVersions(tx, STUDENT_ENTITIES, [...new Set([...idsByStudent.values()].flat())]);
  return (studentId) =>
    (idsByStudent.get(studentId) ?? []).reduce((sum, id) => sum + (versions.get(id) ?? 1), 0);
}

const SEMESTER_COLUMNS = {
  academic_id: 'integer',
  student_id: 'text',
  semester: 'integer',
  version: 'integer',
  sgpa: 'integer',
  cgpa: 'integer',
  is_elsewhere: 'integer',
  notified_policy: 'integer',
  notified_standing: 'text',
  notified_clause: 'text',
} as const satisfies ColumnTypes<string>;

/** All semesters in one statement and all subjects in another: there can be thousands. */
async function insertResults(
  tx: Tx,
  records: readonly WholeRecord[],
  getVersion: (id: string) => number,
  results: ResultCounts,
): Promise<void> {
  const academics = records.flatMap(({ academics = [] }) => academics);
  const notified = new Map(
    records.flatMap(({ student: { id }, notified_standings = [] }) =>
      notified_standings.map((one) => [`${id}/${one.semester}`, one] as const),
    ),
  );
  const semesters = academics.map(({ academic_id, student_id, semester, sgpa, cgpa, elsewhere }) => {
    const { policy_id, standing, clause } = notified.get(`${student_id}/${semester}`) ?? {};
    return {
      academic_id,
      student_id,
      semester,
      sgpa: Math.round(sgpa * 100),
      cgpa: Math.round(cgpa * 100),
      version: semester + getVersion(student_id),
      is_elsewhere: elsewhere ? 1 : 0,
      notified_policy: policy_id ?? null,
      notified_standing: policy_id === undefined ? null : (standing ?? ''),
      notified_clause: clause ?? null,
    };
  });
  const subjects = academics.flatMap((academic) =>
    toSubjects(academic).map((subject) => ({
      student_id: academic.student_id,
      semester: academic.semester,
      ...subject,
    })),
  );
  if (semesters.length > 0) {
    const names = sql.join(Object.keys(SEMESTER_COLUMNS).map((name) => sql.ref(name)));
    await sql`insert into semesters (${names})
      select ${names} from ${jsonToRows(tx, semesters, SEMESTER_COLUMNS)} l`.execute(tx);
  }
  if (subjects.length > 0) {
    await sql`insert into semester_subjects (student_id, semester, slot, title, course_id, credits, half_points)
      select student_id, semester, slot, title, course_id, credits, half_points from ${jsonToRows(
        tx,
        subjects,
        {
          student_id: 'text',
          semester: 'integer',
          slot: 'integer',
          title: 'text',
          course_id: 'bigint',
          credits: 'integer',
          half_points: 'integer',
        },
      )} l`.execute(tx);
  }
  results.add(subjects, 1);
}

/**
 * Keeps what confirmed mark sheets wrote where the restored results have it: an older state may lack it. Semesters are
 * provisional again while the results of the class have not been notified.
 */
async function keepSheetResults(tx: Tx, ids: readonly string[]): Promise<void> {
  const restored = jsonToRows(
    tx,
    ids.map((id) => ({ id })),
    { id: 'text' },
  );
  await sql`delete from sheet_results where student_id in (select id from ${restored} r) and not exists (
    select 1 from semester_subjects s
    where s.student_id = sheet_results.student_id and s.semester = sheet_results.semester
      and s.slot = sheet_results.slot and s.course_id = sheet_results.course_id
      and coalesce(s.half_points, -1) = coalesce(sheet_results.half_points, -1))`.execute(tx);
  await recallResults(tx, ids);
  await sql`update semesters set is_provisional = 1 where student_id in (select id from ${restored} r) and exists (
    select 1 from sheet_results w join sheets s on s.sheet_id = w.sheet_id
    where w.student_id = semesters.student_id and w.semester = semesters.semester
      and s.notification is null)`.execute(tx);
}

/**
 * Restores a deleted student with family and results as they were.
 *
 * @param entry number of the deletion in the history; the last one of this id if undefined
 * @throws AppError not-found when there was no such deletion, conflict when the id is in use again
 */
export async function restoreStudent(
  tx: Tx,
  author: Author,
  id: string,
  entry: number | undefined,
): Promise<Versioned<Student>> {
  const deleted = await findDeleted(tx, id, entry);
  await requireFreeId(tx, id, deleted?.id);
  if (deleted === undefined) throw new AppError('not-found', 'No student with this ID has been deleted.');
  await requireSheetResults(tx, deleted);
  const sums = { counts: new CohortCounts(), results: new ResultCounts() };
  const [row] = await restoreRecords(tx, author, [deleted], sums);
  // It is the former ID of another student, or another transaction has just used it.
  if (row === undefined) throw idInUse();
  await sums.results.store(tx);
  await sums.counts.store(tx);
  return { record: presentStudent(row), version: row.version };
}

/**
 * Requires that the author made the last deletion under this id.
 *
 * @param entry the deletion that is to be restored, if it was named
 * @throws AppError forbidden when someone else made it, when another is named, or when there is none
 */
export async function requireOwnDeletion(
  tx: Tx,
  author: Author,
  id: string,
  entry: number | undefined,
): Promise<void> {
  const last = await findDeleted(tx, id, undefined);
  if (last?.user_id !== author.id || (entry !== undefined && entry !== last.id)) {
    throw new AppError('forbidden', 'Only an administrator or whoever deleted the entry can do this.');
  }
}

/**
 * An older state may lack what a confirmed mark sheet has written since.
 *
 * @throws AppError conflict naming the sheet
 */
async function requireSheetResults(tx: Tx, { entity_id, before }: Deletion): Promise<void> {
  const { academics = [] } = wholeRecord.parse(JSON.parse(before));
  const written = await tx
    .selectFrom('sheet_results')
    .selectAll()
    .where('student_id', '=', entity_id)
    .orderBy('semester')
    .orderBy('slot')
    .execute();
  const getSubjects = (semester: number) =>
    academics.filter((one) => one.semester === semester).flatMap(toSubjects);
  const lost =
    written.find(({ semester, slot, course_id, half_points }) => {
      const subject = getSubjects(semester).find((one) => one.slot === slot);
      return subject?.course_id !== course_id || subject.half_points !== half_points;
    }) ??
    (await findUnrecorded(tx, [entity_id])).find(
      ({ semester, course_id }) => !getSubjects(semester).some((one) => one.course_id === course_id),
    );
  if (lost === undefined) return;
  throw new AppError(
    'conflict',
    `This state lacks results of mark sheet ${lost.sheet_id}. Restore the latest deletion of this student.`,
  );
}

const idInUse = () =>
  new AppError('conflict', 'There is a student with this ID again, so the old record can not be restored.');

/**
 * @param deletion number of the entry that is to be restored
 * @throws AppError conflict when another student has the ID, or has had it since the deletion
 */
export async function requireFreeId(db: Db, id: string, deletion: number | undefined): Promise<void> {
  if ((await findStudent(db, id)) !== undefined) throw idInUse();
  const former = await findFormerOwner(db, id, deletion);
  if (former === undefined) return;
  throw new AppError(
    'conflict',
    `This ID belonged to student ${former.owner} before, so the old record can not be restored.`,
  );
}

/** The last deletion under this id, or the one with this number. */
async function findDeleted(
  tx: Tx,
  id: string,
  entry: number | undefined,
): Promise<(Deletion & { user_id: number | null }) | undefined> {
  if (!isStudentId(id)) return undefined;
  return tx
    .selectFrom('history')
    .select((eb) => ['id', 'entity_id', 'user_id', eb.ref('before').$notNull().as('before')])
    .where('entity', '=', 'student')
    .where('entity_id', '=', id)
    .where('action', '=', 'delete')
    .$if(entry !== undefined, (query) => query.where('id', '=', entry ?? 0))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
