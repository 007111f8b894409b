import { sql } from 'kysely';
import { forShareOf } from '../db/dialect/locks.ts';
import { preparedQuery } from '../db/prepared-query.ts';
import type { Db } from '../db/schema.ts';
import { AppError } from '../errors.ts';

/** Also for a sheet that there is, to a teacher whom it does not name. */
export const noSuchSheet = () => new AppError('not-found', 'There is no such mark sheet.');

type TeacherQuery = [sheetId: number, userId: number];
const teacherQuery = () =>
  sql<{ user_id: number }>`select user_id from sheet_teachers where sheet_id = ${0} and user_id = ${0}`;
const findTeacher = preparedQuery<{ user_id: number }, TeacherQuery>(teacherQuery);
const lockTeacher = preparedQuery<{ user_id: number }, TeacherQuery>(
  (db) => sql`${teacherQuery()} ${forShareOf(db, 'sheet_teachers')}`,
);

/** Whether a sheet names this account as a teacher. In a transaction the account stays on the list until it ends. */
export async function isTeacherOf(db: Db, sheetId: number, userId: number): Promise<boolean> {
  const find = db.isTransaction ? lockTeacher : findTeacher;
  return (await find(db, sheetId, userId)) !== undefined;
}
