import { sql } from 'kysely';
import type { ClassQuery, ReportClass, SemesterReportQuery } from '../../contract/grading/reports.ts';
import { SEMESTERS, type Status } from '../../domain/student.ts';
import { indexHint, jsonArray, jsonText } from '../db/dialect/sql.ts';
import type { Db, StudentsTable } from '../db/schema.ts';
import { isClosedSubject } from '../students/grading/ungraded.ts';

/** Students with these statuses are in the reports. */
const REPORTED = ['active', 'graduated'] as const satisfies readonly Status[];
type ReportedStatus = (typeof REPORTED)[number];
const isReported = (status: Status): status is ReportedStatus => REPORTED.some((one) => one === status);

/** The results of a student in the semester of a report. */
export interface Results {
  /** The SGPA in grade points, as printed. */
  sgpa: number;
  cgpa: number;
  /**
   * Subjects of the semester, and those of them with a grade, whose grade is missing, without credit hours, and with an F. None
   * is missing where a mark sheet says that the course was withdrawn or excused.
   */
  subjects: number;
  graded: number;
  ungraded: number;
  uncredited: number;
  fails: number;
  /** The same of the semesters before; 0 where they are not counted. */
  gradedBefore: number;
  ungradedBefore: number;
  uncreditedBefore: number;
  /** The semester is not final yet. */
  isProvisional: boolean;
  /** The first semester up to this one that is not final; null without one. Its grades are part of the CGPA. */
  firstProvisional: number | null;
}

export interface ClassStudent {
  id: string;
  first_name: string;
  last_name: string;
  syn: StudentsTable['syn'];
  /** Null when the student is in the reports; otherwise why not. */
  leftAs: Exclude<Status, ReportedStatus> | null;
  /** Null when the semester is not recorded. */
  results: Results | null;
}

/** A semester of a class. */
export interface ClassResults {
  /** Null when nobody has recorded any. */
  semester: number | null;
  /** Students in the order of their IDs. */
  students: ClassStudent[];
}

/** The students of a class in the index on classes, which has every column of the condition. */
const members = (db: Db, { department, degree, syn }: ClassQuery) => sql`
  from students s ${indexHint(db, 'students_by_cohort')}
  where s.current_sem in (${sql.join(SEMESTERS)}) and s.department = ${department} and s.degree = ${degree}
    ${syn === undefined ? sql`` : sql`and s.syn = ${syn}`}`;

/** The latest semester that one of the students in the reports has recorded. */
async function findLatestSemester(db: Db, asked: ClassQuery): Promise<number | null> {
  const { rows } = await sql<{ latest: number | null }>`
    select max((select max(a.semester) from semesters a where a.student_id = s.id and a.is_elsewhere = 0)) as latest
    ${members(db, asked)} and s.status in (${sql.join(REPORTED)})`.execute(db);
  return rows[0]?.latest ?? null;
}

interface Row extends Pick<ClassStudent, 'id' | 'first_name' | 'last_name' | 'syn'> {
  status: Status;
  /** JSON: `[sgpa, cgpa, is_provisional]`, the averages in hundredths; null when the semester is not recorded. */
  averages: string | null;
  first_provisional: number | null;
  /** JSON: the counts of {@link Results} in their order. */
  counts: string;
}

/** Whether the grade of a subject of the table `t` is missing. */
const IS_MISSING = sql`t.half_points is null and not ${isClosedSubject}`;

/**
 * The students of a class with their results in a semester: a range of the index on classes for each current semester, and for
 * each student a look-up and a range of primary keys. The sub-selects keep it so on both engines, independent of their estimates.
 *
 * @param options.countsEarlier fills the counts of the semesters before, which takes several times as long
 */
