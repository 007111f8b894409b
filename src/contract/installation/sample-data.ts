import { z } from 'zod';
import type { CallGroup } from '../calls.ts';

/** Students of the sample faculty that an administrator fills an empty database with. */
export const SAMPLE_STUDENTS = 240;

const sampleDataReply = z.object({ message: z.string(), students: z.int(), courses: z.int() });

export const sampleDataCalls = {
  tag: 'Sample data',
  calls: {
    'POST /api/sample-data': {
      summary: 'Fill an empty database with invented students and courses',
      description: 'In one transaction. 409 once there are students or courses.',
      rights: ['administer'],
      replies: { 201: sampleDataReply },
      refuses: [409],
    },
  },
} satisfies CallGroup;
