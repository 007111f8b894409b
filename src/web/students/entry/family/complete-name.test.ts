import { expect, test } from 'vitest';
import { completeName } from './complete-name.ts';

test.each([
  ['Imran', 'Siddiqui', 'Imran Siddiqui'],
  ['Muhammad Imran ', 'Siddiqui', 'Muhammad Imran Siddiqui'],
  ['Imran si', 'Siddiqui', 'Imran Siddiqui'],
  ['Syed', 'Syed Shah', 'Syed Syed Shah'],
  ['عمران', 'صدیقی', 'عمران صدیقی'],
])('completes %j of a %s', (typed, lastName, completed) => {
  expect(completeName(typed, lastName)).toBe(completed);
});

test.each([
  ['', 'Siddiqui'],
  ['  ', 'Siddiqui'],
  ['Imran Siddiqui', 'Siddiqui'],
  ['Imran siddiqui ', 'Siddiqui'],
  ['Siddiqui', 'Siddiqui'],
  ['Imran', ''],
])('has nothing to add to %j of a %j', (typed, lastName) => {
  expect(completeName(typed, lastName)).toBeUndefined();
});
