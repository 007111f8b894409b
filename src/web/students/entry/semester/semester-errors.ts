import { displayErrorText, type ErrorTextRewrite } from '../../../forms/messages/error-texts.ts';
import { ApiError } from '../../../lib/api.ts';

/** The server's names of a subject's fields and their labels in the form; the longer names first. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\bThe subject \d+ id\b/g, 'Subject ID'],
  [/\bThe subj credit \d+\b/g, 'Credit hours'],
  [/\bThe subj grade \d+\b/g, 'Grade'],
  [/\bThe subject \d+\b/g, 'Title'],
];

/** Error texts of the forms for results name the label of a field, without its slot number. */
export const semesterErrorText: ErrorTextRewrite = (field, serverText) =>
  NAMES.reduce((text, [pattern, label]) => text.replace(pattern, label), displayErrorText(field, serverText));

/** Whether the server refused a semester because it is not the next one to record. */
export function isSemesterConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 422 && error.errors.semester !== undefined;
}

/** The mark sheets that refusals name, since they wrote what was to be changed; each once. */
export function findNamedSheets(texts: readonly (string | null | undefined)[]): string[] {
  const found = texts.flatMap((text) => [...(text ?? '').matchAll(/\bwritten by mark sheet (\d+)\b/g)]);
  return [...new Set(found.map(([, id = '']) => id))];
}
