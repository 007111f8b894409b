import { expect, it } from 'vitest';
import { findNamedSheets, semesterErrorText } from './semester-errors.ts';

it('names the fields of a subject by their labels', () => {
  expect(semesterErrorText('subj_credit_1', 'The subj credit 1 must be a whole number from 1 to 6.')).toBe(
    'Credit hours must be a whole number from 1 to 6.',
  );
  expect(semesterErrorText('subject_10_id', 'The subject 10 id must be the number of a course.')).toBe(
    'Subject ID must be the number of a course.',
  );
  expect(semesterErrorText('subject_2', 'The subject 2 field is required.')).toBe('Required');
});

it('finds the mark sheets that refusals name, each once', () => {
  const text = (sheet: number) =>
    `Subject 2 was written by mark sheet ${sheet} (Signals). Only a rectification of that sheet changes it.`;
  expect(findNamedSheets([text(12), undefined, text(7), text(12), null, 'Required'])).toEqual(['12', '7']);
});
