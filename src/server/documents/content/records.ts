import { createHash } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { type DocumentFigures, type DocumentRecord, figuresText } from '../../../domain/documents/figures.ts';
import { toGradePoints } from '../../../domain/grading/gpa.ts';
import { DEPARTMENTS, type Department, type Status } from '../../../domain/student.ts';
import { jsonArray, jsonElements, jsonRows } from '../../db/dialect/sql.ts';
import { preparedQuery } from '../../db/prepared-query.ts';
import type { Db, StudentsTable } from '../../db/schema.ts';
import { equivalentsColumn, parseEquivalents } from '../../students/grading/equivalents.ts';
import { type AppliedPolicy, loadPolicy } from '../../students/grading/policies.ts';
import { ungradedColumn, ungradedFinder } from '../../students/grading/ungraded.ts';
import { type ResultParts, resultColumns, semesterTuples, subjectTuples } from '../../students/queries.ts';

/** A record as documents are made of it, with what else a document may show. */
export interface StoredRecord extends DocumentRecord {
  policy: AppliedPolicy;
  status: Status;
  statusDate: string | null;
  /** URL of the portrait. */
  portrait: string | null;
  department: Department;
  /** The terms of the semesters that mark sheets have written, by semester; empty where they were not asked for. */
  terms: Readonly<Record<string, string>>;
}

/** The columns of {@link recordColumns}. */
interface RecordRow
  extends ResultParts,
    Pick<
      StudentsTable,
      'id' | 'first_name' | 'last_name' | 'dob' | 'joining_date' | 'degree' | 'department' | 'img'
    >,
    Pick<Selectable<StudentsTable>, 'status' | 'status_date'> {
  /** The first semester whose results are not final; null without one. */
  first_provisional: number | null;
  father_name: string | null;
  /** The JSON of {@link ungradedColumn}. */
  ungraded: string;
  /** See `parseEquivalents`. */
  equivalents: string;
  /** JSON: `[title, credits, institution, grade]` of each course from elsewhere. */
  outside: string;
  /** JSON: `[semester, term]` of each result of a mark sheet, in the order of the terms. */
  terms?: string;
}

const OUTSIDE_COLUMNS = ['o.title', 'o.credits', 'o.institution', 'o.grade'].map((name) => sql.ref(name));
type OutsideTuple = [title: string, credits: number, institution: string, grade: string | null];

/** Columns of the record of a student of the table `s` with the family `f`. */
const recordColumns = (db: Db) => sql`
  s.id, s.first_name, s.last_name, s.dob, s.joining_date, s.degree, s.department, s.img, s.status, s.status_date,
  f.father_name,
  (select min(a.semester) from semesters a where a.student_id = s.id and a.is_provisional = 1) as first_provisional,
  ${ungradedColumn(db)} as ungraded,
  ${equivalentsColumn(db)} as equivalents,
  (select ${jsonRows(db, jsonArray(db, OUTSIDE_COLUMNS), sql`o.outside_id`)}
    from outside_credits o where o.student_id = s.id) as outside,
  ${resultColumns(db)}`;

/** The terms, in the statement of the record: one of its own would be another wait for the database. */
const termsColumn = (db: Db) => sql`,
  (select ${jsonRows(db, jsonArray(db, [sql.ref('w.semester'), sql.ref('t.name')]), sql`w.semester, t.starts_on, t.term_id`)}
    from sheet_results w join sheets c on c.sheet_id = w.sheet_id join terms t on t.term_id = c.term_id
    where w.student_id = s.id) as terms`;

/**
 * The records of those students that exist, by ID: look-ups by primary key.
 *
 * @param options.hasTerms for what is printed; nothing else needs the terms
 */
export async function readRecords(
  db: Db,
  ids: readonly string[],
  { hasTerms = false } = {},
): Promise<ReadonlyMap<string, StoredRecord>> {
  const { rows } = await sql<RecordRow>`
    select ${recordColumns(db)}${hasTerms ? termsColumn(db) : sql``}
    from ${jsonElements(db, sql`${JSON.stringify(ids)}`)} l
      cross join students s
      left join families f on f.student_id = s.id
    where s.id = l.value`.execute(db);
  const records = new Map<string, StoredRecord>();
  for (const row of rows) records.set(row.id, await toRecord(db, row));
  return records;
}

const findRow = preparedQuery<RecordRow, [id: string]>(
  (db) => sql`
    select ${recordColumns(db)}
    from students s left join families f on f.student_id = s.id
    where s.id = ${''}`,
);

/** {@link readRecords} of one student, for a hot path. */
export async function findRecord(db: Db, id: string): Promise<StoredRecord | undefined> {
  const row = await findRow(db, id);
  return row && toRecord(db, row);
}

async function toRecord(db: Db, row: RecordRow): Promise<StoredRecord> {
  const { id, first_name, last_name, dob, joining_date, degree, department, father_name, img } = row;
  const policy = await loadPolicy(db, row.policy_id);
  const findUngraded = ungradedFinder(row.ungraded);
  const groups = parseEquivalents(row.equivalents).of(degree);
  const outside: OutsideTuple[] = JSON.parse(row.outside);
  return {
    student: {
      id,
      first_name,
      last_name,
      father_name,
      dob,
      joining_date,
      degree,
      department: DEPARTMENTS[department],
    },
    semesters: semesterTuples(row).map(([, semester, sgpa, cgpa, , , is_elsewhere]) => ({
      semester,
      sgpa: sgpa / 100,
      cgpa: cgpa / 100,
      is_provisional: semester >= (row.first_provisional ?? Number.POSITIVE_INFINITY),
      ...(is_elsewhere === 1 && { elsewhere: true as const }),
    })),
    // A spread would take several times as long.
    subjects: subjectTuples(row).map(([semester, slot, title, course_id, credits, half_points]) => {
      const points = toGradePoints(half_points);
      const ungraded = findUngraded({ semester, slot, course_id, points });
      if (groups.isEmpty || course_id === null)
        return { semester, slot, title, course_id, credits, points, ungraded };
      const counts_as = groups.of(course_id);
      return { semester, slot, title, course_id, counts_as, credits, points, ungraded };
    }),
    outside: outside.map(([title, credits, institution, grade]) => ({ title, credits, institution, grade })),
    repeat_policy: policy.rules.repeat_policy,
    policy,
    status: row.status,
    statusDate: row.status_date,
    portrait: img,
    department,
    terms: toTerms(row.terms ?? '[]'),
  };
}

const termTuples = z.array(z.tuple([z.int(), z.string()]));

/** A semester has several terms where its courses were taken in several. */
function toTerms(json: string): Record<string, string> {
  const names = new Map<number, Set<string>>();
  for (const [semester, name] of termTuples.parse(JSON.parse(json))) {
    names.set(semester, (names.get(semester) ?? new Set()).add(name));
  }
  return Object.fromEntries([...names].map(([semester, terms]) => [semester, [...terms].join(', ')]));
}

/** The hash of a document's figures, stored to find out whether the record still has them. */
export const hashFigures = (figures: DocumentFigures): string =>
  createHash('sha256').update(figuresText(figures)).digest('hex');

const contentWithFigures = z.object({
  figures: z.custom<DocumentFigures>((value) => typeof value === 'object'),
});

/** The same of the figures in a stored content. */
export const hashFiguresOf = (content: string): string =>
  hashFigures(contentWithFigures.parse(JSON.parse(content)).figures);
