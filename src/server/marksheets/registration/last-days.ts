import { sql } from 'kysely';
import { calendarDate } from '../../../domain/age.ts';
import type { LAST_DAYS } from '../../../domain/term-dates.ts';
import { forUpdate } from '../../db/dialect/locks.ts';
import { preparedQuery } from '../../db/prepared-query.ts';
import type { TermsTable, Tx } from '../../db/schema.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { AuthorWithRole } from '../../http/transact-as.ts';

export type TermColumns = Omit<TermsTable, 'term_id' | 'summer'> & { term_id: number; summer: number };

const findLockedTerm = preparedQuery<TermColumns, [termId: number]>(
  (db) => sql`select * from terms where term_id = ${0} ${forUpdate(db)}`,
);

/** Sheets of a term whose students are chosen at the same moment wait for each other. */
export const lockTerm = (tx: Tx, termId: number): Promise<TermColumns | undefined> =>
  findLockedTerm(tx, termId);

/** Class lists are checked, and have last days, in terms with a day until which students are added. */
export const isDated = ({ add_until }: Pick<TermColumns, 'add_until'>): boolean => add_until !== null;

export const today = () => calendarDate(new Date());

const LATE_TEXTS = {
  add_until: 'Students were added until {day}. An administrator can still add them, with a reason.',
  drop_until: 'Set the status withdrawn instead.',
  withdraw_until: 'Students withdrew until {day}. An administrator can still set this, with a reason.',
} as const satisfies Record<(typeof LAST_DAYS)[number], string>;

/** Whether the day, which is included, is over. */
export function isLate(term: TermColumns, day: keyof typeof LATE_TEXTS): boolean {
  const last = term[day];
  return isDated(term) && last !== null && today() > last;
}

/**
 * After the last day only an administrator acts, and says why.
 *
 * @throws AppError conflict for others; ValidationError on `reason` without one
 */
export function requireInTime(
  term: TermColumns,
  day: keyof typeof LATE_TEXTS,
  author: AuthorWithRole,
  hasReason: boolean,
): void {
  if (!isLate(term, day)) return;
  if (author.role !== 'admin')
    throw new AppError('conflict', LATE_TEXTS[day].replace('{day}', String(term[day])));
  if (!hasReason) throw invalidField('reason', 'The reason field is required.');
}
