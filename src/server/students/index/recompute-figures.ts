import { sql } from 'kysely';
import { locked } from '../../db/dialect/locks.ts';
import { jsonElements, jsonToRows } from '../../db/dialect/sql.ts';
import type { Tx } from '../../db/schema.ts';
import { type AppliedPolicy, loadPolicies } from '../grading/policies.ts';
import { type ResultParts, resultColumns, semesterTuples, subjectTuples } from '../queries.ts';
import { computeAverages, isFail, isGraded } from '../semesters/semester-slots.ts';
import { COHORT, CohortCounts } from './cohort-counts.ts';
import { deriveFigures, FIGURES, type Figures, type StudentRow } from './derived-columns.ts';

/** The results of a student, with the figures as they are stored. */
type StudentResults = ResultParts & Pick<StudentRow, 'id' | (typeof COHORT)[number] | keyof Figures>;

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
  const averages: Average[] = [];
  const changed: (Figures & { id: string })[] = [];
  const unchanged = new Map<number, string[]>();
  for (const student of students) {
    const { id } = student;
    const policy = policies.of(student.degree);
    const computed = computeResults(student, policy);
    averages.push(...computed.changed);
    if (hasFigures(student, { ...computed.figures, policy_id: student.policy_id })) {
      if (student.policy_id === policy.policy_id) continue;
      const others = unchanged.get(policy.policy_id) ?? [];
      unchanged.set(policy.policy_id, [...others, id]);
      continue;
    }
    sums.add(student, -1);
    sums.add({ ...student, ...computed.figures }, 1);
    changed.push({ id, ...computed.figures });
  }
  await storeAverages(tx, averages);
  await storeFigures(tx, changed);
  for (const [policy_id, others] of unchanged) {
    // Written to no index.
    await tx.updateTable('students').set({ policy_id }).where('id', 'in', others).execute();
  }
  if (counts === undefined) await sums.store(tx);
}

async function loadResults(tx: Tx, ids: readonly string[]): Promise<StudentResults[]> {
  const columns = ['id', ...COHORT, ...FIGURES.filter((name) => name !== 'policy_id' && name !== 'standing')];
  const { rows } = await sql<StudentResults>`
    select ${sql.join(columns.map((name) => sql.ref(`s.${name}`)))}, ${resultColumns(tx)}
    from ${jsonElements(tx, sql`${JSON.stringify(ids)}`)} l cross join students s
    where s.id = l.value`.execute(tx);
  return rows;
}

/** The averages of a stored semester in hundredths. */
interface Average {
  academic_id: number;
  sgpa: number;
  cgpa: number;
}

/** The averages that a policy changes, and the figures that follow. */
function computeResults(student: StudentResults, policy: AppliedPolicy) {
  const subjects = subjectTuples(student);
  const recorded = semesterTuples(student).map(([academic_id, semester, sgpa, cgpa, , is_provisional]) => ({
    before: { academic_id, sgpa, cgpa },
    ...{ semester, is_provisional },
    subjects: subjects
      .filter(([ofSemester]) => ofSemester === semester)
      .map(([, slot, , course_id, credits, half_points]) => ({ slot, course_id, credits, half_points })),
  }));
  const averages = computeAverages(
    recorded.map((one) => one.subjects),
    policy.rules.repeat_policy,
  );
  const changed: Average[] = [];
  const semesters = recorded.map(({ before, semester, is_provisional, subjects: own }, i) => {
    const after = { ...before, ...averages[i] };
    if (after.sgpa !== before.sgpa || after.cgpa !== before.cgpa) changed.push(after);
    const graded = own.filter(isGraded).length;
    const fails = own.filter(isFail).length;
    return { semester, sgpa: after.sgpa, cgpa: after.cgpa, graded, fails, is_provisional };
  });
  return { changed, figures: deriveFigures(student.current_sem, semesters, policy) };
}

const hasFigures = (student: Figures, figures: Figures) =>
  FIGURES.every((name) => student[name] === figures[name]);

async function storeAverages(tx: Tx, averages: readonly Average[]): Promise<void> {
  if (averages.length === 0) return;
  const rows = jsonToRows(tx, averages, { academic_id: 'integer', sgpa: 'integer', cgpa: 'integer' });
  await sql`update semesters set sgpa = l.sgpa, cgpa = l.cgpa from ${rows} l
    where semesters.academic_id = l.academic_id`.execute(tx);
}

async function storeFigures(tx: Tx, students: readonly (Figures & { id: string })[]): Promise<void> {
  if (students.length === 0) return;
  const rows = jsonToRows(tx, students, {
    id: 'text',
    cgpa: 'integer',
    cgpa_semester: 'integer',
    final_cgpa: 'integer',
    fall: 'integer',
    policy_id: 'integer',
    standing: 'text',
  });
  const assignments = FIGURES.map((name) => sql`${sql.ref(name)} = ${sql.ref(`l.${name}`)}`);
  await sql`update students set ${sql.join(assignments)} from ${rows} l where students.id = l.id`.execute(tx);
}
