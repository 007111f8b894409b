import type { Tx } from '../db/schema.ts';

/**
 * Takes the first pieces of a course's marks out of use. They stay in the database, under the history entry of the
 * change: an upload that was a mistake must not be the end of the marks before it.
 *
 * @param historyId number of that entry
 * @param upTo the last piece that goes
 */
export async function setMarksAside(
  tx: Tx,
  courseId: number,
  historyId: number,
  upTo: number,
): Promise<void> {
  await tx
    .insertInto('replaced_marks')
    .columns(['history_id', 'piece', 'marks'])
    .expression((eb) =>
      eb
        .selectFrom('course_marks')
        .select([eb.val(historyId).as('history_id'), 'piece', 'marks'])
        .where('course_id', '=', courseId)
        .where('piece', '<=', upTo),
    )
    .execute();
  await tx.deleteFrom('course_marks').where('course_id', '=', courseId).where('piece', '<=', upTo).execute();
}

/** The number of the last piece of a course's marks; 0 without marks. */
export async function lastPiece(tx: Tx, courseId: number): Promise<number> {
  const { last } = await tx
    .selectFrom('course_marks')
    .select((eb) => eb.fn.coalesce(eb.fn.max('piece'), eb.lit(0)).as('last'))
    .where('course_id', '=', courseId)
    .executeTakeFirstOrThrow();
  return Number(last);
}
