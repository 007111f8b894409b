import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { slotFieldNames } from '../../../../contract/subject-slots.ts';
import { SUBJECT_COUNT } from '../../../../domain/student.ts';
import { coursesQuery } from '../../../courses/course-queries.ts';
import { fieldId } from '../../../ui/fields/field.tsx';
import { SLOT_FIELD_LABELS } from './semester-values.ts';
import { SUBJECT_GRID_COLUMNS, SubjectRow } from './subject-row.tsx';
import type { SlotAction, SubjectSlot, SubjectValues } from './subject-slots.ts';

interface SubjectListProps {
  slots: readonly SubjectSlot[];
  errors: Partial<Record<string, string>>;
  onAction: (action: SlotAction) => void;
}

/** The visible subjects, and the button that shows another one while there is a hidden slot. */
export function SubjectList({ slots, errors, onAction }: SubjectListProps) {
  const listId = useId();
  const { data: courses = [] } = useQuery(coursesQuery);
  const addButton = useRef<HTMLButtonElement>(null);

  const courseName = (courseId: string | undefined) =>
    courses.find(({ course_id }) => String(course_id) === courseId?.trim())?.course_name;
  const change = (index: number, values: Partial<SubjectValues>) => {
    const slot = slots[index];
    const name = courseName(values.id);
    // The title follows the course number if it is empty or the title of the previous course, not if it was typed.
    const follows = slot !== undefined && (slot.title === '' || slot.title === courseName(slot.id));
    const title = follows ? name : undefined;
    onAction({ type: 'change', index, values: title === undefined ? values : { ...values, title } });
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

interface SubjectCountProps {
  count: number;
  onCount: (count: number) => void;
}

/** The number of subjects to show. The field keeps what is typed until it is left, then shows the resulting number. */
export function SubjectCount({ count, onCount }: SubjectCountProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <div className="ml-auto flex items-center gap-2.5">
      <label htmlFor={id} className="font-[540] text-label">
        Number of subjects
      </label>
      <input
        id={id}
        type="number"
        className="control w-18"
        min={1}
        max={SUBJECT_COUNT}
        step={1}
        value={typed ?? count}
        onChange={(event) => {
          setTyped(event.target.value);
          const wanted = event.target.valueAsNumber;
          if (Number.isInteger(wanted) && wanted >= 1) onCount(wanted);
        }}
        onBlur={() => setTyped(null)}
        onKeyDown={(event) => {
          // Enter confirms the number and must not save: a semester saved by accident can't be deleted.
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
    </div>
  );
}
