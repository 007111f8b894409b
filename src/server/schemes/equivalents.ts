import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import {
  type Equivalent,
  type EquivalentInput,
  type EquivalentPair,
  type EquivalentPreview,
  MOST_CHANGED_STUDENTS,
} from '../../contract/schemes/equivalents.ts';
import { SCHEME_SAMPLE_SIZE } from '../../contract/schemes/schemes.ts';
import { earnedCredits } from '../../domain/grading/repeat-policy.ts';
import { CourseGroups } from '../../domain/schemes/equivalents.ts';
import { SCHEME_LIMITS } from '../../domain/schemes/scheme.ts';
import { chunks } from '../chunks.ts';
import { advisoryLock } from '../db/dialect/locks.ts';
import { jsonElements } from '../db/dialect/sql.ts';
import type { Db, EquivalentsTable, Tx } from '../db/schema.ts';
import { AppError, invalidField, requireSamePreview } from '../errors.ts';
import { type Author, recordChange } from '../history/record-change.ts';
import { requireVersion, versionPart } from '../http/etags.ts';
import { findCatalogueCourses } from '../students/audit/named-courses.ts';
import { lockSchemes } from '../students/audit/schemes.ts';
import { CohortCounts } from '../students/derived/cohort-counts.ts';
import {
  type DerivedStudent,
  deriveAveraged,
  lockFacts,
  storeDerived,
  withAverages,
} from '../students/derived/derive-student.ts';
import { type GradedSemester, loadFacts, type StudentFacts } from '../students/derived/student-facts.ts';
import { Equivalents } from '../students/grading/equivalents.ts';
import { loadPolicies, lockBatches } from '../students/grading/policies.ts';
import { EQUIVALENTS_LOCK } from '../students/queries.ts';
import { type FigureRules, isGraded, toRecordedSubject } from '../students/semester-slots.ts';
import { parseDegrees } from './present-scheme.ts';
import { requireBatches } from './write-scheme.ts';

type Row = Selectable<EquivalentsTable>;
type Pair = Pick<Row, 'course_id' | 'other_id' | 'degrees'>;

const findRows = (db: Db): Promise<Row[]> =>
  db.selectFrom('equivalents').selectAll().orderBy('equivalent_id').execute();

const presentEquivalent = (row: Row): Equivalent => ({
  equivalent_id: row.equivalent_id,
  course_id: row.course_id,
  other_id: row.other_id,
  degrees: parseDegrees(row),
  created_at: row.created_at,
  created_by: { id: row.created_by, name: row.created_name },
});

export const listEquivalents = async (db: Db): Promise<Equivalent[]> =>
  (await findRows(db)).map(presentEquivalent);

/** What an entry of the history holds of a pair. */
export const toEquivalentState = (row: Row) => ({ ...row, degrees: parseDegrees(row) });

/** @throws ValidationError on `course_id`, `other_id`, `degrees`, `equivalents` */
async function requireNewPair(db: Db, { course_id, other_id, degrees }: EquivalentPair): Promise<void> {
  if (course_id === other_id) throw invalidField('other_id', 'The other id must be that of another course.');
  const found = new Set((await findCatalogueCourses(db, [course_id, other_id])).map((one) => one.course_id));
  if (!found.has(course_id))
    throw invalidField('course_id', 'The course id must be that of an existing course.');
  if (!found.has(other_id))
    throw invalidField('other_id', 'The other id must be that of an existing course.');
  await requireBatches(db, { degrees });
  const rows = await findRows(db);
  const isSame = (row: Row) =>
    [row.course_id, row.other_id].includes(course_id) && [row.course_id, row.other_id].includes(other_id);
  const overlaps = (row: Row) => {
    const own = parseDegrees(row);
    return own === null || degrees === null || own.some((degree) => degrees.includes(degree));
  };
  if (rows.some((row) => isSame(row) && overlaps(row)))
    throw invalidField('other_id', 'These two courses count as one already.');
  if (rows.length >= SCHEME_LIMITS.equivalents)
    throw invalidField('equivalents', 'The equivalents must be at most 1,000.');
}

interface FoundPreview {
  preview: EquivalentPreview;
  /** The students whose figures change, with those that follow; none unless they are to be stored. */
  students: DerivedStudent[];
}

/** A pair that is added, or removed. */
type PairChange = { added: Pair } | { removed: number };

/**
 * Finds the students whose CGPA or earned credit hours a change of the pairs would change.
 *
 * @param tx the transaction that stores the figures: it locks the students, and the search ends after the most who may change
 */
