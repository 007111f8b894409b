import { z } from 'zod';
import { DOCUMENT_KINDS, DOCUMENT_STATES } from '../../domain/documents/kinds.ts';
import { SERIAL_PATTERN } from '../../domain/documents/serial.ts';
import { formatCount } from '../../domain/format-count.ts';
import { SEMESTER_COUNT } from '../../domain/student.ts';
import { type CallGroup, fileReply } from '../calls.ts';
import {
  numberedPath,
  oneOf,
  optionalReason,
  optionalText,
  requiredOr,
  studentId,
  text,
  wholeNumber,
} from '../fields.ts';
import { studentFilter } from '../students/student-list.ts';

/** Most students of one batch. */
export const MAX_BATCH_STUDENTS = 2_000;
/** Official documents of one transaction. They are printed before it, so that others wait a few milliseconds only. */
export const DOCUMENTS_AT_ONCE = 8;

const flag = () => z.boolean(requiredOr('must be true or false.'));

const named = () =>
  z
    .array(studentId, requiredOr('must be a list of student IDs.'))
    .max(MAX_BATCH_STUDENTS, `must be at most ${formatCount(MAX_BATCH_STUDENTS)} students.`);

const selectionFields = {
  kind: oneOf(DOCUMENT_KINDS),
  /** The semester of result cards. A transcript has all semesters. */
  semester: wholeNumber({ min: 1, max: SEMESTER_COUNT }).optional(),
  /** The students; without it, all that match `filter`. */
  ids: named().min(1, 'must name at least one student.').optional(),
  filter: studentFilter.optional(),
  /** Matches of `filter` to leave out. */
  except: named().optional(),
  /** Official ones get a serial, a code and an entry in the register; others a watermark and none of these. */
  official: flag(),
};

interface Asked {
  kind: (typeof DOCUMENT_KINDS)[number];
  semester?: unknown;
  ids?: unknown;
  filter?: unknown;
  except?: unknown;
}

const requireComplete = (asked: Asked, context: z.RefinementCtx) => {
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  if (asked.kind === 'result-card' && asked.semester === undefined) refuse('semester', 'field is required.');
  if (asked.kind === 'transcript' && asked.semester !== undefined) {
    refuse('semester', 'is for result cards. A transcript has all semesters.');
  }
  if (asked.ids === undefined && asked.filter === undefined) refuse('ids', 'must name at least one student.');
  if (asked.ids !== undefined && asked.filter !== undefined) refuse('filter', 'must not be sent beside ids.');
  if (asked.ids !== undefined && asked.except !== undefined) refuse('except', 'must not be sent beside ids.');
};

export const documentsPreviewInput = z.object(selectionFields).superRefine(requireComplete);
export type DocumentsPreviewInput = z.infer<typeof documentsPreviewInput>;

const OVERRIDES_ONE = 'A hold is overridden for one paper of one student, named by ids.';

/** The documents to issue. Purpose and recipient stand in the register, not on the document. */
export const documentsInput = z
  .object({
    ...selectionFields,
    purpose: optionalText(),
    to: optionalText(),
    /** Whether the document shows the portrait; left out: no. */
    portrait: flag().optional(),
    /** Why the document is issued in spite of holds: an administrator, for one student. */
    override: optionalReason().optional(),
  })
  .superRefine(requireComplete)
  .superRefine(({ override, ids }, context) => {
    if (override != null && ids?.length !== 1)
      context.addIssue({ code: 'custom', path: ['override'], message: OVERRIDES_ONE });
  });
export type DocumentsInput = z.infer<typeof documentsInput>;

const person = z.object({ id: z.int(), name: z.string() });

/** A student who gets no document, and why. */
const refusedStudent = z.object({
  student_id: z.string(),
  /** Empty for a student who does not exist. */
  first_name: z.string(),
  last_name: z.string(),
  reason: z.string(),
  /** The holds that block it; absent where it is something else. */
  holds: z.array(z.int()).optional(),
});
export type RefusedStudent = z.infer<typeof refusedStudent>;

export const documentsPreview = z.object({
  /** Students who would get a document. */
  students: z.int(),
  refused: z.array(refusedStudent),
  /** Faults to mend before documents are issued. */
  warnings: z.array(z.object({ rule: z.enum(['institution', 'address']), text: z.string() })),
});
export type DocumentsPreview = z.infer<typeof documentsPreview>;

/** A document in the register. Its codes are never listed. */
export const issuedDocument = z.object({
  serial: z.string(),
  kind: z.enum(DOCUMENT_KINDS),
  /** The last semester on it; of a result card its only one. */
  semester: z.int(),
  student_id: z.string(),
  /** The name as it stands on the document. */
  student_name: z.string(),
  issued_at: z.iso.datetime(),
  /** With the name at that time. */
  issued_by: z.object({ id: z.int().nullable(), name: z.string() }),
  to: z.string().nullable(),
  purpose: z.string().nullable(),
  state: z.enum(DOCUMENT_STATES),
  /** SHA-256 of everything that stands on the document but its codes. */
  content_hash: z.string(),
  revoked: z.object({ at: z.iso.datetime(), by: person.nullable(), reason: z.string() }).nullable(),
  /** Why it was issued in spite of holds, with their numbers; null if none blocked it. */
  override: z
    .object({
      reason: z.string(),
      by: z.object({ id: z.int().nullable(), name: z.string() }),
      holds: z.array(z.int()),
    })
    .nullable(),
  batch_id: z.int(),
});
export type IssuedDocument = z.infer<typeof issuedDocument>;

