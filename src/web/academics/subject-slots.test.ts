import { describe, expect, it } from 'vitest';
import {
  changeSlots,
  emptySlots,
  rowsBeyondTheLast,
  type SlotAction,
  type SubjectSlot,
  shownCount,
} from './subject-slots.ts';

const physics = { title: 'Physics', id: '1101', credit: '3', grade: 'B+' };
const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ ...physics, title: `Subject ${i + 1}` }));
const slotsAfter = (slots: readonly SubjectSlot[], ...actions: SlotAction[]) =>
  actions.reduce(changeSlots, [...slots]);
const only = (count: number) => emptySlots().map((slot, i) => ({ ...slot, shown: i < count }));

describe('subject slots', () => {
  it('are ten, and adding shows the first hidden one', () => {
    expect(emptySlots()).toHaveLength(10);
    const gap = slotsAfter(only(4), { type: 'remove', index: 1 });
    expect(gap.map((slot) => slot.shown).slice(0, 5)).toEqual([true, false, true, true, false]);
    expect(slotsAfter(gap, { type: 'add' })[1]?.shown).toBe(true);
  });

  it('can all be shown, and no more', () => {
    const all = slotsAfter(only(9), { type: 'add' });
    expect(shownCount(all)).toBe(10);
    expect(slotsAfter(all, { type: 'add' })).toEqual(all);
  });

  it('are hidden and cleared by removing', () => {
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

  it('are put back where they were, or in a free place where that is taken', () => {
    const putBack: SlotAction = { type: 'putBack', index: 1, subject: physics };
    expect(slotsAfter(only(1), putBack)[1]).toEqual({ ...physics, shown: true });
    const taken = slotsAfter(only(2), { type: 'change', index: 1, values: { title: 'Optics' } }, putBack);
    expect(taken.map(({ title }) => title).slice(0, 4)).toEqual(['', 'Optics', 'Physics', '']);
    const full = slotsAfter(only(1), { type: 'paste', index: 0, rows: rows(10) });
    expect(slotsAfter(full, putBack)).toEqual(full);
  });

  it('are shown up to the chosen number', () => {
    expect(shownCount(slotsAfter(only(1), { type: 'setCount', count: 7 }))).toBe(7);
    expect(shownCount(slotsAfter(only(7), { type: 'setCount', count: 2 }))).toBe(2);
  });

  it('keep what is typed when the number is lowered', () => {
    const filled = slotsAfter(only(5), { type: 'change', index: 4, values: physics });
    const lowered = slotsAfter(filled, { type: 'setCount', count: 1 });
    expect(lowered[4]).toEqual({ ...physics, shown: true });
    expect(shownCount(lowered)).toBe(2);
  });

  it('take pasted rows from the place pasted into, leaving filled ones alone', () => {
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

  it('say how many pasted rows have no place', () => {
    expect(rowsBeyondTheLast(only(1), 0, rows(10))).toBe(0);
    expect(rowsBeyondTheLast(only(1), 0, rows(11))).toBe(1);
    expect(shownCount(slotsAfter(only(1), { type: 'paste', index: 3, rows: rows(12) }))).toBe(10);
  });
});