async function previewChange(
  db: Db,
  change: PairChange,
  degrees: string[] | null,
  { tx }: { tx?: Tx } = {},
): Promise<FoundPreview> {
  const rows = await findRows(db);
  const changed: readonly Pair[] =
    'added' in change
      ? [...rows, change.added]
      : rows.filter(({ equivalent_id }) => equivalent_id !== change.removed);
  const after = toEquivalents(changed);
  const policies = await loadPolicies(db);
  const count = await countStudents(db, degrees);
  const hash = createHash('sha256').update(
    JSON.stringify([
      change,
      degrees,
      rows.map(({ equivalent_id }) => equivalent_id),
      policies.highest,
      count,
    ]),
  );
  const preview: EquivalentPreview = { fingerprint: '', students: count, changed_students: 0, sample: [] };
  const students: DerivedStudent[] = [];
  const all: readonly Pair[] = 'added' in change ? changed : rows;
  const own = 'added' in change ? change.added : rows.find((row) => row.equivalent_id === change.removed);
  const courses = joinedCourses(all, own?.course_id ?? 0);
  for await (const facts of readCandidates(db, courses, { degrees, tx })) {
    const { id, first_name, last_name, degree } = facts.row;
    const present = policies.of(degree);
    const policy = { ...present, groups: after.of(degree) };
    const averaged = withAverages(facts.semesters, policy);
    // What is stored follows from the present pairs, unless it still waits for a policy.
    const stored = policies.isBeingApplied ? withAverages(facts.semesters, present) : facts.semesters;
    const [was, is] = [readCgpas(stored), readCgpas(averaged)];
    const gained = countEarned(facts, policy, courses) - countEarned(facts, present, courses);
    if (gained === 0 && was.join() === is.join()) continue;
    hash.update(`\n${id} ${JSON.stringify([was, is, gained])}`);
    preview.changed_students += 1;
    if (tx !== undefined && preview.changed_students > MOST_CHANGED_STUDENTS) break;
    if (tx !== undefined) students.push(deriveAveraged(facts, averaged, policy));
    if (preview.sample.length < SCHEME_SAMPLE_SIZE) {
      const earned_before = countEarned(facts, present);
      preview.sample.push({
        ...{ id, first_name, last_name },
        ...{ cgpa_before: was.at(-1) ?? null, cgpa_after: is.at(-1) ?? null },
        ...{ earned_before, earned_after: earned_before + gained },
      });
    }
  }
  hash.update(JSON.stringify(preview.sample));
  return { preview: { ...preview, fingerprint: hash.digest('base64url') }, students };
}

const toEquivalents = (rows: readonly Pair[]) =>
  new Equivalents(rows.map((row) => ({ ...row, degrees: parseDegrees(row) })));

async function countStudents(db: Db, degrees: readonly string[] | null): Promise<number> {
  const { students } = await db
    .selectFrom('cohorts')
    .select((eb) => eb.fn.sum<number | null>('students').as('students'))
    .$if(degrees !== null, (query) => query.where('degree', 'in', degrees ?? []))
    .executeTakeFirstOrThrow();
  return Number(students ?? 0);
}

/** The CGPA of each semester from the first graded one on. */
function readCgpas(semesters: readonly GradedSemester[]): number[] {
  const first = semesters.findIndex(({ subjects }) => subjects.some(isGraded));
  return first < 0 ? [] : semesters.slice(first).map(({ row }) => row.cgpa / 100);
}

/** Credit hours earned, of these courses or of all. */
function countEarned(
  { semesters }: StudentFacts,
  { rules, groups }: FigureRules,
  courses?: ReadonlySet<number>,
) {
  const subjects = semesters.flatMap(({ row, subjects: own }) =>
    own
      .filter(({ course_id }) => courses === undefined || (course_id !== null && courses.has(course_id)))
      .map((subject) => toRecordedSubject(subject, row.semester, groups)),
  );
  return earnedCredits(subjects, rules.repeat_policy);
}

/** All courses that are in one group with a course; none without pairs. */
function joinedCourses(pairs: readonly Pair[], courseId: number): ReadonlySet<number> {
  const groups = new CourseGroups(pairs);
  return new Set(groups.courses.filter((id) => groups.of(id) === groups.of(courseId)));
}

/** Students whose facts are read in one go. */
const BATCH_SIZE = 50;
/**
 * Students whose attempts are looked through in one go: results have no index by course, which would be an eighth of the database
 * and is asked for a few times a year.
 */
const SEARCHED = 500;

/**
 * Students of these batches with graded attempts of two of these courses, in the order of the IDs. Nobody else's figures depend on
 * their pairs.
 */
