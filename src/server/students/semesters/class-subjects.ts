import { sql } from 'kysely';
import type { ClassSubjects } from '../../../contract/students/academics.ts';
import { foldText } from '../../../domain/search-text.ts';
import { SEMESTER_COUNT, SUBJECT_COUNT } from '../../../domain/student.ts';
import { indexHint } from '../../db/dialect/sql.ts';
import type { Db } from '../../db/schema.ts';
import type { StudentRow } from '../derived/derived-columns.ts';

/** Students of the class that are read, of each current semester. A class has a few dozen. */
const MOST_CLASSMATES = 100;
/** Different subjects that are read, before spellings of one subject are merged. */
const MOST_SPELLINGS = 50;

interface SubjectCount {
  title: string;
  course_id: number | null;
  credits: number | null;
  students: number;
}

/**
 * Finds the subjects of others of the student's class in a semester, the most frequent first.
 *
 * The cost has a fixed bound at any number of students: each current semester is one range of the index on classes, of which
 * at most {@link MOST_CLASSMATES} entries are read, and the results of each classmate are a range of a primary key. Complete
 * entries come first, since they have results.
 */
export async function findClassSubjects(
  db: Db,
  student: Pick<StudentRow, 'id' | 'department' | 'degree' | 'syn'>,
  semester: number,
): Promise<ClassSubjects> {
  // No student has results of a semester after the current one.
  const currentSemesters = Array.from({ length: SEMESTER_COUNT - semester + 1 }, (_, i) => semester + i);
  const members = sql.join(
    currentSemesters.map(
      (current) => sql`
        select id from (
          select id from students ${indexHint(db, 'students_by_cohort')}
          where current_sem = ${current} and department = ${student.department}
            and degree = ${student.degree} and syn = ${student.syn}
          order by is_complete desc, cgpa desc, id desc limit ${MOST_CLASSMATES}
        ) as members_${sql.raw(String(current))}`,
    ),
    sql` union all `,
  );
  const classmates = sql`
    select s.student_id from (${members}) as m
    join semesters s on s.student_id = m.id and s.semester = ${semester} and s.is_elsewhere = 0
    where m.id <> ${student.id}`;
  const { rows } = await sql<SubjectCount & { classmates: number }>`
    with classmates as (${classmates})
    select t.title, t.course_id, t.credits, count(*) as students,
      (select count(*) from classmates) as classmates
    from classmates c
    join semester_subjects t on t.student_id = c.student_id and t.semester = ${semester}
    group by t.title, t.course_id, t.credits
    order by count(*) desc, min(t.slot), t.title
    limit ${MOST_SPELLINGS}`.execute(db);
  return {
    classmates: Number(rows[0]?.classmates ?? 0),
    subjects: mergeSpellings(rows)
      .slice(0, SUBJECT_COUNT)
      .map(({ title, course_id, credits, students }) => ({
        title,
        course_id: course_id === null ? null : Number(course_id),
        credits,
        students: Number(students),
      })),
  };
}

/** Keeps the most frequent one of those that name the same course, or have the same title apart from case and accents. */
function mergeSpellings<Counted extends SubjectCount>(subjects: readonly Counted[]): Counted[] {
  const seen = new Set<string>();
  return subjects.filter(({ title, course_id }) => {
    const keys = [foldText(title).trim(), ...(course_id === null ? [] : [`#${course_id}`])];
    const isNew = keys.every((key) => !seen.has(key));
    for (const key of keys) seen.add(key);
    return isNew;
  });
}
