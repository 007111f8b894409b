import { sql } from 'kysely';
import type { NotificationInput, Notifications } from '../../../contract/marksheets/confirmation.ts';
import { chunks } from '../../chunks.ts';
import { locked } from '../../db/dialect/locks.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { AppError, invalidField } from '../../errors.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import { CohortCounts } from '../../students/derived/cohort-counts.ts';
import { recomputeFigures } from '../../students/derived/derive-student.ts';
import { storeNotifiedStandings } from '../../students/grading/notified-standing.ts';
import { findTerm } from '../../terms/terms.ts';
import type { SheetColumns } from '../sheet.ts';

type OfClass = Pick<SheetColumns, 'term_id' | 'department' | 'degree' | 'semester'>;

const byClass = (db: Db, { term_id, department, degree, semester }: OfClass) =>
  db
    .selectFrom('sheets')
    .where('term_id', '=', term_id)
    .where('department', '=', department)
    .where('degree', '=', degree)
    .where('semester', '=', semester);

/** The number of the notification of a class; null before. */
export async function findNotification(
  db: Db,
  { term_id, department, degree, semester }: OfClass,
): Promise<number | null> {
  const found = await db
    .selectFrom('result_notifications')
    .select('number')
    .where('term_id', '=', term_id)
    .where('department', '=', department)
    .where('degree', '=', degree)
    .where('semester', '=', semester)
    .executeTakeFirst();
  return found?.number ?? null;
}

/** Students whose figures are computed at once. */
const STUDENTS_AT_ONCE = 50;

/**
 * Makes final the results of a class in a semester.
 *
 * @throws AppError conflict naming the sheets that are not confirmed, or when there is none, or when it was notified before
 */
export async function notifyClass(
  tx: Tx,
  author: Author,
  input: NotificationInput,
): Promise<{ number: number; notified_at: string }> {
  const { term_id, department, degree, semester } = input;
  if ((await findTerm(tx, term_id)) === undefined) {
    throw invalidField('term_id', 'The term id must be that of an existing term.');
  }
  const sheets = await locked(
    tx,
    byClass(tx, input).select(['sheet_id', 'title', 'state', 'rectifies']).orderBy('sheet_id'),
  ).execute();
  // Looked for under the lock: another call may have notified the class in the meantime.
  const earlier = await findNotification(tx, input);
  if (earlier !== null) {
    throw new AppError('conflict', `The results of this class were notified before, as number ${earlier}.`);
  }
  if (sheets.length === 0) {
    throw new AppError('conflict', 'There are no mark sheets of this class and semester in this term.', {
      details: { sheets: [] },
    });
  }
  const open = sheets.filter(({ state }) => state !== 'confirmed');
  if (open.length > 0) {
    throw new AppError(
      'conflict',
      `${open.length === 1 ? 'One mark sheet of this class is' : `${open.length} mark sheets of this class are`} not confirmed.`,
      { details: { sheets: open.map(({ sheet_id, title, state }) => ({ sheet_id, title, state })) } },
    );
  }
  const notified_at = new Date().toISOString();
  const students = await findWritten(tx, input);
  const { number } = await tx
    .insertInto('result_notifications')
    .values({
      term_id,
      department,
      degree,
      semester,
      notified_at,
      students: students.length,
      user_id: author.id,
      user_name: author.name,
    })
    .returning('number')
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('sheets')
    .set((eb) => ({
      notification: number,
      version: eb('version', '+', 1),
      setup_version: eb('version', '+', 1),
    }))
    .where(
      'sheet_id',
      'in',
      sheets.map(({ sheet_id }) => sheet_id),
    )
    .execute();
  await makeFinal(tx, students);
  await recordChange(tx, author, {
    action: 'create',
    entity: 'result-notification',
    entityId: number,
    after: { class: `${department}-${degree}`, semester, term: term_id, students: students.length },
  });
  return { number, notified_at };
}

/** The students with results of the sheets of a class. */
async function findWritten(tx: Tx, input: OfClass): Promise<string[]> {
  const rows = await tx
    .selectFrom('sheet_results')
    .select('student_id')
    .distinct()
    .where('sheet_id', 'in', byClass(tx, input).select('sheet_id'))
    .orderBy('student_id')
    .execute();
  return rows.map(({ student_id }) => student_id);
}

/** Makes those semesters of these students final that have no result of a sheet whose class is not notified yet. */
async function makeFinal(tx: Tx, ids: readonly string[]): Promise<void> {
  const counts = new CohortCounts();
  for (const some of chunks(ids, STUDENTS_AT_ONCE)) {
    // Locked first: the statement after it sees what a confirmation of another sheet has stored for them in the meantime.
    await locked(tx, tx.selectFrom('students').select('id').where('id', 'in', some).orderBy('id')).execute();
    await sql`update semesters set is_provisional = 0
      where student_id in (${sql.join(some)}) and is_provisional = 1 and not exists (
        select 1 from sheet_results r join sheets s on s.sheet_id = r.sheet_id
        where r.student_id = semesters.student_id and r.semester = semesters.semester
          and s.notification is null)`.execute(tx);
    await recomputeFigures(tx, some, counts);
    await storeNotifiedStandings(tx, some);
  }
  await counts.store(tx);
}

/** The newest first. */
export async function listNotifications(db: Db): Promise<Notifications> {
  const rows = await db
    .selectFrom('result_notifications as n')
    .innerJoin('terms as t', 't.term_id', 'n.term_id')
    .selectAll('n')
    .select('t.name as term_name')
    .orderBy('n.number', 'desc')
    .execute();
  return rows.map(({ user_id, user_name, ...row }) => ({
    ...row,
    notified_by: { id: user_id, name: user_name },
  }));
}
