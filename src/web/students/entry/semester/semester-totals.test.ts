import { describe, expect, it } from 'vitest';
import { semesterTotals } from './semester-totals.ts';
import { emptySlots, slotsReducer } from './subjects/subject-slots.ts';

const subject = (index: number, credit: string, grade: string) =>
  ({ type: 'change', index, values: { title: 'Physics', credit, grade } }) as const;

describe('the totals of a semester', () => {
  it('have no SGPA before a subject is graded', () => {
    const slots = slotsReducer(emptySlots(), subject(0, '3', ''));
    expect(semesterTotals(slots)).toEqual({ subjects: 5, credits: 3, sgpa: null });
  });

  it('weight grades by credit hours', () => {
    const slots = [subject(0, '4', 'A'), subject(1, '2', 'F')].reduce(slotsReducer, emptySlots());
    expect(semesterTotals(slots)).toMatchObject({ credits: 6, sgpa: 2.67 });
  });

  it('ignore invalid credit hours', () => {
    const slots = [subject(0, '4', 'A'), subject(1, '9', 'F'), subject(2, '1.5', 'F')].reduce(
      slotsReducer,
      emptySlots(),
    );
    expect(semesterTotals(slots)).toMatchObject({ credits: 4, sgpa: 4 });
  });
});
