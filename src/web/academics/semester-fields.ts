import type { Academic, Slot } from '../../contract/academics.ts';
import { gradeLetter } from '../../domain/grade-scale.ts';
import { emptySlots, isEmptySlot, type SubjectField, type SubjectSlot } from './subject-slots.ts';

/** Names of a subject's four fields on the wire; `slot` counts from 1. */
export const fieldNames = (slot: number): Record<SubjectField, string> => ({
  title: `subject_${slot}`,
  id: `subject_${slot}_id`,
  credit: `subj_credit_${slot}`,
  grade: `subj_grade_${slot}`,
});

export const FIELD_LABELS: Record<SubjectField, string> = {
  title: 'Title',
  id: 'Subject ID',
  credit: 'Credit Hours',
  grade: 'Grade',
};

const FIELDS = ['title', 'id', 'credit', 'grade'] as const satisfies readonly SubjectField[];

/** Every field of the ten subjects in reading order, with the label that names it on its own. */
export const SEMESTER_FIELDS = emptySlots().flatMap((_, i) =>
  FIELDS.map((field) => ({
    name: fieldNames(i + 1)[field],
    label: `Subject ${i + 1} ${FIELD_LABELS[field]}`,
  })),
);

/** What is sent: all forty fields, so that an emptied subject is emptied on the server too. */
export function toSemesterBody(slots: readonly SubjectSlot[]): Record<string, string> {
  return Object.fromEntries(
    slots.flatMap((slot, i) => {
      const names = fieldNames(i + 1);
      return FIELDS.map((field): [string, string] => [names[field], slot[field]]);
    }),
  );
}

/** A recorded semester as the form holds it; places without a subject are hidden. */
export function fromAcademic(academic: Academic): SubjectSlot[] {
  const numbers: readonly Slot[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const slots = numbers.map((n) => {
    const points = academic[`subj_grade_${n}`];
    const values = {
      title: academic[`subject_${n}`] ?? '',
      id: String(academic[`subject_${n}_id`] ?? ''),
      credit: String(academic[`subj_credit_${n}`] ?? ''),
      grade: points === null ? '' : (gradeLetter(points) ?? ''),
    };
    return { ...values, shown: !isEmptySlot(values) };
  });
  return slots.some((slot) => slot.shown) ? slots : emptySlots();
}

/** A subject's title, credit hours and grade belong together: the number in a field's name is its place. */
export const placeOf = (name: string) => /\d+/.exec(name)?.[0] ?? name;

/** Names the form that edits a semester in the storage of drafts. */
export const semesterEditDraft = (studentId: string, semester: number) =>
  `academics-edit:${studentId}:${semester}`;