async function* readCandidates(
  db: Db,
  courses: ReadonlySet<number>,
  { degrees, tx }: { degrees: readonly string[] | null; tx: Tx | undefined },
): AsyncGenerator<StudentFacts> {
  if (courses.size === 0) return;
  for (let last = ''; ; ) {
    const students = await db
      .selectFrom('students')
      .select(['id', 'degree'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(SEARCHED)
      .execute();
    const end = students.at(-1);
    if (end === undefined) return;
    last = end.id;
    // Named batches in the statement would make it look through most of the students for the first of them.
    const own = students.filter(({ degree }) => degrees === null || degrees.includes(degree));
    const found = await findTakers(
      db,
      own.map(({ id }) => id),
      courses,
    );
    for (const ids of chunks(found, BATCH_SIZE)) {
      const facts = tx === undefined ? await loadFacts(db, ids) : await lockFacts(tx, ids);
      yield* facts.toSorted((a, b) => (a.row.id < b.row.id ? -1 : 1));
    }
    // Lets other calls run.
    await setImmediate();
  }
}

/** Those of the students who have graded attempts of two of these courses, in the order of the IDs. */
async function findTakers(db: Db, ids: readonly string[], courses: ReadonlySet<number>): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select t.student_id as id
    from ${jsonElements(db, sql`${JSON.stringify(ids)}`)} l cross join semester_subjects t
    where t.student_id = l.value and t.course_id in (${sql.join([...courses].map((one) => sql.val(one)))})
      and t.credits is not null and t.half_points is not null
    group by t.student_id having count(distinct t.course_id) > 1
    order by t.student_id`.execute(db);
  return rows.map(({ id }) => id);
}

const toPair = ({ course_id, other_id, degrees }: EquivalentPair): Pair => ({
  course_id,
  other_id,
  degrees: degrees && JSON.stringify(degrees),
});

/** Whose figures a new pair would change. */
export async function previewEquivalent(db: Db, pair: EquivalentPair): Promise<EquivalentPreview> {
  await requireNewPair(db, pair);
  return (await previewChange(db, { added: toPair(pair) }, pair.degrees)).preview;
}

/** Keeps out other changes of pairs, results that are stored, and students and policies of batches that are added. */
async function lockPairs(tx: Tx): Promise<void> {
  await advisoryLock(tx, EQUIVALENTS_LOCK);
  await lockSchemes(tx);
  await lockBatches(tx);
}

/** Students whose figures are stored in one go. */
const PIECE = 50;

async function storeAll(tx: Tx, students: readonly DerivedStudent[]): Promise<void> {
  const counts = new CohortCounts();
  for (const some of chunks(students, PIECE)) {
    await storeDerived(tx, some, counts);
    await setImmediate();
  }
  await counts.store(tx);
}

/** The others wait while a pair is changed, so nobody is looked for beyond the most. */
function requireFew({ preview }: FoundPreview, field: string, text: string): void {
  if (preview.changed_students > MOST_CHANGED_STUDENTS) throw invalidField(field, text);
}

/**
 * Lets two courses count as one, with all figures that follow.
 *
 * @throws AppError stale, with the present preview
 */
export async function createEquivalent(
  tx: Tx,
  author: Author,
  { fingerprint, ...pair }: EquivalentInput,
): Promise<Equivalent> {
  await lockPairs(tx);
  await requireNewPair(tx, pair);
  const found = await previewChange(tx, { added: toPair(pair) }, pair.degrees, { tx });
  requireFew(found, 'degrees', 'Name batches.');
  requireSamePreview(found.preview, fingerprint);
  const row = await tx
    .insertInto('equivalents')
    .values({
      ...toPair(pair),
      created_at: new Date().toISOString(),
      created_by: author.id,
      created_name: author.name,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordChange(tx, author, {
    action: 'create',
    entity: 'equivalent',
    entityId: row.equivalent_id,
    after: toEquivalentState(row),
  });
  await storeAll(tx, found.students);
  return presentEquivalent(row);
}

async function requirePair(db: Db, id: number): Promise<Row> {
  const row = (await findRows(db)).find(({ equivalent_id }) => equivalent_id === id);
  if (row === undefined) throw new AppError('not-found', 'There is no such pair of courses.');
  return row;
}

/** Whose figures the removal of a pair would change. */
export async function previewRemoval(db: Db, id: number): Promise<EquivalentPreview> {
  const row = await requirePair(db, id);
  return (await previewChange(db, { removed: id }, parseDegrees(row))).preview;
}

/** Removes a pair, with all figures that follow. */
export async function removeEquivalent(
  tx: Tx,
  author: Author,
  id: number,
  { fingerprint, ifMatch }: { fingerprint: string; ifMatch: string | undefined },
): Promise<void> {
  await lockPairs(tx);
  const row = await requirePair(tx, id);
  await requireVersion(tx, ifMatch, {
    part: versionPart.equivalent(id),
    current: presentEquivalent(row),
    entities: ['equivalent'],
    id,
  });
  const found = await previewChange(tx, { removed: id }, parseDegrees(row), { tx });
  requireFew(found, 'fingerprint', 'More than 2,000 students would change, so the pair stays.');
  requireSamePreview(found.preview, fingerprint);
  await tx.deleteFrom('equivalents').where('equivalent_id', '=', id).execute();
  await recordChange(tx, author, {
    action: 'delete',
    entity: 'equivalent',
    entityId: id,
    before: toEquivalentState(row),
  });
  await storeAll(tx, found.students);
}
