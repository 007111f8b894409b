import { SUBJECT_COUNT } from '../../domain/student.ts';

/** One subject of a semester as it stands in the form; all text, the grade a letter or ''. */
export interface SubjectValues {
  title: string;
  id: string;
  credit: string;
  grade: string;
}

/** One of the ten places for a subject. A place keeps its number, whether it is shown or hidden. */
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

/** A usual semester has five subjects; a place left empty is not stored. */
const SHOWN_AT_FIRST = 5;

const EMPTY: SubjectValues = { title: '', id: '', credit: '', grade: '' };

export const isEmptySlot = ({ title, id, credit, grade }: SubjectValues) =>
  [title, id, credit, grade].every((value) => value.trim() === '');

export function emptySlots(): SubjectSlot[] {
  return Array.from({ length: SUBJECT_COUNT }, (_, i) => ({ ...EMPTY, shown: i < SHOWN_AT_FIRST }));
}

export const shownCount = (slots: readonly SubjectSlot[]) => slots.filter((slot) => slot.shown).length;

/** How many of `rows` find no place when pasted at `index`. */
export function rowsBeyondTheLast(
  slots: readonly SubjectSlot[],
  index: number,
  rows: readonly SubjectValues[],
) {
  return Math.max(0, rows.length - placesFrom(slots, index).length);
}

export function changeSlots(slots: readonly SubjectSlot[], action: SlotAction): SubjectSlot[] {
  switch (action.type) {
    case 'add': {
      const hidden = slots.findIndex((slot) => !slot.shown);
      return replaceAt(slots, hidden, { shown: true });
    }
    case 'remove':
      return replaceAt(slots, action.index, { ...EMPTY, shown: false });
    case 'putBack': {
      // Something else may have been typed in its place meanwhile.
      const place = placesFrom(slots, action.index).find((i) => isFree(slots, i));
      return place === undefined ? [...slots] : replaceAt(slots, place, { ...action.subject, shown: true });
    }
    case 'setCount':
      // Lowering the number never throws away what is typed: only empty places go.
      return slots.map((slot, i) => ({ ...slot, shown: i < action.count || !isEmptySlot(slot) }));
    case 'change':
      return replaceAt(slots, action.index, action.values);
    case 'paste': {
      const places = placesFrom(slots, action.index);
      const next = [...slots];
      action.rows.slice(0, places.length).forEach((row, i) => {
        const place = places[i];
        if (place !== undefined) next[place] = { ...row, shown: true };
      });
      return next;
    }
  }
}

/** Places that pasted rows may fill: the one pasted into, then the empty ones below it, then those above. */
function placesFrom(slots: readonly SubjectSlot[], index: number): number[] {
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
