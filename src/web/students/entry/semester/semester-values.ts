import type { Academic } from '../../../../contract/students/academics.ts';
import { readSlots, SLOTS, slotFieldNames, slotNumber } from '../../../../contract/students/subject-slots.ts';
import { gradeLetter } from '../../../../domain/grading/gpa.ts';
import {
  emptySlots,
  isEmptySlot,
  SLOT_FIELD_LABELS,
  type SubjectField,
  type SubjectSlot,
} from './subjects/subject-slots.ts';

const FIELDS = ['title', 'id', 'credit', 'grade'] as const satisfies readonly SubjectField[];

/** The fields of the ten subjects in reading order, with labels that name each without its context. */
export const SEMESTER_FIELDS = emptySlots().flatMap((_, i) =>
  FIELDS.map((field) => ({
    name: slotFieldNames(i + 1)[field],
    label: `Subject ${i + 1} ${SLOT_FIELD_LABELS[field]}`,
  })),
);

/** The additional form value after the forty fields: the numbers of the visible slots, separated by spaces. */
const SHOWN = 'shown';

/**
 * The ten slots as form values. The names are those of the API, under which drafts are stored, conflicts are found and
 * errors are reported.
 */
export function slotsToFormValues(slots: readonly SubjectSlot[]): Record<string, string> {
  const fields = slots.flatMap((slot, i) => {
    const names = slotFieldNames(i + 1);
    return FIELDS.map((field): [string, string] => [names[field], slot[field]]);
  });
  const shown = slots.flatMap((slot, i) => (slot.shown ? [i + 1] : []));
  return { ...Object.fromEntries(fields), [SHOWN]: shown.join(' ') };
}

/** The inverse of {@link slotsToFormValues}. A slot with a subject is visible in any case. */
export function slotsFromFormValues(values: Readonly<Record<string, string>>): SubjectSlot[] {
  const shown = new Set((values[SHOWN] ?? '').split(' '));
  return emptySlots().map((_, i) => {
    const names = slotFieldNames(i + 1);
    const subject = {
      title: values[names.title] ?? '',
      id: values[names.id] ?? '',
      credit: values[names.credit] ?? '',
      grade: values[names.grade] ?? '',
    };
    return { ...subject, shown: shown.has(String(i + 1)) || !isEmptySlot(subject) };
  });
}

/** The fields to send: all forty, so that an emptied subject is emptied on the server too. */
export const toSemesterBody = (values: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(SEMESTER_FIELDS.map(({ name }) => [name, values[name] ?? ''])),
  ...((values.reason ?? '').trim() !== '' && { reason: values.reason ?? '' }),
});

/** `reason`: why an administrator changes results that come from mark sheets. */
export const EMPTY_SEMESTER: Record<string, string> = { ...slotsToFormValues(emptySlots()), reason: '' };

/** A recorded semester as form values, with the empty slots hidden; an empty form where none is recorded. */
export function toSemesterValues(academic: Academic | undefined): Record<string, string> {
  if (academic === undefined) return EMPTY_SEMESTER;
  const subjects = readSlots(academic);
  const slots = SLOTS.map((slot) => {
    const subject = subjects.find((one) => one.slot === slot);
    const points = subject?.grade ?? null;
    const values = {
      title: subject?.title ?? '',
      id: String(subject?.id ?? ''),
      credit: String(subject?.credit ?? ''),
      grade: points === null ? '' : (gradeLetter(points) ?? ''),
    };
    return { ...values, shown: !isEmptySlot(values) };
  });
  return slots.some(({ shown }) => shown) ? { ...slotsToFormValues(slots), reason: '' } : EMPTY_SEMESTER;
}

/** The group of a field: title, ID, credit hours and grade of one subject belong together. */
export const subjectGroup = (name: string) => String(slotNumber(name) ?? name);

/** Names the form that edits a semester in the storage of drafts. */
export const semesterEditDraftKey = (studentId: string, semester: number) =>
  `academics-edit:${studentId}:${semester}`;
