import { sql } from 'kysely';
import { z } from 'zod';
import { DEFAULT_RULES } from '../../domain/grading/policy.ts';
import { searchTerms } from '../../domain/search-text.ts';
import { type MarksTally, tallyMarks } from '../../domain/statistics.ts';
import { jsonToRows } from '../db/dialect/sql.ts';
import type { Db } from '../db/schema.ts';
import { groupBy } from '../group-by.ts';
import { deriveStored } from '../students/derived/derive-student.ts';
import { type DerivedColumns, deriveTexts } from '../students/derived/derived-columns.ts';
import { loadFacts } from '../students/derived/student-facts.ts';
import { loadPolicies } from '../students/grading/policies.ts';
import { computeAverages } from '../students/semester-slots.ts';

/** Students checked per batch. */
const PAGE = 500;

/** The ids of all students, page by page, with the policy of their stored figures. */
async function* studentPages(db: Db): AsyncGenerator<{ id: string; policy_id: number; degree: string }[]> {
  for (let last = ''; ; ) {
    const page = await db
      .selectFrom('students')
      .select(['id', 'policy_id', 'degree'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    const end = page.at(-1);
    if (end === undefined) return;
    yield page;
    last = end.id;
  }
}

/** Finds gaps in the numbering of semesters, and averages that differ from those calculated from the subjects. */
export async function* incorrectAverages(db: Db): AsyncGenerator<string> {
  const policies = await loadPolicies(db);
  for await (const page of studentPages(db)) {
    const ids = page.map(({ id }) => id);
    const studentById = new Map(page.map((student) => [student.id, student]));
    const semesters = await db
      .selectFrom('semesters')
      .select(['student_id', 'semester', 'sgpa', 'cgpa'])
      .where('student_id', 'in', ids)
      .orderBy('student_id')
      .orderBy('semester')
      .execute();
    const subjects = await db
      .selectFrom('semester_subjects')
      .select(['student_id', 'semester', 'slot', 'course_id', 'credits', 'half_points'])
      .where('student_id', 'in', ids)
      .execute();
    const subjectsBySemester = groupBy(subjects, ({ student_id, semester }) => `${semester} ${student_id}`);
    for (const [id, own] of groupBy(semesters, ({ student_id }) => student_id)) {
      const student = studentById.get(id);
      const averages = computeAverages(
        own.map(({ semester }) => subjectsBySemester.get(`${semester} ${id}`) ?? []),
        {
          rules: policies.byId(student?.policy_id ?? 0)?.rules ?? DEFAULT_RULES,
          groups: policies.of(student?.degree ?? '').groups,
        },
      );
      for (const [i, { semester, sgpa, cgpa }] of own.entries()) {
        if (semester !== i + 1)
          yield `Student ${id}: semester ${i + 1} is missing before semester ${semester}.`;
        const { sgpa: s, cgpa: c } = averages[i] ?? { sgpa: 0, cgpa: 0 };
        if (s === sgpa && c === cgpa) continue;
        yield `Student ${id}, semester ${semester}: SGPA ${sgpa}, CGPA ${cgpa} (in hundredths), but the subjects come to ${s} and ${c}.`;
      }
    }
  }
}

/** A table of counts and the rows that it counts. */
interface Counted {
  table: string;
  count: string;
  /** Columns by which it groups, each with the SQL expression that calculates it. */
  by: Readonly<Record<string, string>>;
  from: string;
  /** The condition on the rows of the table that these are; all without it. */
  of?: string;
}

const cohort = {
  department: 'department',
  degree: 'degree',
  syn: 'syn',
  current_sem: 'current_sem',
  gender: `coalesce(gender, '')`,
  is_complete: 'is_complete',
  status: 'status',
  standing: 'standing',
};

const { syn: _syn, standing: _standing, ...batch } = cohort;

const COUNTED: readonly Counted[] = [
  { table: 'cohorts', count: 'students', by: cohort, from: 'students' },
  { table: 'batch_counts', count: 'students', by: batch, from: 'students' },
  {
    table: 'cohort_cgpas',
    count: 'students',
    by: { tenth: 'cgpa / 10', is_final: '0', ...cohort },
    from: 'students where cgpa >= 0',
    of: 'is_final = 0',
  },
  {
    table: 'cohort_cgpas',
    count: 'students',
    by: { tenth: 'final_cgpa / 10', is_final: '1', ...cohort },
    from: 'students where final_cgpa >= 0',
    of: 'is_final = 1',
  },
  {
    table: 'course_results',
    count: 'results',
    by: { course_id: 'course_id', half_points: 'half_points' },
    from: 'semester_subjects where course_id is not null and half_points is not null',
  },
];

/** Finds precalculated counts (for the list and the insights) that differ from the rows that they count. */
export async function* incorrectCounts(db: Db): AsyncGenerator<string> {
  for (const { table, count, by, from, of: part = '1 = 1' } of COUNTED) {
    const columns = Object.keys(by).join(', ');
    const expressions = Object.entries(by).map(([column, expression]) => `${expression} as ${column}`);
    // One query sums both sides and answers the groups in which they differ.
    const { rows } = await sql<Record<string, string | number>>`
      select * from (
        select ${sql.raw(columns)}, sum(stored) as stored, sum(actual) as actual from (
          select ${sql.raw(columns)}, ${sql.raw(count)} as stored, 0 as actual from ${sql.table(table)}
          where ${sql.raw(part)}
          union all
          select ${sql.raw(expressions.join(', '))}, 0 as stored, 1 as actual from ${sql.raw(from)}
        ) as sides group by ${sql.raw(columns)}
      ) as summed where stored <> actual order by ${sql.raw(columns)}`.execute(db);
    for (const { stored, actual, ...of } of rows) {
      const values = Object.entries(of).map(([column, value]) => `${column} ${value}`);
      yield `${table}: ${stored} instead of ${actual} of ${values.join(', ')}.`;
    }
  }
}

const marksTally = z.object({
  count: z.int(),
  mean: z.number(),
  squares: z.number(),
  bins: z.array(z.int()),
});
const pieceOfMarks = z.array(z.number());

/** Finds courses whose stored statistics differ from those calculated from their marks. */
export async function* incorrectStatistics(db: Db): AsyncGenerator<string> {
  const courses = await db
    .selectFrom('courses')
    .select(['course_id', 'tally'])
    .orderBy('course_id')
    .execute();
  for (const { course_id, tally } of courses) {
    const pieces = await db
      .selectFrom('course_marks')
      .select('marks')
      .where('course_id', '=', course_id)
      .orderBy('piece')
      .execute();
    const marks = pieces.flatMap((piece) => pieceOfMarks.parse(JSON.parse(piece.marks)));
    const stored = marksTally.parse(JSON.parse(tally));
    const actual = tallyMarks(marks);
    if (isSame(stored, actual)) continue;
    yield `Course ${course_id}: the statistics (${describeTally(stored)}) differ from its marks (${describeTally(actual)}).`;
  }
}

/** Tolerates rounding errors: several uploads add the marks up in a different order. */
const isSame = (a: MarksTally, b: MarksTally) =>
  a.count === b.count &&
  a.bins.join() === b.bins.join() &&
  isClose(a.mean, b.mean) &&
  isClose(a.squares, b.squares);

const isClose = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

const describeTally = ({ count, mean, bins }: MarksTally) =>
  `${count} marks, mean ${mean}, bins ${bins.join(' ')}`;

/** Finds rows of the list index (which sorts, filters and searches students) that differ from the records. */
export async function* staleIndexRows(db: Db): AsyncGenerator<string> {
  let expected = 0;
  let missing = 0;
  const policies = await loadPolicies(db);
  for await (const page of studentPages(db)) {
    const ids = page.map(({ id }) => id);
    const terms: { term: string; student_id: string }[] = [];
    for (const facts of await loadFacts(db, ids)) {
      const { row } = facts;
      // A policy that is being applied has not reached every student.
      if (policies.isBeingApplied && row.policy_id !== policies.of(row.degree).policy_id) continue;
      const { figures } = deriveStored(facts, policies, { keepsAverages: true });
      const listing = { ...deriveTexts(row), ...figures };
      const names = Object.keys(listing) as (keyof DerivedColumns)[];
      const drifted = names.filter((name) => row[name] !== listing[name]);
      if (drifted.length > 0)
        yield `Student ${row.id}: ${drifted.join(', ')} in the index differ from the record.`;
      for (const term of new Set(searchTerms(listing.search_text))) terms.push({ term, student_id: row.id });
    }
    expected += terms.length;
    const wanted = jsonToRows(db, terms, { term: 'text', student_id: 'text' });
    const { rows } = await sql<{ term: string; student_id: string }>`
      select w.term, w.student_id from ${wanted} w where not exists
        (select 1 from student_terms t where t.term = w.term and t.student_id = w.student_id)`.execute(db);
    missing += rows.length;
    for (const { term, student_id } of rows) yield `Student ${student_id}: is not found by "${term}".`;
  }
  const { count } = await db
    .selectFrom('student_terms')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  const surplus = Number(count) - (expected - missing);
  if (surplus > 0) yield `${surplus} search terms find students whose records do not contain them.`;
}
