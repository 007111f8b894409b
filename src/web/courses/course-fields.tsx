import { CREDIT_HOURS } from '../../domain/student.ts';
import { FormSection } from '../forms/form-layout.tsx';
import { type DraftForm, fieldProps } from '../forms/use-draft-form.ts';
import { NumberField, TextAreaField, TextField } from '../ui/fields/input-fields.tsx';
import { type CourseValues, COURSE_LABELS as LABELS } from './course-values.ts';

interface CourseFieldsProps {
  form: DraftForm<keyof CourseValues>;
  isIdFixed?: boolean;
  /** Read-only: the course is already stored. */
  isFixed?: boolean;
  /** An ID that no course has, for a new one. */
  freeId?: number | undefined;
}

/** The fields of a course. */
export function CourseFields({ form, isIdFixed = false, isFixed = false, freeId }: CourseFieldsProps) {
  return (
    <FormSection title="Course" text="The number identifies the course in results.">
      <NumberField
        {...fieldProps(form, 'course_id')}
        label={LABELS.course_id}
        hint={freeId === undefined ? undefined : `Free: ${freeId}`}
        required
        min={1}
        max={Number.MAX_SAFE_INTEGER}
        step={1}
        readOnly={isIdFixed || isFixed}
        className="xs:col-span-4"
      />
      <TextField
        {...fieldProps(form, 'course_code')}
        label={LABELS.course_code}
        required
        readOnly={isFixed}
        className="xs:col-span-8"
      />
      <TextField
        {...fieldProps(form, 'course_name')}
        label={LABELS.course_name}
        required
        readOnly={isFixed}
      />
      <NumberField
        {...fieldProps(form, 'credits')}
        label={LABELS.credits}
        hint="Filled in where the course is entered as a subject."
        min={CREDIT_HOURS.min}
        max={CREDIT_HOURS.max}
        step={1}
        readOnly={isFixed}
        className="xs:col-span-4"
      />
      <TextAreaField
        {...fieldProps(form, 'course_description')}
        label={LABELS.course_description}
        rows={3}
        readOnly={isFixed}
      />
    </FormSection>
  );
}
