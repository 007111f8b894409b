import { z } from 'zod';
import { type CallGroup, fileReply } from '../calls.ts';
import { studentPath } from '../fields.ts';
import { standingReply } from '../grading/grading.ts';
import { fieldChange, HISTORY_ACTIONS, HISTORY_ENTITIES } from '../history.ts';
import { exceptionReply, outsideCreditReply } from '../schemes/audit.ts';
import { holdReply } from '../students/holds.ts';
import { familyReply, studentReply } from '../students/students.ts';
import { issuedDocument } from './documents.ts';

/** All that is held about a student, to hand it over. Names nobody of the staff. */
export const ownCopyReply = z.object({
  made_at: z.iso.datetime(),
  student: studentReply,
  family: familyReply.nullable(),
  former_ids: z.array(z.string()),
  semesters: z.array(
    z.object({
      semester: z.int(),
      sgpa: z.number(),
      cgpa: z.number(),
      /** Before the entry of the student. */
      elsewhere: z.literal(true).optional(),
      subjects: z.array(
        z.object({ title: z.string(), credits: z.int().nullable(), letter: z.string().nullable() }),
      ),
    }),
  ),
  /** Substitutions and waivers; a waiver has no course. */
  exceptions: z.array(exceptionReply.omit({ exception_id: true, by: true })),
  outside_credits: z.array(outsideCreditReply.omit({ outside_id: true, version: true })),
  holds: z.array(
    holdReply
      .omit({ hold_id: true, student_id: true, by: true, version: true })
      .extend({ released: z.object({ at: z.iso.datetime(), reason: z.string() }).nullable() }),
  ),
  standing: standingReply,
  documents: z.array(issuedDocument.omit({ issued_by: true, revoked: true, batch_id: true, override: true })),
  /** The latest change first. */
  history: z.array(
    z.object({
      at: z.iso.datetime(),
      action: z.enum(HISTORY_ACTIONS),
      entity: z.enum(HISTORY_ENTITIES),
      semester: z.int().nullable(),
      changes: z.array(fieldChange),
    }),
  ),
  /** When the record was handed over before. */
  disclosures: z.array(z.object({ at: z.iso.datetime(), what: z.string() })),
});
export type OwnCopy = z.infer<typeof ownCopyReply>;

const ownCopyCall = {
  description:
    'To hand it to the student: record, standing, documents, history and to whom it was handed over. Names nobody of the staff. The history has an entry for each copy.',
  rights: ['administer'],
  params: studentPath,
  refuses: [404],
} as const;

export const ownCopyCalls = {
  tag: 'Documents',
  calls: {
    'GET /api/students/:id/own-copy': {
      ...ownCopyCall,
      summary: 'All that is held about a student, as JSON',
      replies: { 200: ownCopyReply },
    },
    'GET /api/students/:id/own-copy.pdf': {
      ...ownCopyCall,
      summary: 'All that is held about a student, as a PDF to read',
      replies: { 200: fileReply },
    },
  },
} satisfies CallGroup;
