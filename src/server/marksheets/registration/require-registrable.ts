import type { AddStudentsInput } from '../../../contract/marksheets/sheets.ts';
import type { RegistrationCheck } from '../../../domain/marksheets/registration.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { ValidationError } from '../../errors.ts';
import { groupBy } from '../../group-by.ts';
import type { AuthorWithRole } from '../../http/transact-as.ts';
import { findBlocked } from '../../students/holds/blocks.ts';
import { formatIds } from '../sheet.ts';
import { type CheckedSheet, holdChecks, StudentChecks } from './check-students.ts';
import { isDated, isLate, requireInTime, type TermColumns } from './last-days.ts';
import { type NewRegistration, plainRegistration } from './store-registrations.ts';

/** Who is to stand on a sheet, whose students and term the caller has locked. */
interface NewRows {
  sheet: CheckedSheet;
  term: TermColumns;
  ids: readonly string[];
}

/**
 * How students are registered for the course of a sheet. What is checked holds when it is stored: see {@link NewRows}.
 *
 * @throws AppError conflict after the last day to add, for all but administrators; ValidationError on `reason` for an administrator
 * who gives none then, on `ids` for students who are refused, on `reasons.{id}` for warnings without a reason and for the holds
 * against which an administrator gives none
 */
export async function requireRegistrable(
  tx: Tx,
  author: AuthorWithRole,
  rows: NewRows,
  { reasons, reason }: Omit<AddStudentsInput, 'ids'>,
): Promise<NewRegistration[]> {
  const { term, ids } = rows;
  const getReason = (id: string) => reasons?.[id] ?? reason;
  requireInTime(
    term,
    'add_until',
    author,
    ids.every((id) => getReason(id) !== null),
  );
  const isOver = isLate(term, 'add_until');
  const mayPass = ({ rule }: RegistrationCheck) => author.role === 'admin' && rule === 'hold';
  const getChecks = await checkNewRows(tx, rows);
  requireNoneRefused(ids, (id) => getChecks(id).filter((check) => !mayPass(check)));
  const missing: Record<string, string[]> = {};
  const registrations = ids.map((id) => {
    const needed = getChecks(id).filter((check) => check.state === 'warn' || mayPass(check));
    const covered = needed.map(({ rule, text }) => ({ rule, text }));
    const given = getReason(id);
    if (covered.length > 0 && given === null)
      missing[`reasons.${id}`] = [`A reason is needed for ${id}. ${needed.map(toSentence).join(' ')}`];
    return covered.length > 0 || isOver ? { student_id: id, reason: given, covered } : plainRegistration(id);
  });
  if (Object.keys(missing).length > 0) throw new ValidationError(missing);
  return registrations;
}

/**
 * Nobody stands twice on sheets of a course in a dated term, or against a hold in any term.
 *
 * @throws ValidationError on `ids`, naming the students
 */
export async function requireNotRefused(db: Db, rows: NewRows): Promise<void> {
  requireNoneRefused(rows.ids, await checkNewRows(db, rows));
}

type GetChecks = (id: string) => readonly RegistrationCheck[];

/** In terms without a day to add only holds are checked here. */
async function checkNewRows(db: Db, { sheet, term, ids }: NewRows): Promise<GetChecks> {
  if (isDated(term)) {
    const checks = await StudentChecks.load(db, term, ids);
    return (id) => checks.check(id, sheet).checks;
  }
  const blocked = await findBlocked(db, ids, 'registration');
  return (id) => holdChecks(blocked.get(id));
}

const toSentence = ({ rule, text }: Pick<RegistrationCheck, 'rule' | 'text'>): string =>
  rule === 'hold' ? `Registration is blocked: ${text}.` : text;

function requireNoneRefused(ids: readonly string[], getChecks: GetChecks): void {
  const byText = groupBy(ids, (id) => {
    const refused = getChecks(id).find(({ state }) => state === 'refused');
    return refused === undefined ? '' : toSentence(refused);
  });
  const texts = [...byText].flatMap(([text, named]) =>
    text === '' ? [] : `${text} CMS ID: ${formatIds(named, 5)}.`,
  );
  if (texts.length > 0) throw new ValidationError({ ids: texts });
}
