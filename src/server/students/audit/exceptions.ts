import type { Selectable } from 'kysely';
import type { Exception, ExceptionInput } from '../../../contract/schemes/audit.ts';
import { foldKey, SCHEME_LIMITS } from '../../../domain/schemes/scheme.ts';
import type { Db, SchemeExceptionsTable, Tx } from '../../db/schema.ts';
import { AppError, invalidField } from '../../errors.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import { requireVersion, versionPart } from '../../http/etags.ts';
import { noSuchStudent } from '../former-ids.ts';
import { loadPolicies } from '../grading/policies.ts';
import { isStudentId, lockStudent } from '../queries.ts';
import { findCatalogueCourses } from './named-courses.ts';
import { findOutsideCredits } from './outside-credits.ts';
import { findSchemeInForce, type SchemeClass } from './schemes.ts';

type Row = Selectable<SchemeExceptionsTable>;

const presentException = ({
  exception_id,
  row_key,
  course_id,
  reason,
  made_at,
  made_by,
  made_name,
}: Row): Exception => ({
  exception_id,
  row: row_key,
  course_id,
  reason,
  by: { id: made_by, name: made_name },
  at: made_at,
});

export const findExceptions = (db: Db, ids: readonly string[]): Promise<Row[]> =>
  db
    .selectFrom('scheme_exceptions')
    .selectAll()
    .where('student_id', 'in', ids)
    .orderBy('exception_id')
    .execute();

/** The row of the student's scheme with a key, as the scheme writes it. */
async function requireSchemeRow(db: Db, student: SchemeClass, key: string): Promise<string> {
  const scheme = await findSchemeInForce(db, student);
  const row = scheme?.rows.find((one) => foldKey(one.key) === foldKey(key));
  if (row === undefined) throw invalidField('row', 'The row must be one of the student’s scheme.');
  return row.key;
}

/**
 * Lets another course count for a row, or waives it.
 *
 * @param number of an exception that is restored
 */
export async function createException(
  tx: Tx,
  author: Author,
  id: string,
  { row, course_id, reason }: ExceptionInput,
  number?: number,
): Promise<Exception> {
  const student = await lockStudent(tx, id);
  if (student === undefined) throw noSuchStudent();
  const row_key = await requireSchemeRow(tx, student, row);
  const others = await findExceptions(tx, [id]);
  if (others.length >= SCHEME_LIMITS.exceptions)
    throw invalidField('exceptions', `The exceptions must be at most ${SCHEME_LIMITS.exceptions}.`);
  if (others.some((one) => foldKey(one.row_key) === foldKey(row_key)))
    throw invalidField('row', 'The row has an exception already.');
  const outside = await findOutsideCredits(tx, [id]);
  if (outside.some((one) => one.row_key !== null && foldKey(one.row_key) === foldKey(row_key)))
    throw invalidField('row', 'The row is filled from elsewhere already.');
  if (course_id !== null) await requireSubstitute(tx, student, course_id, others);
  const stored = await tx
    .insertInto('scheme_exceptions')
    .values({
      ...(number !== undefined && { exception_id: number }),
      ...{ student_id: id, row_key, course_id, reason },
      ...{ made_at: new Date().toISOString(), made_by: author.id, made_name: author.name },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const exception = presentException(stored);
  await recordChange(tx, author, {
    action: 'create',
    entity: 'exception',
    entityId: id,
    after: toExceptionState(stored),
  });
  return exception;
}

/** What an entry of the history holds of an exception. */
export const toExceptionState = (row: Row) => {
  const { exception_id, course_id, reason, made_at, made_by, made_name } = row;
  return { exception_id, row: row.row_key, course_id, reason, made_at, made_by, made_name };
};

/** The course exists, and counts for no other row. */
async function requireSubstitute(
  tx: Tx,
  { degree }: SchemeClass,
  courseId: number,
  others: readonly Row[],
): Promise<void> {
  if ((await findCatalogueCourses(tx, [courseId])).length === 0)
    throw invalidField('course_id', 'The course id must be that of an existing course.');
  const { groups } = (await loadPolicies(tx)).of(degree);
  const other = others.find(
    (one) => one.course_id !== null && groups.of(one.course_id) === groups.of(courseId),
  );
  if (other !== undefined)
    throw invalidField('course_id', `This course counts for the row ${other.row_key} already.`);
}

/** Takes back an exception. */
export async function deleteException(
  tx: Tx,
  author: Author,
  { id, exceptionId, reason }: { id: string; exceptionId: number; reason: string },
  ifMatch: string | undefined,
): Promise<void> {
  if (!isStudentId(id) || (await lockStudent(tx, id)) === undefined) throw noSuchStudent();
  const row = (await findExceptions(tx, [id])).find(({ exception_id }) => exception_id === exceptionId);
  if (row === undefined) throw new AppError('not-found', 'There is no such exception.');
  await requireVersion(tx, ifMatch, {
    part: versionPart.exception(exceptionId),
    current: presentException(row),
    entities: ['exception'],
    id,
  });
  await tx.deleteFrom('scheme_exceptions').where('exception_id', '=', exceptionId).execute();
  await recordChange(tx, author, {
    action: 'delete',
    entity: 'exception',
    entityId: id,
    before: toExceptionState(row),
    reason,
  });
}
