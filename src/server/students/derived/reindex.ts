import { sql } from 'kysely';
import { type SearchableStudent, searchTerms } from '../../../domain/search-text.ts';
import { chunks } from '../../chunks.ts';
import { jsonArray, jsonElements, jsonRows } from '../../db/dialect/sql.ts';
import {
  preparedDelete,
  preparedQuery,
  preparedQueryVariants,
  preparedRowsChange,
} from '../../db/prepared-query.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { loadPolicies, lockPolicies, type Policies } from '../grading/policies.ts';
import {
  NOTIFIED_COLUMNS,
  type NotifiedTuple,
  type SemesterFacts,
  toNotifiedColumns,
} from '../grading/standing-facts.ts';
import type { Subject } from '../semester-slots.ts';
import { applyAverages, type SemesterAverages, updateAverages } from './averages.ts';
import { CHUNK_SIZE, CohortCounts } from './cohort-counts.ts';
import { deriveColumns, deriveTexts, type StudentRow } from './derived-columns.ts';
import { storeColumns } from './store-columns.ts';

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
  for (const ids of chunks([...changed.keys()], CHUNK_SIZE)) {
    const facts = await loadFacts(tx, ids);
    if (facts.some(({ row }) => changed.get(row.id)?.degree !== row.degree)) await lockPolicies(tx);
    await storeIndex(tx, facts, changed, { sums, policies: await loadPolicies(tx) });
  }
  if (counts === undefined) await sums.store(tx);
}

async function storeIndex(
  tx: Tx,
  students: readonly StudentFacts[],
  changed: ReadonlyMap<string, StudentRow | undefined>,
  { sums, policies }: { sums: CohortCounts; policies: Policies },
): Promise<void> {
  students = await applyPolicies(tx, students, policies);
  const terms: TermChange[] = [];
  const derived: { before: StudentRow; after: StudentRow }[] = [];
  for (const { row, hasFamily, semesters } of students) {
    const { id } = row;
    const columns = deriveColumns(row, hasFamily, semesters, policies.of(row.degree));
    const before = changed.get(id);
    if (before !== undefined) sums.add(before, -1);
    sums.add({ ...row, ...columns }, 1);
    terms.push({ id, before: before?.search_text ?? '', after: columns.search_text });
    derived.push({ before: row, after: { ...row, ...columns } });
  }
  await replaceTerms(tx, terms);
  await storeColumns(tx, derived);
}

/** What a student is searched by besides the base record. */
export type SearchedToo = Required<Pick<SearchableStudent, 'father_name' | 'father_phone' | 'former_ids'>>;

const findSearched = preparedQuery<
  Pick<SearchedToo, 'father_name' | 'father_phone'> & { former_ids: string },
  [id: string]
>(
  (db) => sql`
    select f.father_name, f.father_phone, ${formerIds(db)} as former_ids
    from students s left join families f on f.student_id = s.id where s.id = ${''}`,
);

/** What the student is searched by besides the base record. */
export async function findSearchedToo(db: Db, id: string): Promise<SearchedToo> {
  const found = await findSearched(db, id);
  return {
    father_name: found?.father_name ?? null,
    father_phone: found?.father_phone ?? null,
    former_ids: JSON.parse(found?.former_ids ?? '[]'),
  };
}

