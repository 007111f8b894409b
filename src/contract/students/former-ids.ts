import { z } from 'zod';
import { studentId } from '../fields.ts';

/** The new registration number of a student. */
export const idChangeInput = z.object({ id: studentId });

/** What follows a student to a new registration number. */
export const idChangePreview = z.object({
  semesters: z.int(),
  has_family: z.boolean(),
  has_picture: z.boolean(),
  /** Entries of the history under the present number, which stay readable from the record. */
  entries: z.int(),
  /** Numbers before the present one. */
  former_ids: z.array(z.string()),
});
export type IdChangePreview = z.infer<typeof idChangePreview>;
