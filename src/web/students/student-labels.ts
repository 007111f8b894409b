import { STUDENT_FIELD_LABELS } from '../../domain/field-labels.ts';
import type { StudentValues } from './student-values.ts';

/** Names of the fields where they stand without their section's heading. */
export const STUDENT_LABELS: Record<keyof StudentValues, string> = {
  ...STUDENT_FIELD_LABELS,
  img_file: 'Portrait picture',
};
