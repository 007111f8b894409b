import { sql } from 'kysely';
import { type SearchableStudent, searchTerms } from '../../../domain/search-text.ts';
import { jsonToRows } from '../../db/dialect/sql.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { findFormerIds } from '../former-ids/former-ids.ts';
import { loadPolicies, lockPolicies, type Policies } from '../grading/policies.ts';
import { computeAverages, type Subject } from '../semesters/semester-slots.ts';
import { CHUNK, CohortCounts, chunks } from './cohort-counts.ts';
import {
  DERIVED_COLUMNS,
  type DerivedColumns,
  deriveColumns,
  type SemesterFacts,
  type StudentRow,
} from './derived-columns.ts';

/**
 * Updates the index of the list for records that this transaction has changed: the derived columns, the search terms
 * and the counts per cohort.
 *
 * @param changed ids, each with the row before the change; undefined for a new student
 * @param counts given by a caller that changes many students in batches and stores the sums after the last one, so that
 * the shared count rows stay locked only briefly
 */
export async function reindex(
  tx: Tx,
  changed: ReadonlyMap<string, StudentRow | undefined>,
  counts?: CohortCounts,
): Promise<void> {
  const sums = counts ?? new CohortCounts();
  for (const ids of chunks([...changed.keys()])) {
    const facts = await loadFacts(tx, ids);
    if (facts.some(({ row }) => changed.get(row.id)?.degree !== row.degree)) await lockPolicies(tx);
    await storeIndex(tx, facts, changed, { sums, policies: await loadPolicies(tx) });
  }
  if (counts === undefined) await sums.store(tx);
}

/** As {@link reindex}, of one student whose facts the caller has read already. */
export async function reindexStudent(
  tx: Tx,
  before: StudentRow,
  facts: StudentFacts,
  policies: Policies,
): Promise<void> {
  const sums = new CohortCounts();
  await storeIndex(tx, [facts], new Map([[before.id, before]]), { sums, policies });
  await sums.store(tx);
}

async function storeIndex(
  tx: Tx,
  students: readonly StudentFacts[],
  changed: ReadonlyMap<string, StudentRow | undefined>,
  { sums, policies }: { sums: CohortCounts; policies: Policies },
): Promise<void> {
  students = await applyPolicies(tx, students, policies);
  const terms: TermChange[] = [];
  const outdated: ({ id: string } & DerivedColumns)[] = [];
  for (const { row, hasFamily, semesters } of students) {
    const { id } = row;
    const columns = deriveColumns(row, hasFamily, semesters, policies.of(row.degree));
    const before = changed.get(id);
    if (before !== undefined) sums.add(before, -1);
    sums.add({ ...row, ...columns }, 1);
    terms.push({ id, before: before?.search_text ?? '', after: columns.search_text });
    if (!isSame(row, columns)) outdated.push({ id, ...columns });
  }
  await replaceTerms(tx, terms);
  if (outdated.length > 0) await storeDerivedColumns(tx, outdated);
}

/** Adds new students whose derived columns were stored with their records. `counts` as for {@link reindex}. */
export async function addToIndex(tx: Tx, rows: readonly StudentRow[], counts: CohortCounts): Promise<void> {
  for (const row of rows) counts.add(row, 1);
  await replaceTerms(
    tx,
    rows.map(({ id, search_text }) => ({ id, before: '', after: search_text })),
  );
}

/** Removes students from the index, before their records are deleted. `counts` as for {@link reindex}. */
export async function removeFromIndex(
  tx: Tx,
  rows: readonly StudentRow[],
  counts?: CohortCounts,
): Promise<void> {
  const sums = counts ?? new CohortCounts();
  for (const row of rows) sums.add(row, -1);
  await replaceTerms(
    tx,
    rows.map(({ id, search_text }) => ({ id, before: search_text, after: '' })),
  );
  if (counts === undefined) await sums.store(tx);
}

