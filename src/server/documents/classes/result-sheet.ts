import { sql } from 'kysely';
import type { SemesterReportQuery } from '../../../contract/grading/reports.ts';
import { calendarDate } from '../../../domain/age.ts';
import { dayText, UNGRADED_SIGNS } from '../../../domain/documents/figures.ts';
import { plural } from '../../../domain/format-count.ts';
import type { Ungraded } from '../../../domain/grading/degree.ts';
import { toGradeLetter } from '../../../domain/grading/gpa.ts';
import { DEPARTMENTS, STANDING_LABELS, type Standing } from '../../../domain/student.ts';
import { jsonElements } from '../../db/dialect/sql.ts';
import type { Db } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { getInstitution } from '../../institution/institution.ts';
import { type ClassResults, readClass } from '../../reports/class.ts';
import { readRanking, summariseClass } from '../../reports/reports.ts';
import { findStandings } from '../../students/grading/notified-standing.ts';
import { getCourseKey } from '../../students/semester-slots.ts';
import { letterhead } from '../content/content.ts';
import type { ResultSheet, SheetCourse } from '../pdf/landscape/result-sheet-pdf.ts';
import { Pictures } from '../register/make-documents.ts';

/** Columns for courses. The subjects of few students beyond them stand among the remarks. */
const MOST_COURSES = 12;

interface SubjectRow {
  student_id: string;
  title: string;
  course_id: number | null;
  course_code: string | null;
  credits: number | null;
  half_points: number | null;
  /** Why a mark sheet closed it without a grade; null where none did. */
  ungraded: Ungraded | null;
}

async function readSubjects(db: Db, ids: readonly string[], semester: number): Promise<SubjectRow[]> {
  const { rows } = await sql<SubjectRow>`
    select t.student_id, t.title, t.course_id, c.course_code, t.credits, t.half_points, r.status as ungraded
    from ${jsonElements(db, sql`${JSON.stringify(ids)}`)} l
      cross join semester_subjects t
      left join courses c on c.course_id = t.course_id
      left join sheet_results w on w.student_id = t.student_id and w.semester = t.semester and w.slot = t.slot
        and w.course_id = t.course_id and w.half_points is null and t.half_points is null
      left join sheet_rows r on r.sheet_id = w.sheet_id and r.student_id = w.student_id and r.status <> 'graded'
    where t.student_id = l.value and t.semester = ${semester}
    order by t.student_id, t.slot`.execute(db);
  return rows;
}

/** The courses of the class, those of most students first. */
function listCourses(subjects: readonly SubjectRow[]): (SheetCourse & { key: string })[] {
  const courses = new Map<string, SheetCourse & { key: string; students: number }>();
  for (const subject of subjects) {
    const key = getCourseKey(subject);
    const known = courses.get(key);
    if (known !== undefined) known.students += 1;
    else {
      const { title, course_code, credits } = subject;
      courses.set(key, { key, code: course_code ?? title, title, credits, students: 1 });
    }
  }
  return [...courses.values()].sort((a, b) => b.students - a.students).slice(0, MOST_COURSES);
}

function getLetter({ half_points, ungraded }: SubjectRow): string {
  if (half_points === null && ungraded !== null) return UNGRADED_SIGNS[ungraded];
  return toGradeLetter(half_points) ?? '–';
}

interface Notification {
  number: number;
  term: string;
  notified_at: string;
}

/** The notifications of the class for the semester, the first one first. */
function readNotifications(
  db: Db,
  {
    department,
    degree,
    semester,
  }: Required<Pick<SemesterReportQuery, 'department' | 'degree'>> & {
    semester: number;
  },
): Promise<Notification[]> {
  return db
    .selectFrom('result_notifications as n')
    .innerJoin('terms as t', 't.term_id', 'n.term_id')
    .select(['n.number', 't.name as term', 'n.notified_at'])
    .where('n.department', '=', department)
    .where('n.degree', '=', degree)
    .where('n.semester', '=', semester)
    .orderBy('n.number')
    .execute();
}

const aboutText = ({ number, term, notified_at }: Notification) =>
  `${term}, result notification ${number} of ${dayText(notified_at.slice(0, 10))}`;

