import { sql } from 'kysely';
import type { SearchableStudent } from '../../../domain/search-text.ts';
import { jsonElements, jsonRows } from '../../db/dialect/sql.ts';
import { preparedQuery, preparedQueryVariants } from '../../db/prepared-query.ts';
import type { Db } from '../../db/schema.ts';
import type { NotifiedColumns } from '../grading/standing-facts.ts';
import { type ResultLists, resultLists, semesterTuples, subjectTuples } from '../queries.ts';
import type { SemesterRow, Subject } from '../semester-slots.ts';
import type { StudentRow } from './derived-columns.ts';

/** A recorded semester, and the subjects from which its averages are computed. */
export interface GradedSemester {
  /** SGPA and CGPA in hundredths. */
  row: Pick<SemesterRow, 'semester' | 'sgpa' | 'cgpa'> & NotifiedColumns & { is_provisional: number };
  subjects: readonly Omit<Subject, 'title'>[];
}

/** The fields by which a student is searched besides the base record. */
export type SearchFields = Required<Pick<SearchableStudent, 'father_name' | 'father_phone' | 'former_ids'>>;

/** Everything that the derived columns of a student follow from. */
export interface StudentFacts {
  /** The row as it is stored now, with its derived columns of before. */
  row: StudentRow & SearchFields;
  hasFamily: boolean;
  /** The semesters in order, from the first on. */
  semesters: readonly GradedSemester[];
}

/** The facts as one row of a student: the lists are JSON. */
interface FactsRow extends StudentRow, ResultLists {
  father_name: string | null;
  father_phone: string | null;
  family_of: string | null;
  former_ids: string;
}

/** The former IDs of a student of the table `s`, as JSON. */
const formerIds = (db: Db) => sql`
  (select ${jsonRows(db, sql`former_id`, sql`history_id`)} from student_former_ids i where i.student_id = s.id)`;

const findFacts = preparedQueryVariants<FactsRow, object>(
  (db, _, value) => sql`
    select s.*, f.father_name, f.father_phone, f.student_id as family_of,
      ${formerIds(db)} as former_ids, ${resultLists(db)}
    from ${jsonElements(db, value('ids'))} l
      cross join students s left join families f on f.student_id = s.id
    where s.id = l.value`,
);

/** The facts of students by id. */
export async function loadFacts(db: Db, ids: readonly string[]): Promise<StudentFacts[]> {
  const rows = await findFacts(db, {}, { ids: JSON.stringify(ids) });
  return rows.map((row) => ({
    // The row that was read stays: copies of so many properties would take most of the time.
    row: Object.assign(row, { former_ids: JSON.parse(row.former_ids) }),
    hasFamily: row.family_of !== null,
    semesters: toGradedSemesters(row),
  }));
}

function toGradedSemesters(lists: ResultLists): GradedSemester[] {
  const subjects = new Map<number, GradedSemester['subjects'][number][]>();
  for (const [semester, slot, , course_id, credits, half_points] of subjectTuples(lists)) {
    const subject = { slot, course_id, credits, half_points };
    const own = subjects.get(semester);
    if (own === undefined) subjects.set(semester, [subject]);
    else own.push(subject);
  }
  // Every property by its name: spreads would take a third of the time of rebuilding the index.
  return semesterTuples(lists).map((tuple) => {
    const [, semester, sgpa, cgpa, , is_provisional, , notified_policy, notified_standing, notified_clause] =
      tuple;
    return {
      row: { semester, sgpa, cgpa, is_provisional, notified_policy, notified_standing, notified_clause },
      subjects: subjects.get(semester) ?? [],
    };
  });
}

const findSearched = preparedQuery<
  Pick<SearchFields, 'father_name' | 'father_phone'> & { former_ids: string },
  [id: string]
>(
  (db) => sql`
    select f.father_name, f.father_phone, ${formerIds(db)} as former_ids
    from students s left join families f on f.student_id = s.id where s.id = ${''}`,
);

/** Finds the fields by which a student is searched besides the base record. */
export async function findSearchFields(db: Db, id: string): Promise<SearchFields> {
  const found = await findSearched(db, id);
  return {
    father_name: found?.father_name ?? null,
    father_phone: found?.father_phone ?? null,
    former_ids: JSON.parse(found?.former_ids ?? '[]'),
  };
}
