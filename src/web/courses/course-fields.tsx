import { type DraftForm, formField } from '../forms/form-field.ts';
import { NumberField, TextAreaField, TextField } from '../ui/fields.tsx';
import { FormSection } from '../ui/form-parts.tsx';
import { type CourseValues, COURSE_LABELS as LABELS } from './course-values.ts';

interface CourseFieldsProps {
  form: DraftForm<keyof CourseValues>;
  isIdFixed?: boolean;
  /** Nothing can be changed: the course is stored already. */
  isFixed?: boolean;
}

/** What a course is called. */
export function CourseFields({ form, isIdFixed = false, isFixed = false }: CourseFieldsProps) {
  return (
    <FormSection title="Course" text="The number identifies the course in results.">
      <NumberField
        {...formField(form, 'course_id')}
        label={LABELS.course_id}
        required
        min={1}
        max={Number.MAX_SAFE_INTEGER}
        step={1}
        readOnly={isIdFixed || isFixed}
        className="xs:col-span-4"
      />
      <TextField
        {...formField(form, 'course_code')}
        label={LABELS.course_code}
        required
        readOnly={isFixed}
        className="xs:col-span-8"
      />
      <TextField {...formField(form, 'course_name')} label={LABELS.course_name} required readOnly={isFixed} />
      <TextAreaField
        {...formField(form, 'course_description')}
        label={LABELS.course_description}
        rows={3}
        readOnly={isFixed}
      />
    </FormSection>
  );
}
