import type { DeansList, SemesterReportQuery } from '../../contract/grading/reports.ts';
import { isBelow } from '../../domain/grading/policy.ts';
import type { Db } from '../db/schema.ts';
import { loadPolicies } from '../students/grading/policies.ts';
import { readClass } from './class.ts';
import { isEntered, isFinal, shown } from './reports.ts';

/** Reads the dean's list, and which condition the others don't fulfil. */
export async function readDeansList(db: Db, asked: SemesterReportQuery): Promise<DeansList> {
  const { deans_list_sgpa: least } = (await loadPolicies(db)).of(asked.degree).rules;
  const { semester, students } = await readClass(db, asked);
  const final = students.filter(isEntered).filter(isFinal);
  const checked = final.map((one) => {
    const { sgpa, subjects, ungraded, uncredited, fails } = one.results;
    const conditions = {
      has_sgpa: !isBelow(sgpa, least),
      is_complete: subjects > 0 && ungraded === 0 && uncredited === 0,
      has_no_fails: fails === 0,
    };
    return { ...shown(one), sgpa, is_listed: Object.values(conditions).every(Boolean), ...conditions };
  });
  return {
    semester,
    listed: checked.filter(({ is_listed }) => is_listed).length,
    students: checked.toSorted((a, b) => b.sgpa - a.sgpa),
    least_sgpa: least,
  };
}
