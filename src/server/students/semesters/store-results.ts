import { isDeepStrictEqual } from 'node:util';
import { type SelectQueryBuilder, sql } from 'kysely';
import { jsonToRows } from '../../db/dialect/sql.ts';
import type { Db, Schema, Tx } from '../../db/schema.ts';
import {
  type Author,
  type Change,
  firstVersions,
  recordChanges,
  STUDENT_ENTITIES,
} from '../../history/record-change.ts';
import { loadPolicies } from '../grading/policies.ts';
import type { CohortCounts } from '../index/cohort-counts.ts';
import type { StudentRow } from '../index/derived-columns.ts';
import { loadSubjectsOf, reindex } from '../index/reindex.ts';
import type { ResultCounts } from '../index/result-counts.ts';
import { findProtectedSlots, type ProtectedSlot } from './protected-slots.ts';
import { computeAverages, presentSemester, type SemesterRow, type Subject } from './semester-slots.ts';

/** A recorded semester with its subjects in the order of their slots. */
export interface RecordedSemester {
  row: SemesterRow & { version: number; is_provisional: number };
  subjects: readonly Subject[];
}

/** A student with all results. */
export interface StudentResults {
  student: StudentRow;
  hasFamily: boolean;
  /** In order, from the first on. */
  recorded: readonly RecordedSemester[];
  protectedSlots: readonly ProtectedSlot[];
}

/** What a student's results become: the subjects of each semester from the first on. */
export interface ResultPlan extends StudentResults {
  semesters: readonly (readonly Subject[])[];
  /** The semesters that change are not final yet. */
  isProvisional?: boolean;
}

/** Where results are read; for storing, `lock` locks the rows. */
export interface ResultSource {
  db: Db;
  lock<O>(query: SelectQueryBuilder<Schema, keyof Schema, O>): SelectQueryBuilder<Schema, keyof Schema, O>;
}

/** The transaction that stores the results of many students. */
export interface ResultWriter {
  tx: Tx;
  author: Author;
  /** For the entries of the history; null for none. */
  bulkId: number | null;
  /** Stored by the caller after the last batch. */
  counts: CohortCounts;
  results: ResultCounts;
}

