import type { Academic } from '../../../contract/students/academics.ts';
import type { Tx } from '../../db/schema.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { AuthorWithRole } from '../../http/transact-as.ts';
import { CohortCounts } from '../derived/cohort-counts.ts';
import { ResultCounts } from '../derived/result-counts.ts';
import { noSuchStudent } from '../former-ids.ts';
import { presentSemester } from '../semester-slots.ts';
import { lockResults, type StudentResults } from './load-results.ts';
import { type ResultPlan, storeResults } from './store-results.ts';

/**
 * Records that a student entered in a later semester than the first: stores the semesters before it, without subjects.
 *
 * @returns these semesters and the version of the last one
 * @throws AppError not-found; conflict when a semester is recorded; ValidationError on `semester` when it is past the current one
 */
export async function enterLate(
  tx: Tx,
  author: AuthorWithRole,
  id: string,
  semester: number,
): Promise<{ academics: Academic[]; version: number }> {
  const results = await lockResults(tx, id);
  if (results === undefined) throw noSuchStudent();
  const fault = entryFault(results, semester);
  if (fault !== undefined && 'recorded' in fault) throw new AppError('conflict', fault.recorded);
  if (fault !== undefined) throw invalidField('semester', fault.semester);
  const counts = new CohortCounts();
  const sums = new ResultCounts();
  const right = { role: author.role, reason: null };
  const changes = await storeResults({ tx, author, right, bulkId: null, counts, results: sums }, [
    planEntry(results, semester),
  ]);
  await counts.store(tx);
  const stored = changes.flatMap(({ after }) => after ?? []);
  return {
    academics: stored.map(({ row, subjects }) => presentSemester(row, subjects)),
    version: stored.at(-1)?.row.version ?? 1,
  };
}

/** Why a student can't enter in a semester; undefined if they can. */
function entryFault(
  { student, recorded }: Pick<StudentResults, 'recorded'> & { student: { current_sem: number } },
  semester: number,
): { recorded: string } | { semester: string } | undefined {
  const [first] = recorded;
  if (first !== undefined) {
    return {
      recorded: `Semester ${first.row.semester} is recorded already. Delete what is recorded before the student can enter later.`,
    };
  }
  if (semester > student.current_sem) {
    return { semester: `The semester must not be past the current one, ${student.current_sem}.` };
  }
  return undefined;
}

/** The results that are stored for an entry in a semester. */
export const planEntry = (results: StudentResults, semester: number): ResultPlan => ({
  ...results,
  semesters: Array.from({ length: semester - 1 }, () => []),
  elsewhere: semester - 1,
});
