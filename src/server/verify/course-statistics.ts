import { z } from 'zod';
import { type MarksTally, tallyMarks } from '../../domain/statistics.ts';
import type { Db } from '../db/schema.ts';

const marksTally = z.object({
  count: z.int(),
  mean: z.number(),
  squares: z.number(),
  bins: z.array(z.int()),
});
const pieceOfMarks = z.array(z.number());

/** The statistics of each course, against its marks. */
export async function* wrongStatistics(db: Db): AsyncGenerator<string> {
  const courses = await db
    .selectFrom('courses')
    .select(['course_id', 'tally'])
    .orderBy('course_id')
    .execute();
  for (const { course_id, tally } of courses) {
    const pieces = await db
      .selectFrom('course_marks')
      .select('marks')
      .where('course_id', '=', course_id)
      .orderBy('piece')
      .execute();
    const marks = pieces.flatMap((piece) => pieceOfMarks.parse(JSON.parse(piece.marks)));
    const stored = marksTally.parse(JSON.parse(tally));
    const there = tallyMarks(marks);
    if (isSame(stored, there)) continue;
    yield `Course ${course_id}: the statistics (${worded(stored)}) are not those of its marks (${worded(there)}).`;
  }
}

/** Marks that were added in several uploads were summed up in another order, which the last digits show. */
const isSame = (a: MarksTally, b: MarksTally) =>
  a.count === b.count &&
  a.bins.join() === b.bins.join() &&
  isClose(a.mean, b.mean) &&
  isClose(a.squares, b.squares);

const isClose = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

const worded = ({ count, mean, bins }: MarksTally) => `${count} marks, mean ${mean}, bins ${bins.join(' ')}`;
