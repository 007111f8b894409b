import { describe, expect, it } from 'vitest';
import {
  emptySlots,
  gradeError,
  overflowCount,
  type SlotAction,
  type SubjectSlot,
  slotsReducer,
  visibleSlotCount,
} from './subject-slots.ts';

const physics = { title: 'Physics', id: '1101', credit: '3', grade: 'B+' };
const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ ...physics, title: `Subject ${i + 1}` }));
const slotsAfter = (slots: readonly SubjectSlot[], ...actions: SlotAction[]) =>
  actions.reduce(slotsReducer, [...slots]);
const only = (count: number) => emptySlots().map((slot, i) => ({ ...slot, shown: i < count }));

describe('the subject slots of a semester', () => {
  // Covers 2.113, 4.24, 4.25
  it('are ten, of which adding shows the first hidden one', () => {
    expect(emptySlots()).toHaveLength(10);
    const gap = slotsAfter(only(4), { type: 'remove', index: 1 });
    expect(gap.map((slot) => slot.shown).slice(0, 5)).toEqual([true, false, true, true, false]);
    expect(slotsAfter(gap, { type: 'add' })[1]?.shown).toBe(true);
  });

  // Covers 4.24
  it('can all be shown, and no more', () => {
    const all = slotsAfter(only(9), { type: 'add' });
    expect(visibleSlotCount(all)).toBe(10);
    expect(slotsAfter(all, { type: 'add' })).toEqual(all);
  });

  // Covers 4.27
  it('are hidden and emptied by removing', () => {
    const filled = slotsAfter(only(2), { type: 'change', index: 1, values: physics });
    expect(filled[1]).toEqual({ ...physics, shown: true });
    expect(slotsAfter(filled, { type: 'remove', index: 1 })[1]).toEqual({
      title: '',
      id: '',
      credit: '',
      grade: '',
      shown: false,
    });
  });

  it('get a removed subject back, or the next free slot does if that one is taken', () => {
    const putBack: SlotAction = { type: 'putBack', index: 1, subject: physics };
    expect(slotsAfter(only(1), putBack)[1]).toEqual({ ...physics, shown: true });
    const taken = slotsAfter(only(2), { type: 'change', index: 1, values: { title: 'Optics' } }, putBack);
    expect(taken.map(({ title }) => title).slice(0, 4)).toEqual(['', 'Optics', 'Physics', '']);
    const full = slotsAfter(only(1), { type: 'paste', index: 0, rows: rows(10) });
    expect(slotsAfter(full, putBack)).toEqual(full);
  });

  // Covers 4.28
  it('are shown up to the chosen number', () => {
    expect(visibleSlotCount(slotsAfter(only(1), { type: 'setCount', count: 7 }))).toBe(7);
    expect(visibleSlotCount(slotsAfter(only(7), { type: 'setCount', count: 2 }))).toBe(2);
  });

  it('keep what is typed when the number is lowered', () => {
    const filled = slotsAfter(only(5), { type: 'change', index: 4, values: physics });
    const lowered = slotsAfter(filled, { type: 'setCount', count: 1 });
    expect(lowered[4]).toEqual({ ...physics, shown: true });
    expect(visibleSlotCount(lowered)).toBe(2);
  });

  it('are filled by pasted rows from the one pasted into, except those that have a subject', () => {
    const filled = slotsAfter(only(3), { type: 'change', index: 1, values: physics });
    const pasted = slotsAfter(filled, { type: 'paste', index: 0, rows: rows(3) });
    expect(pasted.slice(0, 4).map((slot) => slot.title)).toEqual([
      'Subject 1',
      'Physics',
      'Subject 2',
      'Subject 3',
    ]);
    expect(pasted[3]?.shown).toBe(true);
  });

  it('are filled from the class where they are free, and no others', () => {
    const filled = slotsAfter(only(3), { type: 'change', index: 1, values: physics });
    const fromClass = slotsAfter(filled, { type: 'fill', rows: rows(3) });
    expect(fromClass.slice(0, 4).map((slot) => slot.title)).toEqual([
      'Subject 1',
      'Physics',
      'Subject 2',
      'Subject 3',
    ]);
    expect(fromClass[3]?.shown).toBe(true);
  });

  it.each([
    ['A', undefined],
    ['B+', undefined],
    ['', undefined],
    ['E', 'Grade must be one of A, B+, B, C+, C, D+, D, F.'],
    ['A+', 'Grade must be one of A, B+, B, C+, C, D+, D, F.'],
  ])('take the grade %j or say why not', (grade, error) => {
    expect(gradeError(grade)).toBe(error);
  });

  it('count the pasted rows that have no slot', () => {
    expect(overflowCount(only(1), 0, rows(10))).toBe(0);
    expect(overflowCount(only(1), 0, rows(11))).toBe(1);
    expect(visibleSlotCount(slotsAfter(only(1), { type: 'paste', index: 3, rows: rows(12) }))).toBe(10);
  });
});
