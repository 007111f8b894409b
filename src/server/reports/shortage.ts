import type { Shortage, ShortageQuery } from '../../contract/marksheets/attendance.ts';
import { neededToAttend } from '../../domain/marksheets/attendance.ts';
import { inIdOrder } from '../../domain/search-text.ts';
import { withPauses } from '../chunks.ts';
import type { Db } from '../db/schema.ts';
import { presentAttendance } from '../marksheets/attendance/stored-attendance.ts';
import { getPolicy } from '../marksheets/sheet.ts';
import { loadPolicies } from '../students/grading/policies.ts';

/** The rows of the mark sheets of a term that are short of attendance, or were condoned; each by the policy of its sheet. */
export async function readShortage(
  db: Db,
  { term_id, department, degree, syn }: ShortageQuery,
): Promise<Shortage> {
  const found = await db
    .selectFrom('sheets')
    .innerJoin('sheet_rows', 'sheet_rows.sheet_id', 'sheets.sheet_id')
    .leftJoin('students', 'students.id', 'sheet_rows.student_id')
    .select(['sheets.sheet_id', 'sheets.course_code', 'sheets.title', 'sheets.policy_id', 'sheets.degree'])
    .select(['student_id', 'first_name', 'last_name', 'students.syn', 'sheet_rows.status', 'attendance'])
    .where('term_id', '=', term_id)
    // Its rows are those of the sheet that it rectifies.
    .where('rectifies', 'is', null)
    .where('attendance', 'is not', null)
    .$if(department !== undefined, (query) => query.where('sheets.department', '=', department ?? 'CE'))
    .$if(degree !== undefined, (query) => query.where('sheets.degree', '=', degree ?? ''))
    .$if(syn !== undefined, (query) => query.where('students.syn', '=', syn ?? 'A'))
    .orderBy('sheets.sheet_id')
    .execute();
  const policies = await loadPolicies(db);
  const shortage: Shortage = [];
  for await (const row of withPauses(inIdOrder(found, ({ student_id }) => student_id))) {
    const { rules } = getPolicy(policies, row);
    const attendance = presentAttendance(row, rules);
    if (attendance === null || !(attendance.short || attendance.condoned !== null)) continue;
    const { theory, lab, percent, short, condoned } = attendance;
    shortage.push({
      student_id: row.student_id,
      first_name: row.first_name ?? '',
      last_name: row.last_name ?? '',
      syn: row.syn,
      sheet_id: row.sheet_id,
      course_code: row.course_code,
      title: row.title,
      status: row.status,
      ...{ theory, lab, percent },
      needed: { theory: neededToAttend(theory, rules), lab: neededToAttend(lab, rules) },
      ...{ short, condoned },
    });
  }
  return shortage;
}
