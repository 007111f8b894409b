import { sql } from 'kysely';
import { gradePoints } from '../../../domain/grading/gpa.ts';
import { DEPARTMENT_CODES, type Department } from '../../../domain/student.ts';
import type { Db } from '../../db/schema.ts';
import { groupBy } from '../../group-by.ts';
import { CATALOGUE, plannedElectives, type SeedCourse } from '../catalogue.ts';
import { currentSemesterOf } from '../registration.ts';

/** A class of the sample faculty that is studying. */
export interface SampleClass {
  department: Department;
  degree: string;
  /** The semester of the class in the running term. */
  semester: number;
  /** Results of its students that have been recorded, in semesters. */
  recorded: number;
  /** Active students who are neither behind nor ahead of the others, by ID. */
  ids: string[];
}

/** Students of a class who are put on a sheet. */
const MAX_STUDENTS = 60;

/** Finds classes: first those with most semesters still to be recorded, then the largest. */
export async function findClasses(db: Db): Promise<SampleClass[]> {
  const { rows } = await sql<{ id: string; department: Department; degree: string; recorded: number }>`
    select id, department, degree, count(a.student_id) as recorded
    from students s left join semesters a on a.student_id = s.id
    where status = 'active' and exists (select 1 from families f where f.student_id = s.id)
    group by id, department, degree, current_sem
    order by length(id), id`.execute(db);
  const byClass = groupBy(rows, ({ department, degree }) => `${department} ${degree}`);
  return [...byClass.values()]
    .flatMap((students): SampleClass[] => {
      const [first] = students;
      if (first === undefined) return [];
      const { department, degree } = first;
      const recorded = mostFrequent(students.map((student) => Number(student.recorded)));
      const ids = students.filter((student) => Number(student.recorded) === recorded).map(({ id }) => id);
      const semester = currentSemesterOf(degree);
      return semester > recorded
        ? [{ department, degree, semester, recorded, ids: ids.slice(0, MAX_STUDENTS) }]
        : [];
    })
    .sort(
      (a, b) =>
        b.semester - b.recorded - (a.semester - a.recorded) ||
        b.semester - a.semester ||
        b.ids.length - a.ids.length ||
        DEPARTMENT_CODES.indexOf(a.department) - DEPARTMENT_CODES.indexOf(b.department),
    );
}

function mostFrequent(values: readonly number[]): number {
  const groups = [...groupBy(values, (value) => value).values()];
  return groups.reduce((a, b) => (b.length > a.length ? b : a), [])[0] ?? 0;
}

/** The courses of a semester of a department, electives included. */
export function getCourses(department: Department, semester: number): SeedCourse[] {
  const required = CATALOGUE.filter(
    (course) => course.semester === semester && course.departments.includes(department),
  );
  return [...required, ...plannedElectives(semester, required)];
}

/** Courses that some of these students have taken once, before this semester, with a grade below C: those with most students first. */
export async function findWeak(
  db: Db,
  ids: readonly string[],
  before: number,
): Promise<{ course: SeedCourse; ids: string[] }[]> {
  const rows = await db
    .selectFrom('semester_subjects')
    .select(['student_id', 'course_id'])
    .where('student_id', 'in', ids)
    .where('course_id', 'is not', null)
    .groupBy(['student_id', 'course_id'])
    .having((eb) =>
      eb.and([
        eb(eb.fn.countAll(), '=', 1),
        eb(eb.fn.max('semester'), '<', before),
        eb(eb.fn.max('half_points'), '<', 2 * gradePoints('C')),
      ]),
    )
    .orderBy('student_id')
    .execute();
  const byCourse = groupBy(rows, ({ course_id }) => course_id);
  return CATALOGUE.flatMap((course) => {
    const found = byCourse.get(course.id) ?? [];
    return found.length > 0 ? [{ course, ids: found.map(({ student_id }) => student_id) }] : [];
  }).sort((a, b) => b.ids.length - a.ids.length);
}