export async function readClass(
  db: Db,
  { semester: asked, ...ofClass }: SemesterReportQuery,
  { countsEarlier = false } = {},
): Promise<ClassResults> {
  const semester = asked ?? (await findLatestSemester(db, ofClass));
  const count = (condition: ReturnType<typeof sql>) => sql`count(case when ${condition} then 1 end)`;
  const counts = jsonArray(db, [
    count(sql`t.semester = ${semester}`),
    count(sql`t.semester = ${semester} and t.half_points is not null`),
    count(sql`t.semester = ${semester} and ${IS_MISSING}`),
    count(sql`t.semester = ${semester} and t.credits is null`),
    count(sql`t.semester = ${semester} and t.half_points = 0`),
    count(sql`t.semester < ${semester} and t.half_points is not null`),
    count(sql`t.semester < ${semester} and ${IS_MISSING}`),
    count(sql`t.semester < ${semester} and t.credits is null`),
  ]);
  const { rows } = await sql<Row>`
    select s.id, s.first_name, s.last_name, s.syn, s.status,
      (select ${jsonText(db, jsonArray(db, [sql.ref('a.sgpa'), sql.ref('a.cgpa'), sql.ref('a.is_provisional')]))} from semesters a
        where a.student_id = s.id and a.semester = ${semester} and a.is_elsewhere = 0) as averages,
      (select min(a.semester) from semesters a
        where a.student_id = s.id and a.semester <= ${semester} and a.is_provisional = 1) as first_provisional,
      (select ${jsonText(db, counts)} from semester_subjects t
        where t.student_id = s.id and t.semester between ${countsEarlier ? 1 : semester} and ${semester}) as counts
    ${members(db, ofClass)}
    order by s.id_key, s.id`.execute(db);
  return { semester, students: rows.map(toClassStudent) };
}

function toClassStudent({ status, averages, first_provisional, counts, ...student }: Row): ClassStudent {
  return {
    ...student,
    leftAs: isReported(status) ? null : status,
    results:
      averages === null
        ? null
        : { ...toResults(JSON.parse(averages), JSON.parse(counts)), firstProvisional: first_provisional },
  };
}

const toResults = (
  [sgpa, cgpa, is_provisional]: readonly [sgpa: number, cgpa: number, is_provisional: number],
  [subjects, graded, ungraded, uncredited, fails, gradedBefore, ungradedBefore, uncreditedBefore]: readonly [
    ...[subjects: number, graded: number, ungraded: number, uncredited: number, fails: number],
    ...[gradedBefore: number, ungradedBefore: number, uncreditedBefore: number],
  ],
): Omit<Results, 'firstProvisional'> => ({
  sgpa: sgpa / 100,
  cgpa: cgpa / 100,
  isProvisional: is_provisional === 1,
  subjects,
  graded,
  ungraded,
  uncredited,
  fails,
  gradedBefore,
  ungradedBefore,
  uncreditedBefore,
});

/** The students of a class who are in the reports, in the order of their IDs; those in one semester if it is given. */
export async function findReportedStudents(
  db: Db,
  { department, degree, syn }: ClassQuery,
  semester?: number,
) {
  return db
    .selectFrom('students')
    .select(['id', 'first_name', 'last_name', 'syn', 'degree'])
    .where('current_sem', 'in', semester === undefined ? SEMESTERS : [semester])
    .where('department', '=', department)
    .where('degree', '=', degree)
    .where('status', 'in', REPORTED)
    .$if(syn !== undefined, (query) => query.where('syn', '=', syn ?? 'A'))
    .orderBy('id_key')
    .orderBy('id')
    .execute();
}

/** The classes that have students in the reports. */
export async function listClasses(db: Db): Promise<ReportClass[]> {
  const rows = await db
    .selectFrom('cohorts')
    .select((eb) => ['department', 'degree', 'syn', eb.fn.sum<number>('students').as('students')])
    .where('status', 'in', REPORTED)
    .groupBy(['department', 'degree', 'syn'])
    .having((eb) => eb(eb.fn.sum('students'), '>', 0))
    .orderBy('department')
    .orderBy('degree')
    .orderBy('syn')
    .execute();
  return rows.map((row) => ({ ...row, students: Number(row.students) }));
}
