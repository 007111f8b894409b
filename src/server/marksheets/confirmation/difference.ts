import { type Difference, differenceReply } from '../../../contract/marksheets/confirmation.ts';
import { type SemesterFigures, standingAfterEach } from '../../../domain/grading/standing.ts';
import type { CourseGroups } from '../../../domain/schemes/equivalents.ts';
import { inIdOrder } from '../../../domain/search-text.ts';
import type { Db } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { loadPolicies } from '../../students/grading/policies.ts';
import { computeAverages, isFail, isGraded, type Subject } from '../../students/semester-slots.ts';
import { loadResults, type StudentResults } from '../../students/semesters/load-results.ts';
import { getLetter, isChanged } from '../present-rows.ts';
import {
  type Grading,
  getStudentId,
  requireSheet,
  type SheetColumns,
  type SheetRowColumns,
} from '../sheet.ts';
import { type ConfirmationPlan, planConfirmation, withSlot } from './preview.ts';

const shownTotal = ({ total }: Pick<SheetRowColumns, 'total'>) => (total === null ? null : total / 100);

/** The changes that a rectification makes, or has made. */
export async function readDifference(db: Db, sheetId: number): Promise<Difference> {
  const sheet = await requireSheet(db, sheetId);
  if (sheet.rectifies === null) throw new AppError('not-found', 'This mark sheet rectifies no other one.');
  if (sheet.difference !== null)
    return inIdOrder(differenceReply.parse(JSON.parse(sheet.difference)), getStudentId);
  return compareResults(db, sheet, await planConfirmation(db, sheet));
}

/** The rows of a rectification whose total or letter differs from the sheet that it rectifies, before it is confirmed. */
export async function compareResults(
  db: Db,
  sheet: SheetColumns,
  { due, planned, grading }: ConfirmationPlan,
): Promise<Difference> {
  const writes = new Map(planned.map((one) => [one.row.student_id, one]));
  // A row that was left changes nothing until it is recorded, even if its marks are as they were.
  const changed = due.filter((row) => isChanged(row) || writes.has(row.student_id));
  const results = await loadResults(
    { db, lock: (query) => query },
    changed.map(({ student_id }) => student_id),
  );
  const policies = await loadPolicies(db);
  return changed.map((row) => {
    const old = row.earlier;
    const own = results.get(row.student_id);
    const planOfRow = writes.get(row.student_id);
    const semester = row.semester ?? sheet.semester;
    const { rules, groups } = policies.of(own?.student.degree ?? sheet.degree);
    const policy = { rules: own === undefined ? grading.rules : rules, groups };
    const recorded = own?.recorded.map(({ subjects }) => subjects) ?? [];
    const [was, is] = [
      recorded,
      own === undefined || planOfRow === undefined ? recorded : withSlot(own, planOfRow),
    ].map((semesters) => computeFigures(semesters, own, policy));
    const index = semester - 1;
    return {
      student_id: row.student_id,
      first_name: row.first_name ?? '',
      last_name: row.last_name ?? '',
      total_before: old === undefined ? null : shownTotal(old),
      total_after: shownTotal(row),
      letter_before: old === undefined ? null : getLetter(old, grading),
      letter_after: getLetter(row, grading),
      sgpa_before: was?.[index]?.sgpa ?? null,
      sgpa_after: is?.[index]?.sgpa ?? null,
      cgpa_before: was?.[index]?.cgpa ?? null,
      cgpa_after: is?.[index]?.cgpa ?? null,
      standing_before: was?.[index]?.standing ?? null,
      standing_after: is?.[index]?.standing ?? null,
      later: (is ?? []).slice(semester).flatMap(({ cgpa }, i) => {
        const cgpaBefore = was?.[semester + i]?.cgpa ?? null;
        if (cgpaBefore === cgpa) return [];
        return { semester: semester + i + 1, cgpa_before: cgpaBefore, cgpa_after: cgpa };
      }),
    };
  });
}

/** Averages and standing after each semester, as printed. */
function computeFigures(
  semesters: readonly (readonly Subject[])[],
  own: StudentResults | undefined,
  policy: { rules: Grading['rules']; groups: CourseGroups },
) {
  const { rules } = policy;
  const averages = computeAverages(semesters, policy);
  const figures = semesters.map(
    (subjects, i): SemesterFigures => ({
      semester: i + 1,
      sgpa: (averages[i]?.sgpa ?? 0) / 100,
      cgpa: (averages[i]?.cgpa ?? 0) / 100,
      fails: subjects.filter(isFail).length,
      isGraded: subjects.some(isGraded),
      isProvisional: own?.recorded[i]?.row.is_provisional === 1,
    }),
  );
  const standings = standingAfterEach(figures, rules);
  return figures.map((one, i) => ({ ...one, standing: standings[i]?.standing ?? null }));
}
