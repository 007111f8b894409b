import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Course } from '../../contract/courses.ts';
import { inIdOrder } from '../../domain/search-text.ts';
import { EMPTY_TALLY, type MarksTally, mergeTallies, tallyMarks } from '../../domain/statistics.ts';
import type { Db, Tx } from '../db/schema.ts';
import { invalidField } from '../errors.ts';
import {
  type Author,
  COURSE_ENTITIES,
  recordChange,
  recordNumberedChange,
} from '../history/record-change.ts';
import { requireVersion, versionPart } from '../http/etags.ts';
import { lockCourse, parseTally, presentCourse } from './queries.ts';

/**
 * Moves the uploaded marks that a change replaces to `replaced_marks`, under the history entry of the change. From there they
 * can be restored after a wrong upload. The totals of mark sheets stay.
 *
 * @param historyId number of that entry
 * @param upTo last piece to move
 */
export async function archiveMarks(tx: Tx, courseId: number, historyId: number, upTo: number): Promise<void> {
  await tx
    .insertInto('replaced_marks')
    .columns(['history_id', 'piece', 'marks'])
    .expression((eb) =>
      eb
        .selectFrom('course_marks')
        .select([eb.val(historyId).as('history_id'), 'piece', 'marks'])
        .where('course_id', '=', courseId)
        .where('sheet_id', 'is', null)
        .where('piece', '<=', upTo),
    )
    .execute();
  await tx
    .deleteFrom('course_marks')
    .where('course_id', '=', courseId)
    .where('sheet_id', 'is', null)
    .where('piece', '<=', upTo)
    .execute();
}

/** The number of the last piece of a course's marks; 0 without marks. */
export async function lastPieceNumber(tx: Tx, courseId: number): Promise<number> {
  const { last } = await tx
    .selectFrom('course_marks')
    .select((eb) => eb.fn.coalesce(eb.fn.max('piece'), eb.lit(0)).as('last'))
    .where('course_id', '=', courseId)
    .executeTakeFirstOrThrow();
  return Number(last);
}

export interface MarksToStore {
  tally: MarksTally;
  pieces: readonly string[];
  /** Add to the existing marks instead of replacing the uploaded ones. */
  append: boolean;
  /** The bulk change that it is part of. */
  bulkId?: number | null;
}

const pieceOfMarks = z.array(z.number());

/** Pieces of marks with their statistics. Lets other calls run between the pieces. */
export async function tallyPieces(pieces: readonly string[]): Promise<Omit<MarksToStore, 'append'>> {
  let tally: MarksTally = EMPTY_TALLY;
  for (const piece of pieces) {
    tally = mergeTallies(tally, tallyMarks(pieceOfMarks.parse(JSON.parse(piece))));
    await setImmediate();
  }
  return { tally, pieces };
}

/** The pieces of marks that a change has replaced, by the number of its entry in the history. */
export async function findReplacedMarks(db: Db, historyId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('replaced_marks')
    .select('marks')
    .where('history_id', '=', historyId)
    .orderBy('piece')
    .execute();
  return rows.map(({ marks }) => marks);
}

/** The statistics of uploaded marks (`sheet_id` is null), or of the totals of all mark sheets but one. */
async function tallyStored(
  tx: Tx,
  courseId: number,
  origin: 'uploaded' | { exceptSheet: number | null },
): Promise<MarksTally> {
  const rows = await tx
    .selectFrom('course_marks')
    .select('marks')
    .where('course_id', '=', courseId)
    .where((eb) =>
      origin === 'uploaded' ? eb('sheet_id', 'is', null) : eb('sheet_id', '!=', origin.exceptSheet ?? 0),
    )
    .orderBy('piece')
    .execute();
  return (await tallyPieces(rows.map(({ marks }) => marks))).tally;
}

