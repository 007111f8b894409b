import { sql } from 'kysely';
import { searchTerms } from '../../../domain/search-text.ts';
import { chunks } from '../../chunks.ts';
import { preparedDelete, preparedRowsChange } from '../../db/prepared-query.ts';
import type { Tx } from '../../db/schema.ts';
import { loadPolicies, lockPolicies, type Policies } from '../grading/policies.ts';
import { CHUNK_SIZE, CohortCounts } from './cohort-counts.ts';
import { type DerivedStudent, deriveStored, storeDerived } from './derive-student.ts';
import { deriveTexts, type StudentRow } from './derived-columns.ts';
import { storeColumns } from './store-columns.ts';
import { loadFacts, type SearchFields, type StudentFacts } from './student-facts.ts';

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
  const terms: TermChange[] = [];
  const derived: DerivedStudent[] = [];
  for (const facts of students) {
    const { row } = facts;
    const counted = changed.get(row.id);
    const keepsAverages = hasAveragesByPolicy(facts, counted, policies);
    const { stored, averages, figures } = deriveStored(facts, policies, { keepsAverages });
    const after = { ...row, ...deriveTexts(row), ...figures };
    terms.push({ id: row.id, before: counted?.search_text ?? '', after: after.search_text });
    derived.push({ counted, stored, after, averages });
  }
  await storeDerived(tx, derived, sums);
  await replaceTerms(tx, terms);
}

/** The averages of a student who has moved to a batch of another repeat policy, or other equivalents, are still by the former ones. */
function hasAveragesByPolicy(
  { row, semesters }: StudentFacts,
  before: StudentRow | undefined,
  policies: Policies,
): boolean {
  if (semesters.length === 0) return true;
  const { rules, groups } = policies.of(row.degree);
  const hasMoved = before !== undefined && before.degree !== row.degree;
  if (hasMoved && !(groups.isEmpty && policies.of(before.degree).groups.isEmpty)) return false;
  return policies.byId(row.policy_id)?.rules.repeat_policy === rules.repeat_policy;
}

/** {@link reindex} for a change of a base record by which only the search can change. Stores the record too. */
export async function storeAndReindexTexts(
  tx: Tx,
  before: StudentRow,
  row: StudentRow,
  searched: SearchFields,
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
