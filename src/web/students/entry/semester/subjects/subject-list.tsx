import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { slotFieldNames } from '../../../../../contract/students/subject-slots.ts';
import { coursesQuery } from '../../../../courses/course-queries.ts';
import { fieldId } from '../../../../ui/fields/field.tsx';
import { followCourse } from './course-match.ts';
import { SUBJECT_GRID_COLUMNS, SubjectRow } from './subject-row.tsx';
import { SLOT_FIELD_LABELS, type SlotAction, type SubjectSlot, type SubjectValues } from './subject-slots.ts';

interface SubjectListProps {
  slots: readonly SubjectSlot[];
  /** The subjects that mark sheets wrote, by slot. */
  sheetBySlot: ReadonlyMap<number, unknown>;
  /** No subject can be changed. */
  isLocked: boolean;
  errors: Partial<Record<string, string>>;
  onAction: (action: SlotAction) => void;
}

/** The visible subjects, and the button that shows another one while there is a hidden slot. */
export function SubjectList({ slots, errors, sheetBySlot, isLocked, onAction }: SubjectListProps) {
  const { data: courses = [] } = useQuery(coursesQuery);
  const addButton = useRef<HTMLButtonElement>(null);

  const findCourse = (courseId: string) =>
    courses.find(({ course_id }) => String(course_id) === courseId.trim());
  const change = (index: number, values: Partial<SubjectValues>) => {
    const slot = slots[index];
    const isIdTyped = slot !== undefined && values.id !== undefined && values.title === undefined;
    const followed = isIdTyped ? followCourse(slot, findCourse(slot.id), findCourse(values.id ?? '')) : {};
    onAction({ type: 'change', index, values: { ...values, ...followed } });
  };
  const add = () => {
    const hidden = slots.findIndex((slot) => !slot.shown);
    flushSync(() => onAction({ type: 'add' }));
    document.getElementById(fieldId(slotFieldNames(hidden + 1).title))?.focus();
  };
  const remove = (index: number) => {
    const following = slots.findIndex((slot, i) => i > index && slot.shown);
    flushSync(() => onAction({ type: 'remove', index }));
    // The pressed button is removed, so the focus moves to the next subject.
    if (following === -1) addButton.current?.focus();
    else document.getElementById(fieldId(slotFieldNames(following + 1).title))?.focus();
  };

  return (
    <>
      <div
        aria-hidden="true"
        className={`grid gap-3 pr-2.75 pl-3.75 pb-1.5 font-[540] text-caption text-fg-3 max-lg:hidden ${SUBJECT_GRID_COLUMNS}`}
      >
        <span />
        {Object.values(SLOT_FIELD_LABELS).map((label) => (
          <span key={label}>{label}</span>
        ))}
      </div>
      <div className="grid gap-2">
        {slots.map((slot, index) =>
          slot.shown ? (
            <SubjectRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a slot is identified by its number.
              key={index}
              number={index + 1}
              slot={slot}
              errors={errors}
              isLocked={isLocked || sheetBySlot.has(index + 1)}
              courses={courses}
              onChange={(values) => change(index, values)}
              onPaste={(rows) => onAction({ type: 'paste', index, rows })}
              onRemove={() => remove(index)}
            />
          ) : null,
        )}
        {!isLocked && slots.some((slot) => !slot.shown) && (
          <button
            ref={addButton}
            type="button"
            data-adds-subject
            onClick={add}
            className="flex min-h-11 w-full items-center justify-center gap-2 rounded-panel border border-control border-dashed font-[540] text-fg-2 hover:border-ink hover:bg-hover hover:text-ink-text"
          >
            <Plus className="size-4" />
            Add subject
          </button>
        )}
      </div>
    </>
  );
}
