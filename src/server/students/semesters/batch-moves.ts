import type { Db } from '../../db/schema.ts';
import type { Policies } from '../grading/policies.ts';

interface Move {
  id: string;
  before: { degree: string };
  after: { degree: string };
}

/**
 * Why moving these students to other batches is an administrator's, as a sentence by student: they have grades, and of one of the
 * two batches alone the grades come from mark sheets. Otherwise grades could be changed in the other batch.
 */
export async function findBatchFaults(
  db: Db,
  policies: Policies,
  moves: readonly Move[],
): Promise<ReadonlyMap<string, string>> {
  const isSheetsOnly = ({ degree }: Move['before']) => policies.of(degree).rules.sheets_only;
  const texts = new Map(
    moves.flatMap(({ id, before, after }) => {
      if (isSheetsOnly(before) === isSheetsOnly(after)) return [];
      const { degree } = isSheetsOnly(before) ? before : after;
      return [[id, batchText(degree)]];
    }),
  );
  if (texts.size === 0) return texts;
  const graded = await db
    .selectFrom('semester_subjects')
    .select('student_id')
    .distinct()
    .where('student_id', 'in', [...texts.keys()])
    .where('half_points', 'is not', null)
    .execute();
  return new Map(graded.map(({ student_id }) => [student_id, texts.get(student_id) ?? '']));
}

const batchText = (degree: string) =>
  `Grades of batch ${degree} come from mark sheets. Only an administrator moves a student with grades into it or out of it.`;
