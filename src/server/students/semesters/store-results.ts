import { type RawBuilder, sql } from 'kysely';
import type { ColumnTypes } from '../../db/dialect/sql.ts';
import {
  preparedDelete,
  preparedRowsChange,
  preparedRowsQuery,
  preparedUpdate,
} from '../../db/prepared-query.ts';
import type { Tx } from '../../db/schema.ts';
import {
  type Author,
  type Change,
  countEntries,
  recordChanges,
  STUDENT_ENTITIES,
} from '../../history/record-change.ts';
import { CohortCounts } from '../derived/cohort-counts.ts';
import { type DerivedStudent, deriveStudent, storeDerived } from '../derived/derive-student.ts';
import { ResultCounts } from '../derived/result-counts.ts';
import { NEVER_NOTIFIED } from '../grading/standing-facts.ts';
import {
  isSameSubject,
  isSameSubjects,
  presentSemester,
  type SemesterRow,
  type Subject,
} from '../semester-slots.ts';
import type { RecordedSemester, StudentResults } from './load-results.ts';
import { needsReasonText, type ResultRight, requireReason } from './result-rights.ts';

/** The results that a student will have: the subjects of each semester from the first on. */
export interface ResultPlan extends StudentResults {
  semesters: readonly (readonly Subject[])[];
  /** The semester that a mark sheet writes to, which is not final yet even if its subjects stay. */
  provisional?: number | undefined;
  /** The number of semesters before the entry of the student, where they are not recorded yet. */
  elsewhere?: number | undefined;
  /** A semester that gets an entry in the history even if its subjects stay. A deleted one gets its number again. */
  restored?: { semester: number; academic_id?: number };
}

/** The transaction that stores the results of many students. */
export interface ResultWriter {
  tx: Tx;
  author: Author;
  right: ResultRight;
  /** For the entries of the history; null for none. */
  bulkId: number | null;
  /** Stored by the caller after the last batch. */
  counts: CohortCounts;
  results: ResultCounts;
}

/** A semester that is created, changed or removed; later ones of which only the CGPA follows are not among them. */
interface SemesterChange {
  student_id: string;
  before: RecordedSemester | undefined;
  after: RecordedSemester | undefined;
  /** The reason of an administrator, where the change needs one. */
  reason: string | null;
}

const STORED_COLUMNS = ['version', 'sgpa', 'cgpa', 'is_provisional'] as const;

/**
 * Stores the results of students, many per statement, with their averages, their entries in the history and in the index of
 * the list. The students are locked.
 *
 * @throws AppError forbidden, ValidationError on `reason` where one of the changes needs another right
 */
export async function storeResults(
  { tx, author, right, bulkId, counts, results }: ResultWriter,
  plans: readonly ResultPlan[],
): Promise<SemesterChange[]> {
  if (plans.length === 0) return [];
  const changes: SemesterChange[] = [];
  const updated: RecordedSemester['row'][] = [];
  const derived: DerivedStudent[] = [];
  for (const plan of plans) {
    const { student, hasFamily, recorded, policies } = plan;
    const { semesters: planned, figures } = deriveStudent(
      { row: student, hasFamily, semesters: planSemesters(plan) },
      policies.of(student.degree),
    );
    for (const [at, { row }] of planned.entries()) {
      const before = recorded[at]?.row;
      if (before && STORED_COLUMNS.some((column) => before[column] !== row[column])) updated.push(row);
    }
    for (let at = 0; at < Math.max(recorded.length, planned.length); at += 1) {
      const [before, after] = [recorded[at], planned[at]];
      if (before?.row.version === after?.row.version) continue;
      const subjects = { semester: at + 1, before: before?.subjects ?? [], after: after?.subjects ?? [] };
      const text = needsReasonText(plan, subjects);
      const reason = text === undefined ? null : requireReason(right, text);
      changes.push({ student_id: student.id, before, after, reason });
    }
    // The averages are stored with the semesters.
    derived.push({ counted: student, stored: student, after: { ...student, ...figures }, averages: [] });
  }
  await storeSemesters(tx, changes, updated);
  await storeSubjects(tx, changes);
  for (const { before, after } of changes) {
    results.add(before?.subjects ?? [], -1);
    results.add(after?.subjects ?? [], 1);
  }
  await storeDerived(tx, derived, counts);
  await recordChanges(tx, author, changes.map(toHistory), bulkId);
  return changes;
}

