import { expect, test } from 'vitest';
import { GRADE_LETTERS, gradeLetter, gradePoints } from './grade-scale.ts';

test('letters carry the points of the faculty', () => {
  expect(Object.fromEntries(GRADE_LETTERS.map((letter) => [letter, gradePoints(letter)]))).toEqual({
    A: 4,
    'B+': 3.5,
    B: 3,
    'C+': 2.5,
    C: 2,
    'D+': 1.5,
    D: 1,
    F: 0,
  });
});

test('every letter comes back from its points', () => {
  expect(GRADE_LETTERS.map((letter) => gradeLetter(gradePoints(letter)))).toEqual([...GRADE_LETTERS]);
});

test.each([0.5, -1, 3.7, 4.5, Number.NaN])('%s stands for no letter', (points) => {
  expect(gradeLetter(points)).toBeUndefined();
});
