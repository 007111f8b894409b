import { type Selectable, sql } from 'kysely';
import { latestCgpa } from '../../domain/gpa.ts';
import { type Findable, foldedKey, naturalKey, searchTerms, searchText } from '../../domain/search-text.ts';
import { listedRows } from '../db/dialect.ts';
import type { CohortsTable, Db, StudentsTable, Tx } from '../db/schema.ts';

export type StudentRow = Selectable<StudentsTable>;

/** What the list works out of a record, kept with the student: see {@link listingOf}. */
export type Listing = Pick<
  StudentRow,
  'id_key' | 'name_key' | 'degree_key' | 'search_text' | 'cgpa' | 'fall' | 'is_complete'
>;

/** A recorded semester, in hundredths of a grade point; `graded` subjects have both credit hours and a grade. */
export interface SemesterFacts {
  semester: number;
  sgpa: number;
  cgpa: number;
  graded: number;
}

type BaseFacts = Pick<StudentRow, 'department' | 'degree' | 'syn' | 'current_sem'> & Findable;

/**
 * @param student base record, with the father's name and phone number where the family has been entered
 * @param semesters in order
 */
export function listingOf(
  student: BaseFacts,
  hasFamily: boolean,
  semesters: readonly SemesterFacts[],
): Listing {
  const { id, first_name, last_name, department, degree, syn, current_sem } = student;
  const [before, latest] = semesters.filter(({ graded }) => graded > 0).slice(-2);
  return {
    id_key: naturalKey(id),
    name_key: foldedKey(`${first_name} ${last_name}`),
    degree_key: naturalKey(`${department}-${degree}-${syn}`),
    search_text: searchText(student),
    cgpa:
      latestCgpa(
        semesters.map(({ cgpa }) => cgpa),
        current_sem,
      ) ?? -1,
    fall: before === undefined || latest === undefined ? 0 : Math.max(0, before.sgpa - latest.sgpa),
    // The results of the current semester are still to come.
    is_complete: hasFamily && semesters.length >= current_sem - 1 ? 1 : 0,
  };
}

/** Ids in one statement. */
const CHUNK = 500;

/**
 * Brings the list up to date with records that the transaction has changed: what it is sorted and filtered by, the
 * words it is searched by and the counts of all that are alike.
 *
 * @param changed ids, each with the row as it was before the change; none for a new one
 * @param counts where the caller changes many in pieces, and stores what they come to at the end: until then nobody has to wait
 */
export async function relist(
  tx: Tx,
  changed: ReadonlyMap<string, StudentRow | undefined>,
  counts?: CohortCounts,
): Promise<void> {
  const sums = counts ?? new CohortCounts();
  for (const ids of chunks([...changed.keys()])) {
    const terms: TermChange[] = [];
    const outdated: ({ id: string } & Listing)[] = [];
    for (const { row, hasFamily, semesters } of await factsOf(tx, ids)) {
      const { id } = row;
      const listing = listingOf(row, hasFamily, semesters);
      const before = changed.get(id);
      if (before !== undefined) sums.add(before, -1);
      sums.add({ ...row, ...listing }, 1);
      terms.push({ id, before: before?.search_text ?? '', after: listing.search_text });
      if (!isSame(row, listing)) outdated.push({ id, ...listing });
    }
    await replaceTerms(tx, terms);
    if (outdated.length > 0) await storeListings(tx, outdated);
  }
  if (counts === undefined) await sums.store(tx);
}

/** Takes students off the list, before the records themselves are removed. The counts are as for {@link relist}. */
export async function unlist(tx: Tx, rows: readonly StudentRow[], counts?: CohortCounts): Promise<void> {
  const sums = counts ?? new CohortCounts();
  for (const row of rows) sums.add(row, -1);
  await replaceTerms(
    tx,
    rows.map(({ id, search_text }) => ({ id, before: search_text, after: '' })),
  );
  if (counts === undefined) await sums.store(tx);
}

