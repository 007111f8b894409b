import { type Expression, sql } from 'kysely';
import type { StudentListed } from '../../contract/student-list.ts';
import { SCHOOL_MARKS_TOTAL } from '../../domain/student.ts';
import { compileShapes } from '../db/compile-once.ts';
import { jsonBoolean, jsonFraction, jsonObject, jsonRows, listed } from '../db/dialect.ts';
import type { Db } from '../db/schema.ts';

const schoolMarks = (db: Db, column: string) => jsonFraction(db, sql.ref(column), SCHOOL_MARKS_TOTAL * 100);

/** What a row of the list shows; the compiler holds it to the reply. */
const columns = (db: Db): Record<keyof StudentListed, Expression<unknown>> => ({
  id: sql.ref('s.id'),
  first_name: sql.ref('s.first_name'),
  last_name: sql.ref('s.last_name'),
  dob: sql.ref('s.dob'),
  department: sql.ref('s.department'),
  degree: sql.ref('s.degree'),
  syn: sql.ref('s.syn'),
  gender: sql.ref('s.gender'),
  current_sem: sql.ref('s.current_sem'),
  fsc_marks: schoolMarks(db, 's.fsc_marks'),
  matric_marks: schoolMarks(db, 's.matric_marks'),
  phone_number: sql.ref('s.phone_number'),
  cgpa: sql`case when s.cgpa >= 0 then ${jsonFraction(db, sql.ref('s.cgpa'), 100)} end`,
  is_complete: jsonBoolean(db, sql`s.is_complete = 1`),
  father_name: sql.ref('f.father_name'),
  father_phone: sql.ref('f.father_phone'),
});

/** The rows of some students in the order of their ids as given, as one JSON array: two look-ups by primary key each. */
export async function listedStudents(db: Db, ids: readonly string[]): Promise<string> {
  if (ids.length === 0) return '[]';
  const [row] = await rowsQuery(db, null, { ids: JSON.stringify(ids) });
  return row?.students ?? '[]';
}

const rowsQuery = compileShapes<{ students: string }, null>(
  (db, _shape, value) => sql`
    select ${jsonRows(db, jsonObject(db, columns(db)), sql.ref('l.place'))} as students
    from ${listed(db, value('ids'))} l
      cross join students s
      left join families f on f.student_id = s.id
    where s.id = l.value`,
);
