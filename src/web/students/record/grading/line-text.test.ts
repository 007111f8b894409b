import { describe, expect, it } from 'vitest';
import type { CgpaLine } from '../../../../contract/grading/grading.ts';
import { lineNote, pointsText, sumPoints } from './line-text.ts';

const aLine = (line: Partial<CgpaLine>): CgpaLine => ({
  ...{ semester: 1, slot: 1, course_id: null, title: 'Statics', credits: 3, letter: 'C', points: 2 },
  ...{ points_counted: 2, quality_points: 6, counted: true, reason: null, counted_in: null },
  ...line,
});
const failed = aLine({
  course_id: 7,
  letter: 'F',
  points: 0,
  counted: false,
  reason: 'repeated',
  counted_in: { semester: 3, slot: 2 },
});
const passed = aLine({ course_id: 7, semester: 3, slot: 2, letter: 'B' });

describe('the note on a line of a CGPA', () => {
  it('says why a subject does not count', () => {
    const all = { lines: [], repeat_policy: 'all' as const };
    expect(lineNote(aLine({ reason: 'no-grade', letter: null }), all)).toBe(
      'Does not count: it has no grade yet.',
    );
    expect(lineNote(aLine({ reason: 'no-grade', letter: null }), all, 'withdrawn')).toBe(
      'Does not count: it is withdrawn.',
    );
    expect(lineNote(aLine({ reason: 'no-credits' }), all)).toBe('Does not count: it has no credit hours.');
    expect(lineNote(failed, { lines: [failed, passed], repeat_policy: 'best' })).toBe(
      'Does not count: repeated, the attempt in semester 3 with B counts instead.',
    );
  });

  it.each([
    ['all', 'Counts, as does the attempt in semester 1 with F.'],
    ['best', 'Counts instead of the attempt in semester 1 with F.'],
    ['latest', 'Counts instead of the attempt in semester 1 with F.'],
    ['average', 'Counts with the mean of 2 attempts, this with B and semester 1 with F.'],
  ] as const)('says how a repeated course counts under %s', (repeat_policy, note) => {
    expect(lineNote(passed, { lines: [failed, passed], repeat_policy })).toBe(note);
  });

  it('is left out for a subject taken once, and never joins subjects without a course ID', () => {
    const one = aLine({});
    expect(lineNote(one, { lines: [one, aLine({ semester: 2 })], repeat_policy: 'all' })).toBeUndefined();
  });
});

describe('points in words', () => {
  it('have a second decimal only where it is needed', () => {
    expect([7.5, 8, 2.25, 5.01, null].map(pointsText)).toEqual(['7.5', '8.0', '2.25', '5.01', '--']);
  });

  it('are summed without the error of binary fractions', () => {
    expect(sumPoints([0.1, 0.2].map((quality_points) => aLine({ quality_points })))).toBe(0.3);
  });
});