/** `interrupted`: the server ended meanwhile. What was issued until then stays. */
const BATCH_STATES = ['running', 'done', 'cancelled', 'interrupted'] as const;

export const documentBatch = z.object({
  batch_id: z.int(),
  kind: z.enum(DOCUMENT_KINDS),
  semester: z.int().nullable(),
  official: z.boolean(),
  state: z.enum(BATCH_STATES),
  /** Students who are done, with a document or without. */
  progress: z.object({ done: z.int(), of: z.int() }),
  refused: z.array(refusedStudent),
  /** Documents that can be fetched: of official ones those in the register. */
  documents: z.int(),
  /** The first and the last serial of official documents; null before. */
  first_serial: z.string().nullable(),
  last_serial: z.string().nullable(),
  /** The only student; null where there are several. */
  student_id: z.string().nullable(),
  to: z.string().nullable(),
  purpose: z.string().nullable(),
  created_at: z.iso.datetime(),
  created_by: person,
});
export type DocumentBatch = z.infer<typeof documentBatch>;

/** `documents`: those issued already. Of a few students all of them, of many none: ask for the batch. */
export const documentsCreatedReply = z.object({
  message: z.string(),
  batch_id: z.int(),
  documents: z.array(issuedDocument),
  batch: documentBatch,
});

const batchCancelledReply = z.object({ message: z.string(), batch: documentBatch });

/** Documents per page of the register: the default and the maximum. */
export const REGISTER_PAGE = { usual: 50, most: 200 } as const;

const serial = z.string().regex(SERIAL_PATTERN);

/** All filters are optional; a document must match every given one. The latest document first. */
export const registerQuery = z.strictObject({
  student_id: text(20).optional(),
  serial: text(20).optional(),
  state: oneOf(DOCUMENT_STATES).optional(),
  /** Only documents before this one: the last serial of the page before. */
  before: serial.optional(),
  limit: wholeNumber({ min: 1, max: REGISTER_PAGE.most }).optional(),
});
export type RegisterQuery = z.infer<typeof registerQuery>;

export const registerReply = z.array(issuedDocument);

const revokeInput = z.object({ reason: text() });
export const documentRevokedReply = z.object({ message: z.string(), document: issuedDocument });

const serialPath = z.object({ serial });
const batchPath = z.object({ batch_id: numberedPath });

export const documentCalls = {
  tag: 'Documents',
  calls: {
    'POST /api/documents/preview': {
      summary: 'Who would get a document, and who would not and why',
      description:
        'Issues nothing. The students are named by `ids`, or are all that match `filter` but for `except`. `warnings` of official documents: the institution has no name, or nobody outside reaches the address in their codes.',
      rights: ['write'],
      body: documentsPreviewInput,
      replies: { 200: documentsPreview },
      refuses: [422],
    },
    'POST /api/documents': {
      summary: 'Issue transcripts or result cards',
      description: `The students are named by \`ids\`, or are all that match \`filter\` but for \`except\`, ${formatCount(MAX_BATCH_STUDENTS)} at most. Up to ${DOCUMENTS_AT_ONCE} documents are issued at once, more of them afterwards: ask for the batch. Official documents need the name of the institution. Unofficial documents have a watermark, no serial and no code, and may have provisional results. Students with a hold that blocks the document are refused; an administrator issues one paper of one student all the same with \`override\`, a reason.`,
      rights: ['write'],
      body: documentsInput,
      replies: { 201: documentsCreatedReply },
      refuses: [422, 503],
    },
    'GET /api/documents': {
      summary: 'The register of issued documents, the latest first',
      description: 'A page; the next one comes with `before`, the last serial of this one.',
      rights: ['write'],
      query: registerQuery,
      replies: { 200: registerReply },
      refuses: [422],
    },
    'GET /api/documents/batches/:batch_id': {
      summary: 'How far a batch of documents has come',
      rights: ['write'],
      params: batchPath,
      replies: { 200: documentBatch },
      refuses: [404],
    },
    'POST /api/documents/batches/:batch_id/cancel': {
      summary: 'Issue no further documents of a batch; those issued stay',
      rights: ['write'],
      params: batchPath,
      replies: { 200: batchCancelledReply },
      refuses: [404, 409],
    },
    'GET /api/documents/batches/:batch_id.pdf': {
      summary: 'The documents of a batch as one PDF with an index',
      description: '409 while documents are being issued.',
      rights: ['write'],
      params: batchPath,
      replies: { 200: fileReply },
      refuses: [404, 409],
    },
    'GET /api/documents/batches/:batch_id.zip': {
      summary: 'The documents of a batch as a ZIP of single PDFs',
      description: '409 while documents are being issued.',
      rights: ['write'],
      params: batchPath,
      replies: { 200: fileReply },
      refuses: [404, 409],
    },
    'GET /api/documents/:serial.pdf': {
      summary: 'A document: the bytes that were issued',
      rights: ['write'],
      params: serialPath,
      replies: { 200: fileReply },
      refuses: [404],
    },
    'POST /api/documents/:serial/revoke': {
      summary: 'Declare a document invalid',
      description: 'Whoever checks it is told so; it stays in the register.',
      rights: ['administer'],
      params: serialPath,
      body: revokeInput,
      replies: { 200: documentRevokedReply },
      refuses: [404, 409, 422],
    },
  },
} satisfies CallGroup;
