import { z } from 'zod';

/** Students of the sample faculty that an administrator fills an empty database with. */
export const SAMPLE_STUDENTS = 240;

export const sampleDataReply = z.object({ message: z.string(), students: z.int(), courses: z.int() });