/** Works the whole list out anew. */
export async function relistAll(tx: Tx): Promise<void> {
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
    await relist(tx, new Map(page.map(({ id }) => [id, undefined])));
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

/** What the list is worked out from, of students that are there. */
export async function factsOf(tx: Db, ids: readonly string[]) {
  const rows = await tx
    .selectFrom('students as s')
    .leftJoin('families as f', 'f.student_id', 's.id')
    .selectAll('s')
    .select(['f.father_name', 'f.father_phone', 'f.student_id as family_of'])
    .where('s.id', 'in', ids)
    .execute();
  const semesters = await tx
    .selectFrom('semesters as a')
    .select((eb) => [
      'a.student_id',
      'a.semester',
      'a.sgpa',
      'a.cgpa',
      eb
        .selectFrom('semester_subjects as t')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('t.student_id', '=', 'a.student_id')
        .whereRef('t.semester', '=', 'a.semester')
        .where('t.credits', 'is not', null)
        .where('t.half_points', 'is not', null)
        .as('graded'),
    ])
    .where('a.student_id', 'in', ids)
    .orderBy('a.student_id')
    .orderBy('a.semester')
    .execute();
  const semestersOf = new Map<string, SemesterFacts[]>();
  for (const { student_id, graded, ...one } of semesters) {
    const own = semestersOf.get(student_id) ?? [];
    own.push({ ...one, graded: Number(graded ?? 0) });
    semestersOf.set(student_id, own);
  }
  return rows.map((row) => ({
    row,
    hasFamily: row.family_of !== null,
    semesters: semestersOf.get(row.id) ?? [],
  }));
}

const isSame = (row: StudentRow, listing: Listing) =>
  Object.entries(listing).every(([name, value]) => row[name as keyof Listing] === value);

async function storeListings(tx: Tx, listings: readonly ({ id: string } & Listing)[]): Promise<void> {
  const rows = listedRows(tx, listings, {
    id: 'text',
    id_key: 'text',
    name_key: 'text',
    degree_key: 'text',
    search_text: 'text',
    cgpa: 'integer',
    fall: 'integer',
    is_complete: 'integer',
  });
  await sql`
    update students set id_key = l.id_key, name_key = l.name_key, degree_key = l.degree_key,
      search_text = l.search_text, cgpa = l.cgpa, fall = l.fall, is_complete = l.is_complete
    from ${rows} l where students.id = l.id`.execute(tx);
}

/** The words of a student before and after a change. */
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
      where (term, student_id) in (select term, student_id from ${listedRows(tx, gone, columns)} l)`.execute(
      tx,
    );
  }
  if (added.length > 0) {
    await sql`insert into student_terms (term, student_id)
      select term, student_id from ${listedRows(tx, added, columns)} l`.execute(tx);
  }
}

/** What students have in common, by which the list counts them. */
export type Cohort = Omit<CohortsTable, 'students'>;

const COHORT = [
  'department',
  'degree',
  'syn',
  'current_sem',
  'gender',
  'is_complete',
] as const satisfies readonly (keyof Cohort)[];

/** Changes of counts, put together before they are stored: a row each, always in one order, so that nobody waits in a ring. */
export class CohortCounts {
  readonly #cohorts = new Map<string, { cohort: Cohort; by: number }>();
  readonly #cgpas = new Map<string, { cohort: Cohort & { tenth: number }; by: number }>();

  add(student: Omit<Cohort, 'gender'> & Pick<StudentRow, 'gender' | 'cgpa'>, by: 1 | -1): void {
    const { department, degree, syn, current_sem, is_complete, gender, cgpa } = student;
    const cohort = { department, degree, syn, current_sem, is_complete, gender: gender ?? '' } as const;
    sum(this.#cohorts, cohort, by);
    if (cgpa >= 0) sum(this.#cgpas, { tenth: Math.floor(cgpa / 10), ...cohort }, by);
  }

  async store(tx: Tx): Promise<void> {
    for (const some of chunks(changesIn(this.#cohorts))) {
      await tx
        .insertInto('cohorts')
        .values(some.map(({ cohort, by }) => ({ ...cohort, students: by })))
        .onConflict((conflict) =>
          conflict
            .columns([...COHORT])
            .doUpdateSet((eb) => ({ students: eb('cohorts.students', '+', eb.ref('excluded.students')) })),
        )
        .execute();
    }
    for (const some of chunks(changesIn(this.#cgpas))) {
      await tx
        .insertInto('cohort_cgpas')
        .values(some.map(({ cohort, by }) => ({ ...cohort, students: by })))
        .onConflict((conflict) =>
          conflict.columns(['tenth', ...COHORT]).doUpdateSet((eb) => ({
            students: eb('cohort_cgpas.students', '+', eb.ref('excluded.students')),
          })),
        )
        .execute();
    }
  }
}

function sum<Of>(counts: Map<string, { cohort: Of; by: number }>, cohort: Of, by: number): void {
  const key = JSON.stringify(cohort);
  const one = counts.get(key) ?? { cohort, by: 0 };
  one.by += by;
  counts.set(key, one);
}

function changesIn<Of>(counts: ReadonlyMap<string, { cohort: Of; by: number }>) {
  return [...counts]
    .filter(([, { by }]) => by !== 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, change]) => change);
}

function* chunks<Of>(all: readonly Of[]): Generator<readonly Of[]> {
  for (let i = 0; i < all.length; i += CHUNK) yield all.slice(i, i + CHUNK);
}