/** The results of students by id. Storing locks the students. */
export async function loadResults(
  { db, lock }: ResultSource,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StudentResults>> {
  if (ids.length === 0) return new Map();
  const students = await lock(
    db.selectFrom('students').selectAll().where('id', 'in', ids).orderBy('id'),
  ).execute();
  const families = await db
    .selectFrom('families')
    .select('student_id')
    .where('student_id', 'in', ids)
    .execute();
  const withFamily = new Set(families.map(({ student_id }) => student_id));
  const recorded = await loadSemestersOf(db, ids);
  const protectedSlots = await findProtectedSlots(db, ids);
  return new Map(
    students.map((student) => [
      student.id,
      {
        student,
        hasFamily: withFamily.has(student.id),
        recorded: recorded.get(student.id) ?? [],
        protectedSlots: protectedSlots.filter(({ student_id }) => student_id === student.id),
      },
    ]),
  );
}

async function loadSemestersOf(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RecordedSemester[]>> {
  const rows = await db
    .selectFrom('semesters')
    .selectAll()
    .where('student_id', 'in', ids)
    .orderBy('student_id')
    .orderBy('semester')
    .execute();
  const subjectsOf = await loadSubjectsOf(db, ids);
  const semesters = new Map<string, RecordedSemester[]>();
  for (const row of rows) {
    const own = semesters.get(row.student_id) ?? [];
    const all = subjectsOf.get(row.student_id) ?? [];
    const subjects = all.filter(({ semester }) => semester === row.semester).map(withoutSemester);
    semesters.set(row.student_id, [...own, { row, subjects }]);
  }
  return semesters;
}

const withoutSemester = ({ slot, title, course_id, credits, half_points }: Subject): Subject => ({
  ...{ slot, title, course_id, credits, half_points },
});

/** A semester that is created, changed or removed; later ones of which only the CGPA follows are not among them. */
interface SemesterChange {
  action: 'create' | 'update' | 'delete';
  student_id: string;
  semester: number;
  isProvisional: boolean;
  before: RecordedSemester | undefined;
  after: { subjects: readonly Subject[]; sgpa: number; cgpa: number } | undefined;
}

/**
 * Stores the results of students, many per statement, with their averages, their entries in the history and in the index of
 * the list. The students are locked.
 */
export async function storeResults(
  { tx, author, bulkId, counts, results }: ResultWriter,
  plans: readonly ResultPlan[],
): Promise<void> {
  if (plans.length === 0) return;
  const policies = await loadPolicies(tx);
  const changes: SemesterChange[] = [];
  const averages: { academic_id: number; sgpa: number; cgpa: number; version: number }[] = [];
  for (const { student, recorded, semesters, isProvisional = false } of plans) {
    const { repeat_policy } = policies.of(student.degree).rules;
    const computed = computeAverages(semesters, repeat_policy);
    const length = Math.max(recorded.length, semesters.length);
    for (let at = 0; at < length; at += 1) {
      const [before, subjects, average] = [recorded[at], semesters[at], computed[at]];
      const isSame = before !== undefined && isDeepStrictEqual(before.subjects, subjects);
      if (before !== undefined && average !== undefined) {
        const version = before.row.version + (isSame ? 0 : 1);
        const { academic_id, sgpa, cgpa } = before.row;
        if (!isSame || sgpa !== average.sgpa || cgpa !== average.cgpa) {
          averages.push({ academic_id, version, ...average });
        }
      }
      if (isSame) continue;
      changes.push({
        action: before === undefined ? 'create' : subjects === undefined ? 'delete' : 'update',
        student_id: student.id,
        semester: at + 1,
        isProvisional,
        before,
        after: subjects && average && { subjects, ...average },
      });
    }
  }
  await removeOld(tx, changes);
  await storeAverages(tx, averages);
  const created = await insertSemesters(tx, changes);
  await insertSubjects(tx, changes);
  await setProvisional(tx, changes);
  for (const { before, after } of changes) {
    results.add(before?.subjects ?? [], -1);
    results.add(after?.subjects ?? [], 1);
  }
  await reindex(tx, new Map(plans.map(({ student }) => [student.id, student])), counts);
  await recordChanges(
    tx,
    author,
    changes.map((change) => toHistory(change, created)),
    bulkId,
  );
}

/** Removes semesters, with their subjects, and the subjects of changed ones. */
async function removeOld(tx: Tx, changes: readonly SemesterChange[]): Promise<void> {
  const removed = changes.flatMap(({ action, before }) =>
    action === 'delete' && before !== undefined ? before.row.academic_id : [],
  );
  if (removed.length > 0) await tx.deleteFrom('semesters').where('academic_id', 'in', removed).execute();
  const changed = changes.filter(({ action }) => action === 'update');
  if (changed.length === 0) return;
  const rows = jsonToRows(
    tx,
    changed.map(({ student_id, semester }) => ({ student_id, semester })),
    PLACE_COLUMNS,
  );
  await sql`delete from semester_subjects
    where (student_id, semester) in (select student_id, semester from ${rows} l)`.execute(tx);
}

async function storeAverages(
  tx: Tx,
  averages: readonly { academic_id: number; sgpa: number; cgpa: number; version: number }[],
): Promise<void> {
  if (averages.length === 0) return;
  const columns = { academic_id: 'integer', sgpa: 'integer', cgpa: 'integer', version: 'integer' } as const;
  await sql`update semesters set sgpa = l.sgpa, cgpa = l.cgpa, version = l.version
    from ${jsonToRows(tx, averages, columns)} l where semesters.academic_id = l.academic_id`.execute(tx);
}

const PLACE_COLUMNS = { student_id: 'text', semester: 'integer' } as const;

const placeOf = (student_id: string, semester: number) => `${student_id}/${semester}`;

/** The numbers of the new semesters by student and semester. */
async function insertSemesters(
  tx: Tx,
  changes: readonly SemesterChange[],
): Promise<ReadonlyMap<string, number>> {
  const created = changes.filter(({ action }) => action === 'create');
  if (created.length === 0) return new Map();
  const first = await firstVersions(tx, STUDENT_ENTITIES, [
    ...new Set(created.map(({ student_id }) => student_id)),
  ]);
  const entries = new Map<string, number>();
  const values = created.map(({ student_id, semester, after }) => {
    const earlier = entries.get(student_id) ?? 0;
    entries.set(student_id, earlier + 1);
    const version = (first.get(student_id) ?? 1) + earlier;
    return { student_id, semester, sgpa: after?.sgpa ?? 0, cgpa: after?.cgpa ?? 0, version };
  });
  const columns = { ...PLACE_COLUMNS, sgpa: 'integer', cgpa: 'integer', version: 'integer' } as const;
  const { rows } = await sql<{ academic_id: number; student_id: string; semester: number }>`
    insert into semesters (student_id, semester, sgpa, cgpa, version)
    select student_id, semester, sgpa, cgpa, version from ${jsonToRows(tx, values, columns)} l
    returning academic_id, student_id, semester`.execute(tx);
  return new Map(rows.map((row) => [placeOf(row.student_id, row.semester), row.academic_id]));
}

const SUBJECT_COLUMNS = {
  ...PLACE_COLUMNS,
  slot: 'integer',
  title: 'text',
  course_id: 'bigint',
  credits: 'integer',
  half_points: 'integer',
} as const satisfies Record<keyof Subject | 'student_id' | 'semester', 'text' | 'integer' | 'bigint'>;

async function insertSubjects(tx: Tx, changes: readonly SemesterChange[]): Promise<void> {
  const subjects = changes.flatMap(({ student_id, semester, after }) =>
    (after?.subjects ?? []).map((subject) => ({ student_id, semester, ...subject })),
  );
  if (subjects.length === 0) return;
  await sql`insert into semester_subjects (student_id, semester, slot, title, course_id, credits, half_points)
    select student_id, semester, slot, title, course_id, credits, half_points
    from ${jsonToRows(tx, subjects, SUBJECT_COLUMNS)} l`.execute(tx);
}

async function setProvisional(tx: Tx, changes: readonly SemesterChange[]): Promise<void> {
  const places = changes
    .filter(({ isProvisional, after }) => isProvisional && after !== undefined)
    .map(({ student_id, semester }) => ({ student_id, semester }));
  if (places.length === 0) return;
  await sql`update semesters set is_provisional = 1
    where (student_id, semester) in (select student_id, semester from ${jsonToRows(tx, places, PLACE_COLUMNS)} l)`.execute(
    tx,
  );
}

function toHistory(
  { action, student_id, semester, before, after }: SemesterChange,
  created: ReadonlyMap<string, number>,
): Change {
  const academic_id = before?.row.academic_id ?? created.get(placeOf(student_id, semester)) ?? 0;
  return {
    action,
    entity: 'semester',
    entityId: student_id,
    ...(before !== undefined && { before: presentSemester(before.row, before.subjects) }),
    ...(after !== undefined && {
      after: presentSemester({ academic_id, student_id, semester, ...after }, after.subjects),
    }),
  };
}
