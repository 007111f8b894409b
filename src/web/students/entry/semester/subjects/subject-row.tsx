import { Lock, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Course, CourseListItem } from '../../../../../contract/courses.ts';
import { slotFieldNames } from '../../../../../contract/students/subject-slots.ts';
import { GRADE_LETTERS } from '../../../../../domain/grading/gpa.ts';
import { CREDIT_HOURS } from '../../../../../domain/student.ts';
import { searchCourses, toSearchableCourse } from '../../../../courses/course-search.ts';
import { searchTerms } from '../../../../lib/text-match.ts';
import { IconButton } from '../../../../ui/button.tsx';
import { ComboboxField } from '../../../../ui/fields/combobox-field.tsx';
import type { FieldProps } from '../../../../ui/fields/field.tsx';
import { NumberField } from '../../../../ui/fields/input-fields.tsx';
import { courseDetail, courseValues, findCourseByText } from './course-match.ts';
import { parsePastedRows } from './pasted-rows.ts';
import {
  gradeError,
  SLOT_FIELD_LABELS,
  type SubjectField,
  type SubjectSlot,
  type SubjectValues,
} from './subject-slots.ts';

/** The columns of a row and of the heads above, from 1024 px on. */
export const SUBJECT_GRID_COLUMNS = 'lg:grid-cols-[28px_minmax(0,1fr)_128px_104px_96px_36px]';

/**
 * The three short fields are too narrow for an error text. Their label, control and error are therefore placed in the grid
 * of the card: the label over the control in its column, and the error in a row below all of them.
 */
const short =
  'contents! lg:[&>label]:sr-only max-lg:[&>label]:row-start-3 max-lg:[&>label]:-mb-1.75 max-lg:[&>label]:self-end max-lg:[&>:not(label,p)]:row-start-4 lg:[&>:not(label,p)]:row-start-1 [&>.field-error]:order-1 [&>.field-error]:-mt-1.5 max-lg:[&>.field-error]:col-span-full lg:[&>.field-error]:col-span-4 lg:[&>.field-error]:col-start-3';
const SHORT = {
  id: `${short} max-lg:[&>:not(p)]:col-start-1 lg:[&>:not(label,p)]:col-start-3`,
  credit: `${short} max-lg:[&>:not(p)]:col-start-2 lg:[&>:not(label,p)]:col-start-4`,
  grade: `${short} max-lg:[&>:not(p)]:col-start-3 lg:[&>:not(label,p)]:col-start-5`,
};

interface SubjectRowProps {
  /** The number of the slot, from 1; it stays the same when another subject is removed. */
  number: number;
  slot: SubjectSlot;
  errors: Partial<Record<string, string>>;
  isLocked: boolean;
  courses: readonly CourseListItem[];
  onChange: (values: Partial<SubjectValues>) => void;
  onPaste: (rows: readonly SubjectValues[]) => void;
  onRemove: () => void;
}

