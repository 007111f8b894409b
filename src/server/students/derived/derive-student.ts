import { finalCgpa, latestCgpa } from '../../../domain/grading/gpa.ts';
import { answerStandings, latestStanding } from '../../../domain/grading/standing.ts';
import { hasOneWriter, locked } from '../../db/dialect/locks.ts';
import { preparedUpdate } from '../../db/prepared-query.ts';
import type { Tx } from '../../db/schema.ts';
import { type BatchPolicy, loadPolicies, type Policies } from '../grading/policies.ts';
import { type SemesterFacts, toFigures } from '../grading/standing-facts.ts';
import { computeAverages, countGrades, type FigureRules } from '../semester-slots.ts';
import { CohortCounts, type CountedStudent, isCountedAlike } from './cohort-counts.ts';
import type { Figures, StudentRow } from './derived-columns.ts';
import { type StoredColumns, storeColumns } from './store-columns.ts';
import { type GradedSemester, loadFacts, type StudentFacts } from './student-facts.ts';

/** Everything that the figures of a student follow from, besides the policy. */
interface Results<Semester> extends Pick<StudentFacts, 'hasFamily'> {
  row: Pick<StudentRow, 'current_sem' | 'status'>;
  /** The semesters in order, from the first on. */
  semesters: readonly Semester[];
}

/**
 * Derives everything that follows from the results of a student, the status and the policy: the averages of the semesters and
 * the figures of the student. The only place that says so.
 *
 * @param keepsAverages the averages given are those of the results by the same repeat policy and equivalents
 * @returns the semesters with their averages; those whose averages stay are the same objects
 */
export function deriveStudent<Semester extends GradedSemester>(
  { row: { current_sem, status }, hasFamily, semesters }: Results<Semester>,
  policy: BatchPolicy,
  { keepsAverages = false } = {},
): { semesters: readonly Semester[]; figures: Figures } {
  const averaged = keepsAverages ? semesters : withAverages(semesters, policy);
  const facts = averaged.map(toSemesterFacts);
  const recorded = facts.map(({ cgpa, graded }) => ({ cgpa, isGraded: graded > 0 }));
  const shown = latestCgpa(recorded, current_sem);
  const [before, latest] = facts.filter(({ graded }) => graded > 0).slice(-2);
  const figures = {
    cgpa: shown?.cgpa ?? -1,
    cgpa_semester: shown?.semester ?? 0,
    final_cgpa: finalCgpa(recorded, current_sem) ?? -1,
    fall: before === undefined || latest === undefined ? 0 : Math.max(0, before.sgpa - latest.sgpa),
    // The results of the current semester are not due yet.
    is_complete: hasFamily && semesters.length >= current_sem - 1 ? 1 : 0,
    is_active: status === 'active' ? 1 : 0,
    policy_id: policy.policy_id,
    standing: latestStanding(answerStandings(facts.map(toFigures), policy)).standing ?? '',
  } as const;
  return { semesters: averaged, figures };
}

/** The semesters with their averages by a policy. Those whose averages stay are the same objects. */
export function withAverages<Semester extends GradedSemester>(
  semesters: readonly Semester[],
  policy: FigureRules,
): Semester[] {
  const averages = computeAverages(
    semesters.map(({ subjects }) => subjects),
    policy,
  );
  return semesters.map((semester, i) => {
    const { row } = semester;
    const { sgpa, cgpa } = averages[i] ?? row;
    return sgpa === row.sgpa && cgpa === row.cgpa ? semester : { ...semester, row: { ...row, sgpa, cgpa } };
  });
}

/** A semester as the rules of the standing read it. */
export const toSemesterFacts = ({ row, subjects }: GradedSemester): SemesterFacts => ({
  ...row,
  ...countGrades(subjects),
});

/** Columns of a student with figures: those that may have changed, and those by which students are counted. */
type FiguredRow = StoredColumns & CountedStudent;

