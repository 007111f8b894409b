import { z } from 'zod';
import { wholeNumber } from './fields.ts';

/** A course's number: a positive safe integer, as a JSON number or as its digits. */
export const courseId = wholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER });

/** The same in a path; anything else is simply not there. */
export const courseIdPath = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);
