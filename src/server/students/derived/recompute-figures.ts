import { sql } from 'kysely';
import { locked } from '../../db/dialect/locks.ts';
import { jsonElements } from '../../db/dialect/sql.ts';
import type { Tx } from '../../db/schema.ts';
import { type AppliedPolicy, loadPolicies } from '../grading/policies.ts';
import { toNotifiedColumns } from '../grading/standing-facts.ts';
import { type ResultParts, resultColumns, semesterTuples, subjectTuples } from '../queries.ts';
import { countGrades } from '../semester-slots.ts';
import { applyAverages, type SemesterAverages, updateAverages } from './averages.ts';
import { COHORT, type Cohort, CohortCounts } from './cohort-counts.ts';
import { deriveFigures, FIGURES, type Figures, type StudentRow } from './derived-columns.ts';
import { storeColumns } from './store-columns.ts';

/** A student with the figures as they are stored. */
type StoredFigures = Pick<StudentRow, 'id' | keyof Cohort | keyof Figures>;
type StudentResults = ResultParts & StoredFigures;

/**
 * Computes averages, standing and the other figures of students by the policies of their batches, and stores those that
 * change. All semesters of a student change together. The records stay, so the search terms stay as well.
 *
 * @param counts given by a caller that changes many students in batches and stores the sums after the last one
 */
export async function recomputeFigures(tx: Tx, ids: readonly string[], counts?: CohortCounts): Promise<void> {
  // Locked before the results are read, so that none of them can change in between.
  await locked(tx, tx.selectFrom('students').select('id').where('id', 'in', ids).orderBy('id')).execute();
  const students = await loadResults(tx, ids);
  const policies = await loadPolicies(tx);
  const sums = counts ?? new CohortCounts();
  const averages: (SemesterAverages & { student_id: string })[] = [];
  const figures: { before: StudentResults; after: StudentResults }[] = [];
  for (const student of students) {
    const computed = computeResults(student, policies.of(student.degree));
    averages.push(...computed.changed.map((semester) => ({ student_id: student.id, ...semester })));
    figures.push({ before: student, after: { ...student, ...computed.figures } });
  }
  if (averages.length > 0) await updateAverages(tx, averages);
  await storeFigures(tx, figures, sums);
  if (counts === undefined) await sums.store(tx);
}

/** The figures by which students are counted. */
const COUNTED = ['cgpa', 'final_cgpa', 'standing', 'is_complete'] as const;

/** Stores the figures of students that change, and counts these students again. */
export async function storeFigures(
  tx: Tx,
  students: readonly { before: StoredFigures; after: StoredFigures }[],
  counts: CohortCounts,
): Promise<void> {
  for (const { before, after } of students) {
    if (COUNTED.every((name) => before[name] === after[name])) continue;
    counts.add(before, -1);
    counts.add(after, 1);
  }
  await storeColumns(tx, students);
}

async function loadResults(tx: Tx, ids: readonly string[]): Promise<StudentResults[]> {
  const columns = [
    'id',
    ...Object.keys(COHORT),
    ...FIGURES.filter((name) => name !== 'policy_id' && name !== 'standing'),
  ];
  const { rows } = await sql<StudentResults>`
    select ${sql.join(columns.map((name) => sql.ref(`s.${name}`)))}, ${resultColumns(tx)}
    from ${jsonElements(tx, sql`${JSON.stringify(ids)}`)} l cross join students s
    where s.id = l.value`.execute(tx);
  return rows;
}

/** The averages that a policy changes, and the figures that follow. */
function computeResults(student: StudentResults, { rules, policy_id }: AppliedPolicy) {
  const subjects = subjectTuples(student).map(([semester, slot, , course_id, credits, half_points]) => ({
    ...{ semester, slot, course_id, credits, half_points },
  }));
  const stored = semesterTuples(student).map(([, semester, sgpa, cgpa, , is_provisional, , ...notified]) => {
    const own = subjects.filter((subject) => subject.semester === semester);
    return {
      ...{ semester, sgpa, cgpa, is_provisional, own, ...countGrades(own) },
      ...toNotifiedColumns(notified),
    };
  });
  const { semesters, changed } = applyAverages(
    stored,
    stored.map(({ own }) => own),
    rules.repeat_policy,
  );
  return { changed, figures: deriveFigures(student.current_sem, semesters, { rules, policy_id }) };
}