/** A standing that is worth a remark, as it was notified. */
function standingRemark(standing: Standing | null | undefined): string[] {
  return standing == null || standing === 'good' ? [] : [STANDING_LABELS[standing]];
}

/** How many of the class have passed, failed and are still missing. */
function countsText(students: ClassResults['students']): string {
  const { entered, provisional, complete, passed_all, fails, mean_sgpa, highest_sgpa } =
    summariseClass(students);
  const counted = students.filter(({ leftAs }) => leftAs === null).length;
  const missing = counted - entered - provisional;
  return [
    plural(counted, 'student'),
    ...(missing === 0 ? [] : [`without results ${missing}`]),
    ...(provisional === 0 ? [] : [`provisional ${provisional}`]),
    ...(entered === complete ? [] : [`incomplete ${entered - complete}`]),
    `passed all ${passed_all}`,
    `one F ${fails['1']}`,
    `two F ${fails['2']}`,
    `three or more F ${fails['3+']}`,
    ...(mean_sgpa === null ? [] : [`mean SGPA ${mean_sgpa.toFixed(2)}`]),
    ...(highest_sgpa === null ? [] : [`highest SGPA ${highest_sgpa.toFixed(2)}`]),
  ].join(', ');
}

/**
 * The final results of a class in a semester, as its result sheet shows them.
 *
 * @throws AppError conflict when there are none
 */
export async function readResultSheet(db: Db, asked: SemesterReportQuery): Promise<ResultSheet> {
  const { semester, students } = await readClass(db, asked);
  const entered = students.filter(
    ({ leftAs, results }) => leftAs === null && results !== null && !results.isProvisional,
  );
  if (semester === null || entered.length === 0) {
    throw new AppError('conflict', 'This class has no final results in that semester.');
  }
  const subjects = await readSubjects(
    db,
    entered.map(({ id }) => id),
    semester,
  );
  const ranking = await readRanking(db, { ...asked, semester, by: 'cgpa' });
  const ranks = new Map(ranking.ranked.map(({ id, rank }) => [id, rank]));
  const courses = listCourses(subjects);
  const own = new Map<string, SubjectRow[]>();
  for (const subject of subjects) {
    own.set(subject.student_id, [...(own.get(subject.student_id) ?? []), subject]);
  }
  const institution = letterhead.parse(await getInstitution(db));
  const notified = await readNotifications(db, { ...asked, semester });
  const standings = await findStandings(
    db,
    entered.map(({ id }) => id),
    semester,
  );
  return {
    institution,
    logo: await new Pictures(db).get(institution.logo),
    className: `${DEPARTMENTS[asked.department]}, Batch ${asked.degree}${asked.syn === undefined ? '' : `, syndicate ${asked.syn}`}`,
    semester,
    about: notified.map(aboutText),
    counts: countsText(students),
    printedOn: calendarDate(new Date()),
    courses: courses.map(({ code, title, credits }) => ({ code, title, credits })),
    students: entered.flatMap(({ id, first_name, last_name, results }) => {
      if (results === null) return [];
      const taken = own.get(id) ?? [];
      const failed = taken.filter(({ half_points }) => half_points === 0);
      const others = taken.filter((subject) => !courses.some(({ key }) => key === getCourseKey(subject)));
      return {
        id,
        name: `${first_name} ${last_name}`,
        letters: courses.map(({ key }) =>
          taken
            .filter((subject) => getCourseKey(subject) === key)
            .map(getLetter)
            .join(', '),
        ),
        sgpa: results.sgpa,
        is_incomplete: taken.some(({ ungraded }) => ungraded === 'incomplete'),
        cgpa: results.firstProvisional === null ? results.cgpa : null,
        rank: ranks.get(id) ?? null,
        remarks: [
          ...(results.firstProvisional === null
            ? []
            : [`Semester ${results.firstProvisional} is provisional`]),
          ...others.map((subject) => `${subject.course_code ?? subject.title}: ${getLetter(subject)}`),
          ...(failed.length === 0
            ? []
            : [`Failed: ${failed.map(({ course_code, title }) => course_code ?? title).join(', ')}`]),
          ...standingRemark(standings.get(id)?.standing),
        ].join('; '),
      };
    }),
  };
}