/** Stores marks of a course by hand and updates its statistics. */
export async function storeMarks(
  tx: Tx,
  author: Author,
  courseId: number,
  { tally, pieces, append, bulkId = null }: MarksToStore,
  ifMatch?: string,
): Promise<{ course: Course; version: number }> {
  const before = await lockCourse(tx, courseId);
  if (before === undefined)
    throw invalidField('course_id', 'The course id must be that of an existing course.');
  await requireVersion(tx, ifMatch, {
    part: versionPart.course(before.version),
    current: presentCourse(before),
    entities: COURSE_ENTITIES,
    id: courseId,
  });
  const last = await lastPieceNumber(tx, courseId);
  for (const [i, marks] of pieces.entries()) {
    await tx
      .insertInto('course_marks')
      .values({ course_id: courseId, piece: last + i + 1, marks })
      .execute();
    // Lets reading calls run between the pieces; writing calls wait for the transaction.
    await setImmediate();
  }
  const after = await tx
    .updateTable('courses')
    .set({
      tally: JSON.stringify(
        mergeTallies(
          append ? parseTally(before) : await tallyStored(tx, courseId, { exceptSheet: null }),
          tally,
        ),
      ),
      version: before.version + 1,
    })
    .where('course_id', '=', courseId)
    .returningAll()
    .executeTakeFirstOrThrow();
  const course = presentCourse(after);
  const entry = await recordNumberedChange(
    tx,
    author,
    {
      action: 'update',
      entity: 'marks',
      entityId: courseId,
      before: presentCourse(before),
      after: course,
    },
    bulkId,
  );
  if (!append) await archiveMarks(tx, courseId, entry, last);
  return { course, version: after.version };
}

/**
 * Adds the totals of a confirmed mark sheet to the marks of its course, as a piece of their own, and updates the statistics.
 *
 * @param replaced the sheet that this one rectifies, whose totals are removed
 * @returns whether the course exists
 */
export async function storeSheetMarks(
  tx: Tx,
  author: Author,
  courseId: number,
  sheetId: number,
  replaced: number | null,
): Promise<boolean> {
  const before = await lockCourse(tx, courseId);
  if (before === undefined) return false;
  const rows = await tx
    .selectFrom('sheet_rows')
    .select(['student_id', 'total'])
    .where('sheet_id', '=', sheetId)
    .where('status', '=', 'graded')
    .where('total', 'is not', null)
    .execute();
  const marks = inIdOrder(rows, ({ student_id }) => student_id).map(({ total }) => (total ?? 0) / 100);
  let rest = parseTally(before);
  if (replaced !== null) {
    rest = mergeTallies(
      await tallyStored(tx, courseId, 'uploaded'),
      await tallyStored(tx, courseId, { exceptSheet: replaced }),
    );
    await tx
      .deleteFrom('course_marks')
      .where('course_id', '=', courseId)
      .where('sheet_id', '=', replaced)
      .execute();
  }
  await tx
    .insertInto('course_marks')
    .values({
      course_id: courseId,
      piece: (await lastPieceNumber(tx, courseId)) + 1,
      marks: JSON.stringify(marks),
      sheet_id: sheetId,
    })
    .execute();
  const after = await tx
    .updateTable('courses')
    .set({ tally: JSON.stringify(mergeTallies(rest, tallyMarks(marks))), version: before.version + 1 })
    .where('course_id', '=', courseId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordChange(tx, author, {
    action: 'update',
    entity: 'marks',
    entityId: courseId,
    before: presentCourse(before),
    after: { ...presentCourse(after), mark_sheet: sheetId },
  });
  return true;
}

/** Adds the totals of the confirmed mark sheets of a course that has been restored. */
export async function restoreSheetMarks(tx: Tx, author: Author, courseId: number): Promise<void> {
  const sheets = await tx
    .selectFrom('sheets')
    .select('sheet_id')
    .where('course_id', '=', courseId)
    .where('state', '=', 'confirmed')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sheets as later')
            .select('later.sheet_id')
            .whereRef('later.rectifies', '=', 'sheets.sheet_id')
            .where('later.state', '=', 'confirmed'),
        ),
      ),
    )
    .orderBy('sheet_id')
    .execute();
  for (const { sheet_id } of sheets) await storeSheetMarks(tx, author, courseId, sheet_id, null);
}