/** Rebuilds the whole index. */
export async function reindexAll(tx: Tx): Promise<void> {
  for (const table of ['student_terms', 'cohorts', 'cohort_cgpas', 'course_results'] as const) {
    await tx.deleteFrom(table).execute();
  }
  for (let last = ''; ; ) {
    const page = await tx
      .selectFrom('students')
      .select('id')
      .where('id', '>', last)
      .orderBy('id')
      .limit(CHUNK)
      .execute();
    if (page.length === 0) break;
    await reindex(tx, new Map(page.map(({ id }) => [id, undefined])));
    last = page.at(-1)?.id ?? '';
  }
  await tx
    .insertInto('course_results')
    .columns(['course_id', 'half_points', 'results'])
    .expression((eb) =>
      eb
        .selectFrom('semester_subjects')
        .select((of) => [
          of.ref('course_id').$notNull().as('course_id'),
          of.ref('half_points').$notNull().as('half_points'),
          of.fn.countAll<number>().as('results'),
        ])
        .where('course_id', 'is not', null)
        .where('half_points', 'is not', null)
        .groupBy(['course_id', 'half_points']),
    )
    .execute();
}

/** Everything that the derived columns of a student follow from. */
export interface StudentFacts {
  /** The row as it is stored now, with its derived columns of before. */
  row: StudentRow & Required<Pick<SearchableStudent, 'father_name' | 'father_phone' | 'former_ids'>>;
  hasFamily: boolean;
  /** In order. */
  semesters: readonly SemesterFacts[];
}

export async function loadFacts(tx: Db, ids: readonly string[]): Promise<StudentFacts[]> {
  const rows = await tx
    .selectFrom('students as s')
    .leftJoin('families as f', 'f.student_id', 's.id')
    .selectAll('s')
    .select(['f.father_name', 'f.father_phone', 'f.student_id as family_of'])
    .where('s.id', 'in', ids)
    .execute();
  const semesters = await tx
    .selectFrom('semesters')
    .select(['student_id', 'semester', 'sgpa', 'cgpa', 'is_provisional'])
    .where('student_id', 'in', ids)
    .orderBy('student_id')
    .orderBy('semester')
    .execute();
  const countsOf = await countSubjects(tx, ids);
  const semestersOf = new Map<string, SemesterFacts[]>();
  for (const { student_id, ...one } of semesters) {
    const own = semestersOf.get(student_id) ?? [];
    const { graded, fails } = countsOf.get(`${one.semester} ${student_id}`) ?? { graded: 0, fails: 0 };
    own.push({ ...one, graded: Number(graded), fails: Number(fails) });
    semestersOf.set(student_id, own);
  }
  const formerIds = await findFormerIds(tx, ids);
  return rows.map((row) => ({
    row: { ...row, former_ids: (formerIds.get(row.id) ?? []).map(({ id }) => id) },
    hasFamily: row.family_of !== null,
    semesters: semestersOf.get(row.id) ?? [],
  }));
}

/** The subjects with both credit hours and a grade, and those with an F, by semester and student. */
async function countSubjects(tx: Db, ids: readonly string[]) {
  const rows = await tx
    .selectFrom('semester_subjects')
    .select((eb) => [
      'student_id',
      'semester',
      eb.fn
        .countAll<number>()
        .filterWhere((of) => of.and([of('credits', 'is not', null), of('half_points', 'is not', null)]))
        .as('graded'),
      eb.fn.countAll<number>().filterWhere('half_points', '=', 0).as('fails'),
    ])
    .where('student_id', 'in', ids)
    .groupBy(['student_id', 'semester'])
    .execute();
  return new Map(rows.map((row) => [`${row.semester} ${row.student_id}`, row]));
}

