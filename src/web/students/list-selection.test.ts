import { describe, expect, it } from 'vitest';
import { chosenCount, EVERYBODY, isChosen, NOBODY, withStudents } from './list-selection.ts';

describe('what is chosen in the list', () => {
  it('is single students, taken in and out', () => {
    const two = withStudents(NOBODY, ['1', '2'], true);
    expect(chosenCount(two, 1000)).toBe(2);
    expect(isChosen(two, '1')).toBe(true);
    expect(isChosen(withStudents(two, ['1'], false), '1')).toBe(false);
  });

  it('is all that match but for those taken out', () => {
    const but = withStudents(EVERYBODY, ['7'], false);
    expect(chosenCount(but, 1000)).toBe(999);
    expect(isChosen(but, '7')).toBe(false);
    expect(isChosen(but, '8')).toBe(true);
    expect(chosenCount(withStudents(but, ['7'], true), 1000)).toBe(1000);
  });
});
