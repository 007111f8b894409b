import type { AddStudentsInput } from '../../../contract/marksheets/sheets.ts';
import { toCovered } from '../../../domain/marksheets/registration.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { ValidationError } from '../../errors.ts';
import { groupBy } from '../../group-by.ts';
import type { AuthorWithRole } from '../../http/transact-as.ts';
import { formatIds } from '../sheet.ts';
import { type CheckedSheet, StudentChecks } from './check-students.ts';
import { isDated, isLate, requireInTime, type TermColumns } from './last-days.ts';
import { type NewRegistration, plainRegistration } from './store-registrations.ts';

/**
 * How students are registered for the course of a sheet. The term and the students are locked by the caller, so what is checked
 * holds when it is stored.
 *
 * @throws AppError conflict after the last day to add, for all but administrators; ValidationError on `reason` for an administrator
 * who gives none then, on `ids` for students who are refused, on `reasons.{id}` for warnings without a reason
 */
export async function requireRegistrable(
  tx: Tx,
  author: AuthorWithRole,
  { sheet, term, ids }: { sheet: CheckedSheet; term: TermColumns; ids: readonly string[] },
  { reasons, reason }: Omit<AddStudentsInput, 'ids'>,
): Promise<NewRegistration[]> {
  if (!isDated(term)) return ids.map(plainRegistration);
  const getReason = (id: string) => reasons?.[id] ?? reason;
  requireInTime(
    term,
    'add_until',
    author,
    ids.every((id) => getReason(id) !== null),
  );
  const isOver = isLate(term, 'add_until');
  const checks = await requireNotRefused(tx, term, { sheet, ids, field: 'ids' });
  const missing: Record<string, string[]> = {};
  const registrations = ids.map((id) => {
    const covered = toCovered(checks.check(id, sheet).checks);
    const given = getReason(id);
    if (covered.length > 0 && given === null) {
      missing[`reasons.${id}`] = [
        `A reason is needed for ${id}. ${covered.map(({ text }) => text).join(' ')}`,
      ];
    }
    return covered.length > 0 || isOver ? { student_id: id, reason: given, covered } : plainRegistration(id);
  });
  if (Object.keys(missing).length > 0) throw new ValidationError(missing);
  return registrations;
}

/**
 * Nobody stands twice on sheets of a course in a dated term, or against a hold.
 *
 * @throws ValidationError on `field`, naming the students
 */
export async function requireNotRefused(
  db: Db,
  term: TermColumns,
  { sheet, ids, field }: { sheet: CheckedSheet; ids: readonly string[]; field: 'ids' },
): Promise<StudentChecks> {
  const checks = await StudentChecks.load(db, term, ids);
  const byText = groupBy(ids, (id) => {
    const refused = checks.check(id, sheet).checks.find(({ state }) => state === 'refused');
    return refused?.text ?? '';
  });
  const texts = [...byText].flatMap(([text, named]) =>
    text === '' ? [] : `${text} CMS ID: ${formatIds(named, 5)}.`,
  );
  if (texts.length > 0) throw new ValidationError({ [field]: texts });
  return checks;
}