/** A student whose figures are stored. */
export interface DerivedStudent {
  /** The row that the counts contain; undefined for none. */
  counted: FiguredRow | undefined;
  /** The row as it is stored now, with the same columns as `after`. */
  stored: FiguredRow;
  /** The row as it will be stored. */
  after: FiguredRow;
  /** Semesters whose averages change; none where the caller stores them. */
  averages: readonly GradedSemester[];
}

/** {@link deriveStudent} of facts that have been read. The averages are kept as `keepsAverages` says. */
export function deriveStored(
  { row, hasFamily, semesters }: StudentFacts,
  policies: Policies,
  options: { keepsAverages?: boolean } = {},
): Pick<DerivedStudent, 'averages'> & { stored: StudentRow; figures: Figures } {
  const derived = deriveStudent({ row, hasFamily, semesters }, policies.of(row.degree), options);
  return {
    stored: row,
    figures: derived.figures,
    averages: derived.semesters.filter((semester, i) => semester !== semesters[i]),
  };
}

/**
 * {@link deriveStudent} of facts that have been read, whose averages have been computed. Only the columns that can change, and those
 * by which students are counted: copies of whole rows would take most of the time.
 */
export function deriveAveraged(
  { row, hasFamily, semesters }: StudentFacts,
  averaged: readonly GradedSemester[],
  policy: BatchPolicy,
): DerivedStudent {
  const { figures } = deriveStudent({ row, hasFamily, semesters: averaged }, policy, { keepsAverages: true });
  const { id, department, degree, syn, current_sem, gender, status } = row;
  const kept = { id, department, degree, syn, current_sem, gender, status };
  const { cgpa, cgpa_semester, final_cgpa, fall, is_complete, is_active, policy_id, standing } = row;
  const before = { cgpa, cgpa_semester, final_cgpa, fall, is_complete, is_active, policy_id, standing };
  const stored = { ...kept, ...before };
  const averages = averaged.filter((semester, i) => semester !== semesters[i]);
  return { counted: stored, stored, after: { ...kept, ...figures }, averages };
}

/** Stores averages and columns of students as far as they differ, and counts these students again. */
export async function storeDerived(
  tx: Tx,
  students: readonly DerivedStudent[],
  counts: CohortCounts,
): Promise<void> {
  const averages = students.flatMap(({ stored: { id: student_id }, averages }) =>
    averages.map(({ row: { semester, sgpa, cgpa } }) => ({ student_id, semester, sgpa, cgpa })),
  );
  if (averages.length > 0) await updateAverages(tx, averages);
  for (const { counted, after } of students) {
    if (counted !== undefined && isCountedAlike(counted, after)) continue;
    if (counted !== undefined) counts.add(counted, -1);
    counts.add(after, 1);
  }
  await storeColumns(
    tx,
    students.map(({ stored, after }) => ({ before: stored, after })),
  );
}

const updateAverages = preparedUpdate(
  'semesters',
  { student_id: 'text', semester: 'integer' },
  { sgpa: 'integer', cgpa: 'integer' },
);

/** The facts of students, who are locked before their results are read, so that none of them can change in between. */
export async function lockFacts(tx: Tx, ids: readonly string[]): Promise<StudentFacts[]> {
  if (!hasOneWriter(tx))
    await locked(tx, tx.selectFrom('students').select('id').where('id', 'in', ids).orderBy('id')).execute();
  return loadFacts(tx, ids);
}

/**
 * Derives averages, standing and the other figures of students by the policies of their batches, and stores those that
 * change. All semesters of a student change together. The records stay, so the search terms stay as well.
 *
 * @param counts given by a caller that changes many students in batches and stores the sums after the last one
 */
export async function recomputeFigures(tx: Tx, ids: readonly string[], counts?: CohortCounts): Promise<void> {
  const students = await lockFacts(tx, ids);
  const policies = await loadPolicies(tx);
  const sums = counts ?? new CohortCounts();
  const derived = students.map((facts) => {
    const { stored, averages, figures } = deriveStored(facts, policies);
    return { counted: stored, stored, after: { ...stored, ...figures }, averages };
  });
  await storeDerived(tx, derived, sums);
  if (counts === undefined) await sums.store(tx);
}
