import { describe, expect, it } from 'vitest';
import { findGaps, gapsQuestion } from './semester-gaps.ts';
import { emptySlots, slotsReducer } from './subjects/subject-slots.ts';

const withSubjects = (...subjects: [title: string, credit: string, grade: string][]) =>
  slotsReducer(emptySlots(), {
    type: 'fill',
    rows: subjects.map(([title, credit, grade]) => ({ title, id: '', credit, grade })),
  });
const question = (...subjects: Parameters<typeof withSubjects>) =>
  gapsQuestion(findGaps(withSubjects(...subjects)));

describe('the gaps of a semester', () => {
  it('are subjects without a grade or without credit hours, by their titles', () => {
    const slots = withSubjects(['Physics', '3', ''], ['', ' ', 'A'], ['Statics', '2', 'B']);
    expect(findGaps(slots)).toEqual({ grade: ['Physics'], credit: ['Subject 2'] });
  });

  it('are asked about before saving', () => {
    expect(question(['Physics', '3', ''], ['Statics', '2', ''])).toBe(
      '2 subjects have no grade. Save anyway?',
    );
    expect(question(['Physics', '', 'A'])).toBe('1 subject has no credit hours. Save anyway?');
    expect(question(['Physics', '', ''], ['Statics', '2', ''])).toBe(
      '2 subjects have no grade and 1 subject has no credit hours. Save anyway?',
    );
    expect(question(['Physics', '3', 'A'])).toBeUndefined();
  });
});
