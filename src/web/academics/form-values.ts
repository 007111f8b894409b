import { fieldNames, toSemesterBody } from './semester-fields.ts';
import { emptySlots, isEmptySlot, type SubjectSlot } from './subject-slots.ts';

/** The one value beside the forty fields: which places are shown, as their numbers between blanks. */
const SHOWN = 'shown';

/** The ten places as the flat texts that a draft keeps. */
export function toFormValues(slots: readonly SubjectSlot[]): Record<string, string> {
  const shown = slots.flatMap((slot, i) => (slot.shown ? [i + 1] : []));
  return { ...toSemesterBody(slots), [SHOWN]: shown.join(' ') };
}

export function fromFormValues(values: Readonly<Record<string, string>>): SubjectSlot[] {
  const shown = new Set((values[SHOWN] ?? '').split(' '));
  return emptySlots().map((_, i) => {
    const names = fieldNames(i + 1);
    const subject = {
      title: values[names.title] ?? '',
      id: values[names.id] ?? '',
      credit: values[names.credit] ?? '',
      grade: values[names.grade] ?? '',
    };
    return { ...subject, shown: shown.has(String(i + 1)) || !isEmptySlot(subject) };
  });
}
