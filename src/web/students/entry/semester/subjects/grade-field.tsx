import { useState } from 'react';
import { GRADE_LETTERS } from '../../../../../domain/grading/gpa.ts';
import { ComboboxField } from '../../../../ui/fields/combobox-field.tsx';
import type { FieldProps } from '../../../../ui/fields/field.tsx';
import { gradeError } from './subject-slots.ts';

const OPTIONS = GRADE_LETTERS.map((letter) => ({ value: letter, label: letter }));

/** A grade, typed or chosen. What is not one of the letters stays, with an error once the field is left. */
export function GradeField({ error, onChange, ...field }: FieldProps) {
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