/** One subject: a row under common heads on large screens, a card with labels on small ones. */
export function SubjectRow({
  number,
  slot,
  errors,
  isLocked,
  courses,
  onChange,
  onPaste,
  onRemove,
}: SubjectRowProps) {
  const names = slotFieldNames(number);
  const fieldProps = (name: SubjectField) => ({
    name: names[name],
    label: SLOT_FIELD_LABELS[name],
    error: errors[names[name]],
    value: slot[name],
    onChange: (value: string) => onChange({ [name]: value }),
  });
  return (
    <fieldset
      disabled={isLocked}
      className={`grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.25fr)] items-start gap-3 rounded-panel border border-line bg-paper px-3.5 pt-3 pb-4 lg:py-2.25 lg:pr-2.5 lg:pl-3.5 ${SUBJECT_GRID_COLUMNS}`}
      onPaste={(event) => {
        if (!(event.target instanceof HTMLInputElement) || event.target.name !== names.title) return;
        const rows = parsePastedRows(event.clipboardData.getData('text'));
        if (rows === undefined) return;
        event.preventDefault();
        onPaste(rows);
      }}
    >
      <legend className="sr-only">Subject {number}</legend>
      <p
        aria-hidden="true"
        className="col-span-2 self-center font-[540] text-fg-3 lg:col-span-1 lg:self-start lg:leading-9.5"
      >
        <span className="lg:hidden">Subject </span>
        {number}
      </p>
      <CourseField
        {...fieldProps('title')}
        courses={courses}
        hasCourse={slot.id.trim() !== ''}
        onCourse={(course) => onChange(courseValues(course))}
        className="max-lg:col-span-full max-lg:row-start-2 lg:[&>label]:sr-only"
      />
      <ComboboxField
        {...fieldProps('id')}
        placeholder="ID or code"
        options={[]}
        onChoose={() => undefined}
        onTyped={() => {
          // Codes are what people know.
          const course = findCourseByText(courses, slot.id);
          if (course !== undefined) onChange({ id: String(course.course_id) });
        }}
        className={SHORT.id}
      />
      <NumberField
        {...fieldProps('credit')}
        min={CREDIT_HOURS.min}
        max={CREDIT_HOURS.max}
        step={1}
        className={SHORT.credit}
      />
      <GradeField {...fieldProps('grade')} placeholder="Grade" className={SHORT.grade} />
      {isLocked ? (
        <Lock className="size-4 self-center justify-self-center text-fg-3 max-lg:col-start-3 max-lg:row-start-1 max-lg:justify-self-end lg:col-start-6" />
      ) : (
        <IconButton
          label={`Remove subject ${number}`}
          onClick={({ detail: clicks }) => {
            // The second click of a double click would hit the next subject, which has moved up.
            if (clicks <= 1) onRemove();
          }}
          className="max-lg:-my-1 max-lg:-mr-1.5 max-lg:col-start-3 max-lg:row-start-1 max-lg:justify-self-end lg:col-start-6 lg:mt-0.75"
        >
          <X />
        </IconButton>
      )}
    </fieldset>
  );
}

const OPTIONS = GRADE_LETTERS.map((letter) => ({ value: letter, label: letter }));

/** A grade, typed or chosen. What is not one of the letters stays, with an error once the field is left. */
function GradeField({ error, onChange, ...field }: FieldProps) {
  const [isFocused, setIsFocused] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only notes where the focus is.
    <div className="contents" onFocus={() => setIsFocused(true)} onBlur={() => setIsFocused(false)}>
      <ComboboxField
        {...field}
        options={OPTIONS}
        error={error ?? (isFocused ? undefined : gradeError(field.value))}
        onChange={(typed) => onChange(typed.trim().toUpperCase())}
        onChoose={onChange}
      />
    </div>
  );
}

/** Suggestions at a time. */
const MOST_SUGGESTED = 8;

interface CourseFieldProps extends FieldProps {
  courses: readonly CourseListItem[];
  /** The subject has the ID of a course. */
  hasCourse: boolean;
  onCourse: (course: Course) => void;
}

/** The title of a subject, which also takes the code, the ID or a part of the name of a course. */
function CourseField({ courses, hasCourse, onCourse, ...field }: CourseFieldProps) {
  const searchable = useMemo(() => courses.map(toSearchableCourse), [courses]);
  const terms = searchTerms(field.value);
  const found = terms.length === 0 ? [] : searchCourses(searchable, terms).slice(0, MOST_SUGGESTED);
  const chooseTyped = () => {
    const course = findCourseByText(courses, field.value);
    // A name is also an ordinary title, which keeps the course that was entered with it.
    const isName = course?.course_name.toLowerCase() === field.value.trim().toLowerCase();
    if (course !== undefined && !(isName && hasCourse)) onCourse(course);
  };
  return (
    <ComboboxField
      {...field}
      placeholder="Code, ID or name"
      options={found.map(({ course }) => ({
        value: String(course.course_id),
        label: course.course_name,
        detail: courseDetail(course),
      }))}
      opensOnTyping
      // A name is also an ordinary title of a subject with another course.
      takesOnlyOption={!hasCourse}
      onChoose={(chosen) => {
        const course = courses.find(({ course_id }) => String(course_id) === chosen);
        if (course !== undefined) onCourse(course);
      }}
      onTyped={chooseTyped}
    />
  );
}