/** Why storing these plans is an administrator's act, with a reason; undefined where it is anybody's. */
export function findNeedsReason(plans: readonly ResultPlan[]): string | undefined {
  for (const plan of plans) {
    for (let at = 0; at < Math.max(plan.recorded.length, plan.semesters.length); at += 1) {
      const [before = [], after = []] = [plan.recorded[at]?.subjects, plan.semesters[at]];
      const text = needsReasonText(plan, { semester: at + 1, before, after });
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

/** {@link storeResults} of one student of whom one semester changes, with the counts. */
export async function storeStudentResults(
  tx: Tx,
  author: Author,
  plan: ResultPlan,
  right: ResultRight,
): Promise<SemesterChange> {
  const writer = { tx, author, right, bulkId: null, counts: new CohortCounts(), results: new ResultCounts() };
  const [change] = await storeResults(writer, [plan]);
  if (change === undefined) throw new Error('No semester changes.');
  await writer.results.store(tx);
  await writer.counts.store(tx);
  return change;
}

/**
 * The semesters as they will be recorded, with the averages of before. New ones have no version yet, changed ones the next
 * version.
 */
function planSemesters({
  student,
  recorded,
  semesters,
  provisional,
  elsewhere = 0,
  restored,
}: ResultPlan): RecordedSemester[] {
  return semesters.map((subjects, at) => {
    const before = recorded[at];
    const semester = at + 1;
    const isRestored = restored?.semester === semester;
    const isChanged = before === undefined || isRestored || !isSameSubjects(before.subjects, subjects);
    const row = {
      ...(before?.row ?? { ...NEVER_NOTIFIED, sgpa: 0, cgpa: 0 }),
      academic_id: before?.row.academic_id ?? (isRestored ? (restored.academic_id ?? 0) : 0),
      student_id: student.id,
      semester,
      version: before === undefined ? 0 : before.row.version + (isChanged ? 1 : 0),
      is_provisional: semester === provisional ? 1 : (before?.row.is_provisional ?? 0),
      is_elsewhere: before?.row.is_elsewhere ?? (semester <= elsewhere ? 1 : 0),
    };
    return { row, subjects };
  });
}

/** Stores the rows of semesters. New ones get their number and version here. */
async function storeSemesters(
  tx: Tx,
  changes: readonly SemesterChange[],
  updated: readonly RecordedSemester['row'][],
): Promise<void> {
  const removed = changes.flatMap(({ before, after }) => (after === undefined && before ? before.row : []));
  if (removed.length > 0) await deleteSemesters(tx, removed);
  if (updated.length > 0) await updateSemesters(tx, updated);
  const created = changes.flatMap(({ before, after }) => (before === undefined && after ? after.row : []));
  const restored = created.filter(({ academic_id }) => academic_id !== 0);
  const added = created.filter(({ academic_id }) => academic_id === 0);
  const stored = [...(await insertRestored(tx, restored)), ...(await insertAdded(tx, added))];
  const rows = new Map(stored.map((row) => [toSemesterKey(row), row]));
  for (const row of created) {
    const { academic_id, version } = rows.get(toSemesterKey(row)) ?? {};
    if (academic_id === undefined || version === undefined) throw new Error('A new semester was not stored.');
    Object.assign(row, { academic_id, version });
  }
}

const toSemesterKey = ({ student_id, semester }: Pick<SemesterRow, 'student_id' | 'semester'>) =>
  `${student_id}/${semester}`;

const ID_COLUMN = { academic_id: 'integer' } as const;
const PLACE_COLUMNS = { student_id: 'text', semester: 'integer' } as const;
const AVERAGE_COLUMNS = { sgpa: 'integer', cgpa: 'integer', is_provisional: 'integer' } as const;

const deleteSemesters = preparedDelete('semesters', ID_COLUMN);
const updateSemesters = preparedUpdate('semesters', ID_COLUMN, { ...AVERAGE_COLUMNS, version: 'integer' });

type StoredRow = Pick<RecordedSemester['row'], 'academic_id' | 'student_id' | 'semester' | 'version'>;

/** Stores new rows with versions of the semester and the number of entries that a {@link firstVersion} counts. */
const insertSemesters = <Column extends string>(columns: ColumnTypes<Column>, entries: RawBuilder<number>) =>
  preparedRowsQuery<Column, StoredRow>(columns, (_, rows) => {
    const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
    return sql`insert into semesters (${names}, version)
      select ${names}, semester + ${entries} from ${rows} l
      returning academic_id, student_id, semester, version`;
  });

const NEW_COLUMNS = { ...PLACE_COLUMNS, ...AVERAGE_COLUMNS, is_elsewhere: 'integer' } as const;
const insertAdded = insertSemesters(NEW_COLUMNS, countEntries(STUDENT_ENTITIES, sql.ref('l.student_id')));
/** Its address is the one it had under former IDs, so their entries count too. */
const insertRestored = insertSemesters(
  { ...ID_COLUMN, ...NEW_COLUMNS },
  sql`(select sum(1 + ${countEntries(STUDENT_ENTITIES, sql.ref('i.id'))}) from (
    select l.student_id as id union select former_id from student_former_ids where student_id = l.student_id) i)`,
);

/** Stores the slots that change. Those of removed semesters go with their semester. */
async function storeSubjects(tx: Tx, changes: readonly SemesterChange[]): Promise<void> {
  const removed: { student_id: string; semester: number; slot: number }[] = [];
  const stored: ((typeof removed)[number] & Subject)[] = [];
  for (const { student_id, before, after } of changes) {
    if (after === undefined) continue;
    const { semester } = after.row;
    const earlier = new Map(before?.subjects.map((subject) => [subject.slot, subject]));
    for (const subject of after.subjects) {
      if (!isSameSubject(subject, earlier.get(subject.slot)))
        stored.push({ student_id, semester, ...subject });
      earlier.delete(subject.slot);
    }
    for (const slot of earlier.keys()) removed.push({ student_id, semester, slot });
  }
  if (removed.length > 0) await deleteSubjects(tx, removed);
  if (stored.length > 0) await writeSubjects(tx, stored);
}

const SLOT_COLUMNS = { ...PLACE_COLUMNS, slot: 'integer' } as const;

const deleteSubjects = preparedDelete('semester_subjects', SLOT_COLUMNS);

const writeSubjects = preparedRowsChange(
  { ...SLOT_COLUMNS, title: 'text', course_id: 'bigint', credits: 'integer', half_points: 'integer' },
  (
    _,
    rows,
  ) => sql`insert into semester_subjects (student_id, semester, slot, title, course_id, credits, half_points)
    select student_id, semester, slot, title, course_id, credits, half_points from ${rows} l where true
    on conflict (student_id, semester, slot) do update set title = excluded.title, course_id = excluded.course_id,
      credits = excluded.credits, half_points = excluded.half_points`,
);

function toHistory({ student_id, before, after, reason }: SemesterChange): Change {
  return {
    reason,
    action: before === undefined ? 'create' : after === undefined ? 'delete' : 'update',
    entity: 'semester',
    entityId: student_id,
    ...(before !== undefined && { before: presentSemester(before.row, before.subjects) }),
    ...(after !== undefined && { after: presentSemester(after.row, after.subjects) }),
  };
}
