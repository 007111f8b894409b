import type { StudentTerms } from '../../../contract/marksheets/registrations.ts';
import type { Db } from '../../db/schema.ts';
import { groupBy } from '../../group-by.ts';
import { noSuchStudent } from '../../students/former-ids.ts';
import { findStudent } from '../../students/queries.ts';
import { loadTeachers } from '../teachers/teachers.ts';
import { StudentChecks } from './check-students.ts';
import { checkRow, listedRows } from './list-registrations.ts';

/** The courses of a student by term, the newest first. */
export async function readStudentTerms(db: Db, id: string): Promise<StudentTerms> {
  if ((await findStudent(db, id)) === undefined) throw noSuchStudent();
  const rows = await listedRows(db, { student_id: id }).execute();
  const byTerm = groupBy(rows, ({ term_id }) => term_id);
  const teachers = await loadTeachers(
    db,
    rows.map(({ sheet_id }) => sheet_id),
  );
  const terms = await db
    .selectFrom('terms')
    .selectAll()
    .where('term_id', 'in', [0, ...byTerm.keys()])
    .orderBy('starts_on', 'desc')
    .orderBy('term_id', 'desc')
    .execute();
  const shown: StudentTerms = [];
  for (const term of terms) {
    const checks = await StudentChecks.load(db, term, [id]);
    const own = (byTerm.get(term.term_id) ?? []).toSorted(
      (a, b) => a.course_code.localeCompare(b.course_code, 'en') || a.sheet_id - b.sheet_id,
    );
    shown.push({
      term_id: term.term_id,
      name: term.name,
      credits: checks.credits(id),
      limit: checks.limit(id),
      courses: own.map((row) => ({
        sheet_id: row.sheet_id,
        course_code: row.course_code,
        title: row.title,
        credits: row.credits,
        class: `${row.department}-${row.degree}`,
        semester: row.semester ?? row.class_semester,
        status: row.status,
        ...checkRow(checks, row),
        reason: row.reason,
        teachers: teachers.get(row.sheet_id) ?? [],
      })),
    });
  }
  return shown;
}