/** Computes the CGPAs of students whose stored ones are by another repeat policy than that of their batch. */
async function applyPolicies(
  tx: Tx,
  students: readonly StudentFacts[],
  policies: Policies,
): Promise<readonly StudentFacts[]> {
  const repeatPolicy = (degree: string) => policies.of(degree).rules.repeat_policy;
  const outdated = students.filter(
    ({ row, semesters }) =>
      semesters.length > 0 && policies.byId(row.policy_id)?.rules.repeat_policy !== repeatPolicy(row.degree),
  );
  if (outdated.length === 0) return students;
  const subjectsOf = await loadSubjectsOf(
    tx,
    outdated.map(({ row }) => row.id),
  );
  const changed: { student_id: string; semester: number; sgpa: number; cgpa: number }[] = [];
  const current = new Map<StudentFacts, StudentFacts>();
  for (const facts of outdated) {
    const { id, degree } = facts.row;
    const own = subjectsOf.get(id) ?? [];
    const averages = computeAverages(
      facts.semesters.map(({ semester }) => own.filter((subject) => subject.semester === semester)),
      repeatPolicy(degree),
    );
    const semesters = facts.semesters.map((before, i) => ({ ...before, ...averages[i] }));
    for (const [i, { semester, sgpa, cgpa }] of semesters.entries()) {
      const before = facts.semesters[i];
      if (before?.sgpa !== sgpa || before.cgpa !== cgpa)
        changed.push({ student_id: id, semester, sgpa, cgpa });
    }
    current.set(facts, { ...facts, semesters });
  }
  if (changed.length > 0) {
    const columns = { student_id: 'text', semester: 'integer', sgpa: 'integer', cgpa: 'integer' } as const;
    await sql`update semesters set sgpa = l.sgpa, cgpa = l.cgpa from ${jsonToRows(tx, changed, columns)} l
      where semesters.student_id = l.student_id and semesters.semester = l.semester`.execute(tx);
  }
  return students.map((facts) => current.get(facts) ?? facts);
}

/** The subjects of many students by student. */
export async function loadSubjectsOf(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, (Subject & { semester: number })[]>> {
  const rows = await db
    .selectFrom('semester_subjects')
    .selectAll()
    .where('student_id', 'in', ids)
    .orderBy('student_id')
    .orderBy('semester')
    .orderBy('slot')
    .execute();
  const subjectsOf = new Map<string, (Subject & { semester: number })[]>();
  for (const { student_id, ...subject } of rows) {
    const own = subjectsOf.get(student_id);
    if (own === undefined) subjectsOf.set(student_id, [subject]);
    else own.push(subject);
  }
  return subjectsOf;
}

const isSame = (row: StudentRow, columns: DerivedColumns) =>
  Object.entries(columns).every(([name, value]) => row[name as keyof DerivedColumns] === value);

async function storeDerivedColumns(
  tx: Tx,
  students: readonly ({ id: string } & DerivedColumns)[],
): Promise<void> {
  const rows = jsonToRows(tx, students, { id: 'text', ...DERIVED_COLUMNS });
  const assignments = Object.keys(DERIVED_COLUMNS).map(
    (name) => sql`${sql.ref(name)} = ${sql.ref(`l.${name}`)}`,
  );
  await sql`update students set ${sql.join(assignments)} from ${rows} l where students.id = l.id`.execute(tx);
}

/** The `search_text` of a student before and after a change. */
interface TermChange {
  id: string;
  before: string;
  after: string;
}

async function replaceTerms(tx: Tx, changes: readonly TermChange[]): Promise<void> {
  const gone: { term: string; student_id: string }[] = [];
  const added: typeof gone = [];
  for (const { id: student_id, before, after } of changes) {
    if (before === after) continue;
    const old = new Set(searchTerms(before));
    const wanted = new Set(searchTerms(after));
    for (const term of old) if (!wanted.has(term)) gone.push({ term, student_id });
    for (const term of wanted) if (!old.has(term)) added.push({ term, student_id });
  }
  const columns = { term: 'text', student_id: 'text' } as const;
  if (gone.length > 0) {
    await sql`delete from student_terms
      where (term, student_id) in (select term, student_id from ${jsonToRows(tx, gone, columns)} l)`.execute(
      tx,
    );
  }
  if (added.length > 0) {
    await sql`insert into student_terms (term, student_id)
      select term, student_id from ${jsonToRows(tx, added, columns)} l`.execute(tx);
  }
}
