import { z } from 'zod';
import { optionalText, optionalWholeNumber, text } from './fields.ts';
import { studentId } from './student-id.ts';

const details = {
  father_name: text(),
  father_occupation: text(),
  mother_name: optionalText(),
  mother_occupation: optionalText(),
  number_siblings: optionalWholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  father_phone: optionalText(),
  mother_phone: optionalText(),
  home_phone: optionalText(),
  address: optionalText(10_000),
};

/** The family step of a new record. */
export const familyInput = z.object({ student_id: studentId, ...details });
export type FamilyInput = z.infer<typeof familyInput>;

/** Family details again; the student is the path's. */
export const familyUpdate = z.object({ student_id: studentId.optional(), ...details });

export const familyReply = z.object({
  student_id: z.string(),
  father_name: z.string(),
  father_occupation: z.string(),
  mother_name: z.string().nullable(),
  mother_occupation: z.string().nullable(),
  number_siblings: z.int().nullable(),
  father_phone: z.string().nullable(),
  mother_phone: z.string().nullable(),
  home_phone: z.string().nullable(),
  address: z.string().nullable(),
});
export type Family = z.infer<typeof familyReply>;

export const familyCreatedReply = z.object({ message: z.string(), family: familyReply });

/** May the family step be entered? If not, where the person should go on, and why, in plain words. */
export const familyGateReply = z.object({
  canProceed: z.boolean(),
  redirectTo: z.enum(['base', 'academics', 'dashboard']).optional(),
  message: z.string(),
});
export type FamilyGate = z.infer<typeof familyGateReply>;
