import type { Course } from '../../contract/courses.ts';
import { call } from '../api.ts';
import { useAttemptKey } from '../forms/use-attempt-key.ts';

export interface CourseSaved {
  message: string;
  course: Course;
}

export type MarksMode = 'replace' | 'append';

interface MarksToSend {
  text: string;
  /** Sent instead of the text where there is one. */
  file: File | null;
  mode: MarksMode;
  /** The version of the course that these marks are meant for; any where it is not known. */
  ifMatch?: string | undefined;
}

export const hasMarks = ({ text, file }: Pick<MarksToSend, 'text' | 'file'>) =>
  file !== null || text.trim() !== '';

/**
 * Uploads marks of a course; those there are give way unless `mode` adds to them. Repeated because its answer was
 * lost, an upload does not add the same marks again.
 */
export function useSendMarks() {
  const attemptKey = useAttemptKey();
  return (courseId: number, { text, file, mode, ifMatch }: MarksToSend): Promise<CourseSaved> => {
    const marks = file === null ? text : { name: file.name, size: file.size, at: file.lastModified };
    return call('POST', '/api/courses-marks', {
      body: file === null ? { course_id: courseId, marks: text, mode } : fileForm(courseId, file, mode),
      idempotencyKey: attemptKey({ courseId, marks, mode }),
      ifMatch,
    });
  };
}

function fileForm(courseId: number, file: File, mode: MarksMode): FormData {
  const form = new FormData();
  // Fields before the file, so that the server knows the course before it reads the marks.
  form.set('course_id', String(courseId));
  form.set('mode', mode);
  form.set('file', file);
  return form;
}
