import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { courseUpdate } from '../../../contract/courses.ts';
import type { HistoryState } from '../../../contract/history.ts';
import { type MarksTally, mergeTallies, NO_MARKS, tallyMarks } from '../../../domain/statistics.ts';
import { findCourse, presentCourse } from '../../courses/queries.ts';
import { storeMarks } from '../../courses/store-marks.ts';
import { createCourse, updateCourse } from '../../courses/write-course.ts';
import type { CoursesTable, Db, Tx } from '../../db/schema.ts';
import { etag, versionPart } from '../../http/versions.ts';
import type { Entry } from '../chain.ts';
import type { State } from '../fields.ts';
import type { Author } from '../record-change.ts';
import { checked, obstacle, type Plan } from './plan.ts';

const isGone = () =>
  obstacle(
    'This course has been deleted. Restore the entry of the deletion first; it brings back its marks too.',
  );

const versionOf = (row: CoursesTable) => etag(versionPart.course(row.version));

/** What a course is called; a deleted one comes back with its marks. */
export async function planCourse(db: Db, entry: Entry, state: State): Promise<Plan> {
  const courseId = Number(entry.entity_id);
  const row = await findCourse(db, courseId);
  const input = checked(courseUpdate, state);
  if (entry.action === 'delete') {
    if (row !== undefined)
      throw obstacle('There is a course with this ID again, so the old one can not be restored.');
    return {
      current: {},
      target: state,
      version: undefined,
      apply: async (tx, author) => {
        const { version } = await createCourse(tx, author, { ...input, course_id: courseId });
        return (await bringBackMarks(tx, author, entry, undefined)) ?? etag(versionPart.course(version));
      },
    };
  }
  if (row === undefined) throw isGone();
  return {
    current: withoutMarks(presentCourse(row)),
    target: withoutMarks(state),
    version: versionOf(row),
    apply: async (tx, author, ifMatch) => {
      const { version } = await updateCourse(tx, author, courseId, input, ifMatch);
      return etag(versionPart.course(version));
    },
  };
}

/** The marks that an upload has replaced. */
export async function planMarks(db: Db, entry: Entry, state: State, which: HistoryState): Promise<Plan> {
  const row = await findCourse(db, Number(entry.entity_id));
  if (row === undefined) throw isGone();
  const kept = await db
    .selectFrom('replaced_marks')
    .select('piece')
    .where('history_id', '=', entry.id)
    .limit(1)
    .executeTakeFirst();
  if (which === 'after' || kept === undefined) {
    throw obstacle(
      'Of marks only those are kept that a later upload has replaced. This entry has replaced none.',
    );
  }
  return {
    current: marksAlone(presentCourse(row)),
    target: marksAlone(state),
    version: versionOf(row),
    apply: async (tx, author, ifMatch) =>
      (await bringBackMarks(tx, author, entry, ifMatch)) ?? versionOf(row),
  };
}

const withoutMarks = ({ average: _, std_dev: __, marks_count: ___, ...details }: State): State => details;
const marksAlone = ({ average, std_dev, marks_count }: State): State => ({ marks_count, average, std_dev });

const pieceOfMarks = z.array(z.number());

/** Answers the course's new version; nothing where the entry has replaced no marks. */
async function bringBackMarks(
  tx: Tx,
  author: Author,
  entry: Entry,
  ifMatch: string | undefined,
): Promise<string | undefined> {
  const kept = await tx
    .selectFrom('replaced_marks')
    .select('marks')
    .where('history_id', '=', entry.id)
    .orderBy('piece')
    .execute();
  if (kept.length === 0) return undefined;
  const pieces = kept.map(({ marks }) => marks);
  let tally: MarksTally = NO_MARKS;
  for (const piece of pieces) {
    tally = mergeTallies(tally, tallyMarks(pieceOfMarks.parse(JSON.parse(piece))));
    await setImmediate();
  }
  const { version } = await storeMarks(
    tx,
    author,
    Number(entry.entity_id),
    { tally, pieces, append: false },
    ifMatch,
  );
  return etag(versionPart.course(version));
}
