/**
 * The ten numbered subject slots of a semester, each of which is four fields of the semester: `subject_2`, `subject_2_id`,
 * `subj_credit_2` and `subj_grade_2`. Everything that reads, writes or names these fields does so through this file.
 */

/** Numbers of the slots, as they appear in the field names. */
export const SLOTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;
export type Slot = (typeof SLOTS)[number];

/** The four fields of one slot, by short names of their own. */
interface SlotFields<Title = unknown, Id = unknown, Credit = unknown, Grade = unknown> {
  title: Title;
  id: Id;
  credit: Credit;
  grade: Grade;
}

/** Names of the four fields of a slot, in reading order. */
export const slotFieldNames = <N extends number>(slot: N) =>
  ({
    title: `subject_${slot}`,
    id: `subject_${slot}_id`,
    credit: `subj_credit_${slot}`,
    grade: `subj_grade_${slot}`,
  }) as const;

/** The field names of every slot, made once. */
export const SLOT_FIELDS = SLOTS.map((slot) => ({ slot, ...slotFieldNames(slot) }));

/** The number of the slot that a field belongs to; undefined for any other field. It may be above the last slot. */
export function slotNumber(field: string): number | undefined {
  const slot = /^(?:subject|subj_credit|subj_grade)_(\d+)(?:_id)?$/.exec(field)?.[1];
  return slot === undefined ? undefined : Number(slot);
}

/** The forty fields of a semester, each kind with its own type of value. */
type AllSlotFields<Fields extends SlotFields> = { [S in Slot as `subject_${S}`]: Fields['title'] } & {
  [S in Slot as `subject_${S}_id`]: Fields['id'];
} & { [S in Slot as `subj_credit_${S}`]: Fields['credit'] } & {
  [S in Slot as `subj_grade_${S}`]: Fields['grade'];
};

/** The forty fields in reading order, slot by slot, with what `toFields` gives for each slot. */
export function eachSlot<Fields extends SlotFields>(toFields: (slot: Slot) => Fields): AllSlotFields<Fields> {
  const all = SLOT_FIELDS.flatMap((names) => {
    const { title, id, credit, grade } = toFields(names.slot);
    return [
      [names.title, title],
      [names.id, id],
      [names.credit, credit],
      [names.grade, grade],
    ];
  });
  // The compiler does not follow names that are put together at run time.
  return Object.fromEntries(all) as AllSlotFields<Fields>;
}

/** A subject in its slot; `grade` is in grade points. */
export interface SlotSubject extends SlotFields<string, number | null, number | null, number | null> {
  slot: Slot;
}

type SlotValues = AllSlotFields<SlotFields<string | null, number | null, number | null, number | null>>;

/**
 * The subjects of a semester in the order of their slots. A slot without a title is empty and left out. Fields may be
 * missing, as in old entries of the history.
 */
export function readSlots(semester: Partial<Record<keyof SlotValues, unknown>>): SlotSubject[] {
  return SLOT_FIELDS.flatMap((names) => {
    const title = semester[names.title];
    if (typeof title !== 'string') return [];
    return {
      slot: names.slot,
      title,
      id: numberOrNull(semester[names.id]),
      credit: numberOrNull(semester[names.credit]),
      grade: numberOrNull(semester[names.grade]),
    };
  });
}

const numberOrNull = (value: unknown) => (typeof value === 'number' ? value : null);

/** Parsed: engines copy such an object several times faster than one made of entries, and an import copies thousands. */
const EMPTY_FIELDS: SlotValues = JSON.parse(
  JSON.stringify(eachSlot(() => ({ title: null, id: null, credit: null, grade: null }))),
);

/** The forty fields of a semester with these subjects; those of empty slots are null. */
export function writeSlots(subjects: readonly SlotSubject[]): SlotValues {
  const all = { ...EMPTY_FIELDS };
  for (const { slot, title, id, credit, grade } of subjects) {
    const names = slotFieldNames(slot);
    all[names.title] = title;
    all[names.id] = id;
    all[names.credit] = credit;
    all[names.grade] = grade;
  }
  return all;
}
