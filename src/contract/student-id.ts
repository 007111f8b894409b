import { z } from 'zod';
import { otherwise } from './fields.ts';

/** Registration number, shown as CMS ID. A JSON number is taken as its digits. */
export const studentId = z.preprocess(
  (value) => {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
    if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
    return value ?? undefined;
  },
  z
    .string(otherwise('must be 1 to 20 letters, digits, dashes, dots or underscores.'))
    .regex(/^[A-Za-z0-9._-]{1,20}$/, 'must be 1 to 20 letters, digits, dashes, dots or underscores.')
    .refine((id) => !['create', '.', '..'].includes(id), 'must not be a reserved word.'),
);
