import type { DecimalMark } from '../../../domain/columns/cells.ts';
import type { AbsentRule } from '../../../domain/marks.ts';
import { useIdempotencyKey } from '../../forms/use-idempotency-key.ts';
import { ApiError } from '../../lib/api.ts';
import { call } from '../../lib/call.ts';

export type MarksMode = 'replace' | 'append';

interface MarksToSend {
  text: string;
  /** Sent instead of the text, if present. */
  file: File | null;
  mode: MarksMode;
  absent: AbsentRule;
  /** A sheet of the workbook; empty for the first one. */
  sheet: string;
  /** The column of marks; empty where none was chosen. */
  column: string;
  /** How decimals are written; empty where that was not chosen. */
  decimal: DecimalMark | '';
  /** The course version that the upload is based on; without it, any version is overwritten. */
  ifMatch?: string | undefined;
}

export const hasMarks = ({ text, file }: Pick<MarksToSend, 'text' | 'file'>) =>
  file !== null || text.trim() !== '';

/**
 * Uploads marks of a course, which replace the stored ones unless `mode` is `append`. The idempotency key keeps a
 * retry after a lost response from adding the same marks twice.
 */
export function useUploadMarks() {
  const attemptKey = useIdempotencyKey();
  return (courseId: number, { text, file, ifMatch, ...how }: MarksToSend) => {
    const marks = file === null ? text : { name: file.name, size: file.size, at: file.lastModified };
    return call('POST /api/courses-marks', {
      body:
        file === null
          ? { course_id: courseId, marks: text, ...how }
          : toForm({ course_id: courseId, ...how, file }),
      idempotencyKey: attemptKey({ courseId, marks, ...how }),
      ifMatch,
    });
  };
}

/** In the order of the fields: the file comes last, so that the server knows the course before it reads the marks. */
function toForm(fields: Readonly<Record<string, string | number | File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, value instanceof File ? value : String(value));
  }
  return form;
}

const MAX_FILE_MIB = 32;
/** The largest file that the server accepts. */
export const MAX_FILE_BYTES = MAX_FILE_MIB * 1024 * 1024;
const TOO_LARGE = `The file must be at most ${MAX_FILE_MIB} MiB.`;

/**
 * Checks the size before the save: the server would reject the marks only after it has stored the course.
 *
 * @throws ApiError at the field of the file
 */
export function assertUploadSize(file: Pick<File, 'size'> | null): void {
  if (file === null || file.size <= MAX_FILE_BYTES) return;
  throw new ApiError(422, TOO_LARGE, { errors: { file: [TOO_LARGE] } });
}
