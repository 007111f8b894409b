import type { z } from 'zod';
import type { marksInput } from '../../contract/courses.ts';
import type { Db } from '../db/schema.ts';
import { invalid } from '../errors.ts';
import { findCourse } from './queries.ts';
import { readMarksAside } from './read-marks-aside.ts';
import type { MarksToStore } from './store-marks.ts';

/**
 * Reads the marks of an upload, before any transaction, or refuses the whole of it.
 *
 * @throws InvalidFields on `marks` or `file`, naming the first ten bad values; on `course_id` without such a course
 */
export async function readUpload(
  db: Db,
  input: z.infer<typeof marksInput>,
  file: Buffer | undefined,
): Promise<MarksToStore> {
  const text = input.marks?.trim() === '' ? undefined : (input.marks ?? undefined);
  if (file !== undefined && text !== undefined) {
    throw invalid('marks', 'The marks must be sent as text or as a file, not both.');
  }
  const upload = file ?? text;
  if (upload === undefined) throw invalid('marks', 'The marks field is required.');
  if ((await findCourse(db, input.course_id)) === undefined) {
    throw invalid('course_id', 'The course id must be that of an existing course.');
  }
  const field = file === undefined ? 'marks' : 'file';
  const result = await readMarksAside(upload);
  if (result.kind === 'refused') throw invalid(field, `The ${field} ${result.text}`);
  return { tally: result.tally, pieces: result.pieces, append: input.mode === 'append' };
}
