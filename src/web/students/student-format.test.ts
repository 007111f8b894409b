import { expect, test } from 'vitest';
import { missingResultsText } from './student-format.ts';

test('names the semesters before the current one that have no results', () => {
  expect(missingResultsText(0, 1)).toBeNull();
  expect(missingResultsText(3, 3)).toBeNull();
  expect(missingResultsText(1, 3)).toBe('The results of semester 2 are missing.');
  expect(missingResultsText(0, 3)).toBe('The results of semesters 1 and 2 are missing.');
  expect(missingResultsText(0, 4)).toBe('The results of semesters 1 to 3 are missing.');
});
