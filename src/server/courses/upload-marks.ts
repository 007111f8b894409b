import type { z } from 'zod';
import type { marksInput } from '../../contract/courses.ts';
import type { Database } from '../db/open.ts';
import { invalid } from '../errors.ts';
import type { Author } from '../history/record-change.ts';
import { isUploadedFile } from '../http/form-body.ts';
import { findCourse } from './queries.ts';
import { readMarksAside } from './read-marks-aside.ts';
import { storeMarks } from './store-marks.ts';

/** Reads an upload of marks and stores it, or refuses the whole of it. */
export async function uploadMarks(
  { read, write }: Database,
  author: Author,
  input: z.infer<typeof marksInput>,
) {
  const sentFile = input.file ?? input.selectedFile;
  const file = isUploadedFile(sentFile) ? sentFile.data : undefined;
  const text = input.marks?.trim() === '' ? undefined : (input.marks ?? undefined);
  if (file !== undefined && text !== undefined) {
    throw invalid('marks', 'The marks must be sent as text or as a file, not both.');
  }
  const upload = file ?? text;
  if (upload === undefined) throw invalid('marks', 'The marks field is required.');
  if ((await findCourse(read, input.course_id)) === undefined) {
    throw invalid('course_id', 'The course id must be that of an existing course.');
  }
  const field = file === undefined ? 'marks' : 'file';
  const result = await readMarksAside(upload);
  if (result.kind === 'refused') throw invalid(field, `The ${field} ${result.text}`);
  const { tally, pieces } = result;
  return storeMarks(write, author, input.course_id, { tally, pieces, append: input.mode === 'append' });
}
