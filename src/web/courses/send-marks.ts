import type { Course } from '../../contract/courses.ts';
import { call } from '../api.ts';

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
}

export const hasMarks = ({ text, file }: Pick<MarksToSend, 'text' | 'file'>) =>
  file !== null || text.trim() !== '';

/** Uploads marks of a course; those there are give way unless `mode` adds to them. */
export function sendMarks(courseId: number, { text, file, mode }: MarksToSend): Promise<CourseSaved> {
  return call('POST', '/api/courses-marks', {
    body: file === null ? { course_id: courseId, marks: text, mode } : fileForm(courseId, file, mode),
  });
}

function fileForm(courseId: number, file: File, mode: MarksMode): FormData {
  const form = new FormData();
  // Fields before the file, so that the server knows the course before it reads the marks.
  form.set('course_id', String(courseId));
  form.set('mode', mode);
  form.set('file', file);
  return form;
}
