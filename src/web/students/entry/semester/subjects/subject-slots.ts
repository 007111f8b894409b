import { GRADE_LETTERS } from '../../../../../domain/grading/gpa.ts';
import { SUBJECT_COUNT } from '../../../../../domain/student.ts';

/** One subject of a semester as form values, each as it was typed. */
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

export const SLOT_FIELD_LABELS: Record<SubjectField, string> = {
  title: 'Title',
  id: 'Subject ID',
  credit: 'Credit Hours',
  grade: 'Grade',
};

export type SlotAction =
  | { type: 'add' }
  | { type: 'remove'; index: number }
  | { type: 'putBack'; index: number; subject: SubjectValues }
  | { type: 'setCount'; count: number }
  | { type: 'change'; index: number; values: Partial<SubjectValues> }
  | { type: 'paste'; index: number; rows: readonly SubjectValues[] }
  | { type: 'fill'; rows: readonly SubjectValues[]; replaces?: boolean };

/** The usual number of subjects; slots left empty are not stored. */
const INITIALLY_SHOWN = 5;

const EMPTY: SubjectValues = { title: '', id: '', credit: '', grade: '' };

export const isEmptySlot = ({ title, id, credit, grade }: SubjectValues) =>
  [title, id, credit, grade].every((value) => value.trim() === '');

/** Why a typed grade can't be stored; undefined for a letter and for no grade. */
export function gradeError(grade: string): string | undefined {
  const isLetter = GRADE_LETTERS.some((letter) => letter === grade.trim());
  return isLetter || grade.trim() === '' ? undefined : `Grade must be one of ${GRADE_LETTERS.join(', ')}.`;
}

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
    case 'paste':
      return putRows(slots, slotsToFill(slots, action.index), action.rows);
    case 'fill': {
      const start = action.replaces ? slots.map(() => ({ ...EMPTY, shown: false })) : slots;
      return putRows(start, freeSlots(start), action.rows);
    }
  }
}

/** Puts one row after the other into these slots. */
function putRows(
  slots: readonly SubjectSlot[],
  indexes: readonly number[],
  rows: readonly SubjectValues[],
): SubjectSlot[] {
  return slots.map((slot, i) => {
    const row = rows[indexes.indexOf(i)];
    return row === undefined ? slot : { ...row, shown: true };
  });
}

/** Indexes of the slots that pasted rows fill: the one pasted into, the empty ones below it, then those above. */
function slotsToFill(slots: readonly SubjectSlot[], index: number): number[] {
  const free = freeSlots(slots);
  return [index, ...free.filter((i) => i > index), ...free.filter((i) => i < index)];
}

const freeSlots = (slots: readonly SubjectSlot[]) => slots.map((_, i) => i).filter((i) => isFree(slots, i));

function isFree(slots: readonly SubjectSlot[], index: number): boolean {
  const slot = slots[index];
  return slot !== undefined && isEmptySlot(slot);
}

function replaceAt(slots: readonly SubjectSlot[], index: number, values: Partial<SubjectSlot>) {
  return slots.map((slot, i) => (i === index ? { ...slot, ...values } : slot));
}
