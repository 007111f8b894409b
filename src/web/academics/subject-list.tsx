import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useId, useRef } from 'react';
import { flushSync } from 'react-dom';
import { fieldId } from '../ui/field.tsx';
import { FIELD_LABELS, fieldNames } from './semester-fields.ts';
import { SUBJECT_COLUMNS, SubjectCard } from './subject-card.tsx';
import type { SlotAction, SubjectSlot, SubjectValues } from './subject-slots.ts';
import { coursesQuery } from './use-courses.ts';

interface SubjectListProps {
  slots: readonly SubjectSlot[];
  errors: Partial<Record<string, string>>;
  onAction: (action: SlotAction) => void;
}

/** The subjects that are shown, with the control that shows one more as long as there is one. */
export function SubjectList({ slots, errors, onAction }: SubjectListProps) {
  const listId = useId();
  const { data: courses = [] } = useQuery(coursesQuery);
  const addButton = useRef<HTMLButtonElement>(null);

  const nameOf = (courseId: string | undefined) =>
    courses.find(({ course_id }) => String(course_id) === courseId?.trim())?.course_name;
  const change = (index: number, values: Partial<SubjectValues>) => {
    const slot = slots[index];
    const name = nameOf(values.id);
    // A title that was typed stays; an empty one, or one that the catalogue gave, follows the number.
    const follows = slot !== undefined && (slot.title === '' || slot.title === nameOf(slot.id));
    const title = follows ? name : undefined;
    onAction({ type: 'change', index, values: title === undefined ? values : { ...values, title } });
  };
  const add = () => {
    const hidden = slots.findIndex((slot) => !slot.shown);
    flushSync(() => onAction({ type: 'add' }));
    document.getElementById(fieldId(fieldNames(hidden + 1).title))?.focus();
  };
  const remove = (index: number) => {
    const following = slots.findIndex((slot, i) => i > index && slot.shown);
    flushSync(() => onAction({ type: 'remove', index }));
    // The button that was pressed is gone, so the focus goes on to what stands in its place.
    if (following === -1) addButton.current?.focus();
    else document.getElementById(fieldId(fieldNames(following + 1).title))?.focus();
  };

  return (
    <>
      <div
        aria-hidden="true"
        className={`grid gap-3 pr-2.75 pl-3.75 pb-1.5 font-[540] text-caption text-fg-3 max-lg:hidden ${SUBJECT_COLUMNS}`}
      >
        <span />
        {Object.values(FIELD_LABELS).map((label) => (
          <span key={label}>{label}</span>
        ))}
      </div>
      <div className="grid gap-2">
        {slots.map((slot, index) =>
          slot.shown ? (
            <SubjectCard
              // biome-ignore lint/suspicious/noArrayIndexKey: a place is its number.
              key={index}
              number={index + 1}
              slot={slot}
              errors={errors}
              courseList={courses.length > 0 ? listId : undefined}
              onChange={(values) => change(index, values)}
              onPaste={(rows) => onAction({ type: 'paste', index, rows })}
              onRemove={() => remove(index)}
            />
          ) : null,
        )}
        {slots.some((slot) => !slot.shown) && (
          <button
            ref={addButton}
            type="button"
            onClick={add}
            className="flex min-h-11 w-full items-center justify-center gap-2 rounded-panel border border-control border-dashed font-[540] text-fg-2 hover:border-ink hover:bg-hover hover:text-ink-text"
          >
            <Plus className="size-4" strokeWidth={1.75} aria-hidden="true" />
            Add subject
          </button>
        )}
      </div>
      <datalist id={listId}>
        {courses.map((course) => (
          <option key={course.course_id} value={course.course_id}>
            {course.course_code} {course.course_name}
          </option>
        ))}
      </datalist>
    </>
  );
}
