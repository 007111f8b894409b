import { z } from 'zod';
import { wholeNumber } from './fields.ts';

/** A course's number is a positive safe integer. */
export const COURSE_IDS = { min: 1, max: Number.MAX_SAFE_INTEGER } as const;

/** A course's number, as a JSON number or as its digits. */
export const courseId = wholeNumber(COURSE_IDS);

/** The same in a path, in plain digits; anything else is no course's. */
export const courseIdPath = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine(Number.isSafeInteger);
