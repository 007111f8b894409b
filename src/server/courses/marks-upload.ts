import type { z } from 'zod';
import type { marksInput } from '../../contract/courses.ts';
import type { LeftOutLine } from '../../domain/marks.ts';
import type { Db } from '../db/schema.ts';
import { invalidField } from '../errors.ts';
import { runInWorker } from '../run-in-worker.ts';
import { isArchive, UnreadableWorkbook } from '../workbook/archive.ts';
import type { WorkbookSheet } from '../workbook/read-sheet.ts';
import { readSheetInWorker } from '../workbook/read-sheet-in-worker.ts';
import { inTurn, isReadAtOnce } from '../workbook/reader-limits.ts';
import { findCourse } from './queries.ts';
import { type MarksUpload, type ReadMarks, readMarks } from './read-marks.ts';
import type { MarksToStore } from './store-marks.ts';

/** {@link readMarks}, in a worker if the upload is long, so that it does not block the event loop. @param signal ends it */
const readMarksInWorker = async (upload: MarksUpload, signal: AbortSignal): Promise<ReadMarks> =>
  isReadAtOnce(upload.content)
    ? readMarks(upload)
    : inTurn(() => runInWorker<ReadMarks>('./courses/marks-worker', upload, { resourceLimits: {}, signal }));

/** The cells of a sheet as tab-separated text, a line for each row, so that marks are read from it as from any text. */
const toText = ({ rows }: WorkbookSheet) =>
  rows.map((row) => `${row.map((cell) => quote(cell?.text ?? '')).join('\t')}\t`).join('\n');

const quote = (text: string) => `"${text.replaceAll(/\s+/g, ' ').replaceAll('"', '""')}"`;

/**
 * The sheet that the marks of a workbook are taken from, as text.
 *
 * @throws ValidationError on `file`, unless it is a workbook that has the sheet
 */
export async function readMarksSheet(
  file: Buffer | undefined,
  { name, signal }: { name: string | undefined; signal: AbortSignal },
) {
  if (file === undefined) throw invalidField('file', 'The file field is required.');
  const sheet = await readSheetInWorker(file, { name, signal }).catch((error: unknown) => {
    throw error instanceof UnreadableWorkbook ? invalidField('file', `The file ${error.message}`) : error;
  });
  return { sheets: sheet.names, sheet: sheet.name, text: toText(sheet) };
}

/**
 * Parses an upload, before any transaction. One bad value refuses all of it.
 *
 * @throws ValidationError on `marks` or `file`, naming the first ten bad values; on `columns`, `column` or `decimal` where it is
 * not certain how they are read; on `course_id` if there is no such course
 */
export async function readMarksUpload(
  db: Db,
  input: z.infer<typeof marksInput>,
  { file, signal }: { file: Buffer | undefined; signal: AbortSignal },
): Promise<{ marks: MarksToStore; leftOut: LeftOutLine[] }> {
  const text = input.marks?.trim() === '' ? undefined : (input.marks ?? undefined);
  if (file !== undefined && text !== undefined) {
    throw invalidField('marks', 'The marks must be sent as text or as a file, not both.');
  }
  const upload = file ?? text;
  if (upload === undefined) throw invalidField('marks', 'The marks field is required.');
  if ((await findCourse(db, input.course_id)) === undefined) {
    throw invalidField('course_id', 'The course id must be that of an existing course.');
  }
  const field = file === undefined ? 'marks' : 'file';
  const isSheet = typeof upload !== 'string' && isArchive(upload);
  const content = isSheet
    ? (await readMarksSheet(upload, { name: input.sheet ?? undefined, signal })).text
    : upload;
  const result = await readMarksInWorker(
    {
      content,
      isSheet,
      absent: input.absent,
      column: input.column ?? undefined,
      decimal: input.decimal ?? undefined,
    },
    signal,
  );
  if (result.kind === 'refused') throw invalidField(field, `The ${field} ${result.text}`);
  if (result.kind === 'asked') throw invalidField(result.field, result.text);
  const { tally, pieces, leftOut } = result;
  return { marks: { tally, pieces, append: input.mode === 'append' }, leftOut };
}
