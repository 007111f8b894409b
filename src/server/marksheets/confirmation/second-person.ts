import type { PolicyRules } from '../../../domain/grading/policy.ts';
import type { Db } from '../../db/schema.ts';
import type { SheetColumns } from '../sheet.ts';

/**
 * Whether this administrator may write the results of a sheet. The submitter does so alone only without `four_eyes`, or where no
 * other administrator could. A program does not count as one.
 */
export async function mayConfirm(
  db: Db,
  person: { id: number | null },
  { submitted_by }: Pick<SheetColumns, 'submitted_by'>,
  { four_eyes }: PolicyRules,
): Promise<boolean> {
  if (!four_eyes || person.id === null || submitted_by !== person.id) return true;
  const other = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('id', '!=', person.id)
    .where('locked_at', 'is', null)
    .where('waiting_for', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}
