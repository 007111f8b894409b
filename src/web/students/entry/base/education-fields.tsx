import { DIVISION, PASSING_YEAR, SCHOOL_MARKS, SCHOOL_MARKS_TOTAL } from '../../../../domain/student.ts';
import { FormSection } from '../../../forms/form-layout.tsx';
import { type DraftForm, fieldProps } from '../../../forms/use-draft-form.ts';
import { NumberField } from '../../../ui/fields/input-fields.tsx';
import { type StudentValues, usualDivision } from './student-values.ts';

interface EducationFieldsProps {
  form: DraftForm<keyof StudentValues>;
  /** The divisions of a new entry follow the marks until they are changed. */
  isNew: boolean;
}

export function EducationFields({ form, isNew }: EducationFieldsProps) {
  return (
    <FormSection title="Education" text={`Marks are out of ${SCHOOL_MARKS_TOTAL}.`}>
      <ExaminationFields form={form} isNew={isNew} title="HSSC/FSC" prefix="fsc" />
      <ExaminationFields form={form} isNew={isNew} title="SSC/Matric" prefix="matric" />
    </FormSection>
  );
}

/** Unusual, but not refused: a result may be announced. */
const isInFuture = (year: string) => Number(year) > new Date().getFullYear();

interface ExaminationFieldsProps extends EducationFieldsProps {
  title: string;
  prefix: 'fsc' | 'matric';
}

/** The inputs of both examinations have the same labels; the fieldset distinguishes them. */
function ExaminationFields({ form, isNew, title, prefix }: ExaminationFieldsProps) {
  const marks = form.values[`${prefix}_marks`];
  const division = form.values[`${prefix}_div`];
  const changeMarks = (changed: string) => {
    form.setValue(`${prefix}_marks`, changed);
    if (isNew && (division === '' || division === usualDivision(marks)))
      form.setValue(`${prefix}_div`, usualDivision(changed));
  };
  return (
    <fieldset className="min-w-0 not-first:mt-1.5">
      <legend className="mb-3 font-[620] text-label">{title}</legend>
      <div className="form-grid">
        <NumberField
          {...fieldProps(form, `${prefix}_marks`)}
          onChange={changeMarks}
          label="Marks"
          required
          min={SCHOOL_MARKS.min}
          max={SCHOOL_MARKS.max}
          step={0.01}
          suffix={`/${SCHOOL_MARKS_TOTAL}`}
          className="xs:col-span-4"
        />
        <NumberField
          {...fieldProps(form, `${prefix}_year`)}
          label="Passing year"
          hint={isInFuture(form.values[`${prefix}_year`]) ? 'This year is still to come.' : undefined}
          required
          min={PASSING_YEAR.min}
          max={PASSING_YEAR.max}
          step={1}
          className="col-span-6 xs:col-span-4"
        />
        <NumberField
          {...fieldProps(form, `${prefix}_div`)}
          label="Division"
          required
          min={DIVISION.min}
          max={DIVISION.max}
          step={1}
          className="col-span-6 xs:col-span-4"
        />
      </div>
    </fieldset>
  );
}
