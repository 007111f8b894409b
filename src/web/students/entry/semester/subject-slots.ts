import { SUBJECT_COUNT } from '../../../../domain/student.ts';

/** One subject of a semester as form values; the grade is a letter or ''. */
export interface SubjectValues {
  title: string;
  id: string;
  credit: string;
  grade: string;
}

/** One of the ten slots for a subject. A slot keeps its number, visible or hidden. */
export interface SubjectSlot extends SubjectValues {
  shown: boolean;
}

export type SubjectField = keyof SubjectValues;

export type SlotAction =
  | { type: 'add' }
  | { type: 'remove'; index: number }
  | { type: 'putBack'; index: number; subject: SubjectValues }
  | { type: 'setCount'; count: number }
  | { type: 'change'; index: number; values: Partial<SubjectValues> }
  | { type: 'paste'; index: number; rows: readonly SubjectValues[] };

/** The usual number of subjects; slots left empty are not stored. */
const INITIALLY_SHOWN = 5;

const EMPTY: SubjectValues = { title: '', id: '', credit: '', grade: '' };

export const isEmptySlot = ({ title, id, credit, grade }: SubjectValues) =>
  [title, id, credit, grade].every((value) => value.trim() === '');

export function emptySlots(): SubjectSlot[] {
  return Array.from({ length: SUBJECT_COUNT }, (_, i) => ({ ...EMPTY, shown: i < INITIALLY_SHOWN }));
}

export const visibleSlotCount = (slots: readonly SubjectSlot[]) => slots.filter((slot) => slot.shown).length;

/** How many of `rows` have no slot when pasted at `index`. */
export function overflowCount(slots: readonly SubjectSlot[], index: number, rows: readonly SubjectValues[]) {
  return Math.max(0, rows.length - slotsToFill(slots, index).length);
}

export function slotsReducer(slots: readonly SubjectSlot[], action: SlotAction): SubjectSlot[] {
  switch (action.type) {
    case 'add': {
      const hidden = slots.findIndex((slot) => !slot.shown);
      return replaceAt(slots, hidden, { shown: true });
    }
    case 'remove':
      return replaceAt(slots, action.index, { ...EMPTY, shown: false });
    case 'putBack': {
      // Another subject may have been typed in its slot since.
      const free = slotsToFill(slots, action.index).find((i) => isFree(slots, i));
      return free === undefined ? [...slots] : replaceAt(slots, free, { ...action.subject, shown: true });
    }
    case 'setCount':
      // Lowering the number hides empty slots only: nothing typed is lost.
      return slots.map((slot, i) => ({ ...slot, shown: i < action.count || !isEmptySlot(slot) }));
    case 'change':
      return replaceAt(slots, action.index, action.values);
    case 'paste': {
      const pasted = [...slots];
      for (const [i, index] of slotsToFill(slots, action.index).entries()) {
        const row = action.rows[i];
        if (row !== undefined) pasted[index] = { ...row, shown: true };
      }
      return pasted;
    }
  }
}

/** Indexes of the slots that pasted rows fill: the one pasted into, the empty ones below it, then those above. */
function slotsToFill(slots: readonly SubjectSlot[], index: number): number[] {
  const below = slots.map((_, i) => i).slice(index + 1);
  const above = slots.map((_, i) => i).slice(0, index);
  return [index, ...[...below, ...above].filter((i) => isFree(slots, i))];
}

function isFree(slots: readonly SubjectSlot[], index: number): boolean {
  const slot = slots[index];
  return slot !== undefined && isEmptySlot(slot);
}

function replaceAt(slots: readonly SubjectSlot[], index: number, values: Partial<SubjectSlot>) {
  return slots.map((slot, i) => (i === index ? { ...slot, ...values } : slot));
}
