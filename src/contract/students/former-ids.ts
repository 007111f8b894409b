import { z } from 'zod';
import type { CallGroup } from '../calls.ts';
import { studentId, studentPath } from '../fields.ts';
import { studentCreatedReply } from './students.ts';

/** The new registration number of a student. */
const idChangeInput = z.object({ id: studentId });

/** Everything that follows a student to a new registration number. */
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

export const idChangeCalls = {
  tag: 'Students',
  calls: {
    'POST /api/students/:id/change-id/preview': {
      summary: 'What would follow a student to a new registration number',
      description: 'The version answered is for the If-Match of the change.',
      rights: ['administer'],
      params: studentPath,
      body: idChangeInput,
      replies: { 200: idChangePreview },
      refuses: [404, 422],
    },
    'PUT /api/students/:id/id': {
      summary: 'Change the registration number of a student',
      description: 'Everything of the record follows; the old number stays findable.',
      rights: ['administer'],
      params: studentPath,
      body: idChangeInput,
      replies: { 200: studentCreatedReply },
      refuses: [404, 412, 422],
    },
  },
} satisfies CallGroup;