/** {@link reindex} for a change of a base record by which only the search can change. Stores the record too. */
export async function storeAndReindexTexts(
  tx: Tx,
  before: StudentRow,
  row: StudentRow,
  searched: SearchedToo,
): Promise<void> {
  const after = { ...row, ...deriveTexts({ ...row, ...searched }) };
  await storeColumns(tx, [{ before, after }]);
  await replaceTerms(tx, [{ id: row.id, before: before.search_text, after: after.search_text }]);
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
  for (const table of [
    'student_terms',
    'cohorts',
    'batch_counts',
    'cohort_cgpas',
    'course_results',
  ] as const) {
    await tx.deleteFrom(table).execute();
  }
  for (let last = ''; ; ) {
    const page = await tx
      .selectFrom('students')
      .select('id')
      .where('id', '>', last)
      .orderBy('id')
      .limit(CHUNK_SIZE)
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
  row: StudentRow & SearchedToo;
  hasFamily: boolean;
  /** In order. */
  semesters: readonly SemesterFacts[];
}

/** The facts as one row of a student: the lists are JSON. */
interface FactsRow extends StudentRow {
  father_name: string | null;
  father_phone: string | null;
  family_of: string | null;
  former_ids: string;
  semesters: string;
}

type FactsTuple = [
  ...[semester: number, sgpa: number, cgpa: number, is_provisional: number, graded: number, fails: number],
  ...NotifiedTuple,
];

/** Those of a student of the table `s`, as JSON. */
const formerIds = (db: Db) => sql`
  (select ${jsonRows(db, sql`former_id`, sql`history_id`)} from student_former_ids i where i.student_id = s.id)`;

const findFacts = preparedQueryVariants<FactsRow, object>((db, _, value) => {
  const graded = sql`count(case when t.credits is not null and t.half_points is not null then 1 end)`;
  const fails = sql`count(case when t.half_points = 0 then 1 end)`;
  const names = ['semester', 'sgpa', 'cgpa', 'is_provisional', 'graded', 'fails', ...NOTIFIED_COLUMNS];
  const semester = jsonArray(
    db,
    names.map((name) => sql.ref(`m.${name}`)),
  );
  return sql`
    select s.*, f.father_name, f.father_phone, f.student_id as family_of,
      ${formerIds(db)} as former_ids,
      (select ${jsonRows(db, semester, sql`m.semester`)} from (
        select a.semester, a.sgpa, a.cgpa, a.is_provisional, ${graded} as graded, ${fails} as fails,
          ${sql.join(NOTIFIED_COLUMNS.map((name) => sql.ref(`a.${name}`)))}
        from semesters a
        left join semester_subjects t on t.student_id = a.student_id and t.semester = a.semester
        where a.student_id = s.id group by a.academic_id) m) as semesters
    from ${jsonElements(db, value('ids'))} l
      cross join students s left join families f on f.student_id = s.id
    where s.id = l.value`;
});

export async function loadFacts(tx: Db, ids: readonly string[]): Promise<StudentFacts[]> {
  const rows = await findFacts(tx, {}, { ids: JSON.stringify(ids) });
  return rows.map(({ family_of, former_ids, semesters, ...row }) => {
    const tuples: FactsTuple[] = JSON.parse(semesters);
    return {
      row: { ...row, former_ids: JSON.parse(former_ids) },
      hasFamily: family_of !== null,
      semesters: tuples.map(([semester, sgpa, cgpa, is_provisional, graded, fails, ...notified]) => ({
        ...{ semester, sgpa, cgpa, is_provisional, graded, fails },
        ...toNotifiedColumns(notified),
      })),
    };
  });
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
  const subjectsById = await loadSubjects(
    tx,
    outdated.map(({ row }) => row.id),
  );
  const averages: (SemesterAverages & { student_id: string })[] = [];
  const current = new Map<StudentFacts, StudentFacts>();
  for (const facts of outdated) {
    const { id: student_id, degree } = facts.row;
    const own = subjectsById.get(student_id) ?? [];
    const { semesters, changed } = applyAverages(
      facts.semesters,
      facts.semesters.map(({ semester }) => own.filter((subject) => subject.semester === semester)),
      repeatPolicy(degree),
    );
    averages.push(...changed.map((semester) => ({ student_id, ...semester })));
    current.set(facts, { ...facts, semesters });
  }
  if (averages.length > 0) await updateAverages(tx, averages);
  return students.map((facts) => current.get(facts) ?? facts);
}

/** The subjects of many students by student. */
export async function loadSubjects(
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
  const subjectsById = new Map<string, (Subject & { semester: number })[]>();
  for (const { student_id, ...subject } of rows) {
    const own = subjectsById.get(student_id);
    if (own === undefined) subjectsById.set(student_id, [subject]);
    else own.push(subject);
  }
  return subjectsById;
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
  if (gone.length > 0) await deleteTerms(tx, gone);
  if (added.length > 0) await insertTerms(tx, added);
}

const TERM_COLUMNS = { term: 'text', student_id: 'text' } as const;
const deleteTerms = preparedDelete('student_terms', TERM_COLUMNS);
const insertTerms = preparedRowsChange(
  TERM_COLUMNS,
  (_, rows) => sql`insert into student_terms (term, student_id) select term, student_id from ${rows} l`,
);
