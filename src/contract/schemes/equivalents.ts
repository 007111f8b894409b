import { z } from 'zod';
import type { CallGroup } from '../calls.ts';
import { errorsByPath, latestChange, messageReply } from '../errors.ts';
import { courseId, numberedPath, text } from '../fields.ts';
import { batchesInput } from './schemes.ts';

const pair = { course_id: courseId, other_id: courseId, degrees: batchesInput };

const equivalentPreviewInput = z.object(pair).register(errorsByPath, {});
export type EquivalentPair = z.infer<typeof equivalentPreviewInput>;

/** With the fingerprint of the preview. */
const equivalentInput = z.object({ ...pair, fingerprint: text(100) }).register(errorsByPath, {});
export type EquivalentInput = z.infer<typeof equivalentInput>;

/** Two courses that count as one. */
export const equivalentReply = z.object({
  equivalent_id: z.int(),
  course_id: z.int(),
  other_id: z.int(),
  /** Null for all batches. */
  degrees: z.array(z.string()).nullable(),
  created_at: z.iso.datetime(),
  created_by: z.object({ id: z.int().nullable(), name: z.string() }),
});
export type Equivalent = z.infer<typeof equivalentReply>;

/** Students whose figures may change at once. */
export const MOST_CHANGED_STUDENTS = 2_000;

export const equivalentPreview = z.object({
  fingerprint: z.string(),
  /** In its batches. */
  students: z.int(),
  /** Of these, students with another CGPA, of any semester, or other earned credit hours. */
  changed_students: z.int(),
  /** The CGPA is the one after the latest semester; null when nothing is graded. */
  sample: z.array(
    z.object({
      id: z.string(),
      first_name: z.string(),
      last_name: z.string(),
      cgpa_before: z.number().nullable(),
      cgpa_after: z.number().nullable(),
      earned_before: z.int(),
      earned_after: z.int(),
    }),
  ),
});
export type EquivalentPreview = z.infer<typeof equivalentPreview>;

/** With another version than that of `If-Match` the pair itself. */
const stale = z.object({
  message: z.string(),
  current: z.union([equivalentPreview, equivalentReply]),
  ...latestChange.partial().shape,
});
const equivalentPath = z.object({ equivalent_id: numberedPath });

export const equivalentCalls = {
  tag: 'Schemes',
  calls: {
    'GET /api/equivalents': {
      summary: 'Pairs of courses that count as one',
      rights: ['read'],
      replies: { 200: z.array(equivalentReply) },
    },
    'POST /api/equivalents/preview': {
      summary: 'Whose CGPA and earned credit hours a pair would change',
      rights: ['administer'],
      body: equivalentPreviewInput,
      replies: { 200: equivalentPreview },
      refuses: [422],
    },
    'POST /api/equivalents': {
      summary: 'Let two courses count as one',
      description:
        'With the `fingerprint` of the preview; 412 with a new preview when records have changed since. All figures change with it.',
      rights: ['administer'],
      body: equivalentInput,
      replies: { 201: z.object({ message: z.string(), equivalent: equivalentReply }), 412: stale },
      refuses: [422],
    },
    'GET /api/equivalents/:equivalent_id/removal': {
      summary: 'Whose CGPA and earned credit hours the removal of a pair would change',
      rights: ['administer'],
      params: equivalentPath,
      replies: { 200: equivalentPreview },
      refuses: [404],
    },
    'POST /api/equivalents/:equivalent_id/removal': {
      summary: 'Remove a pair of courses',
      rights: ['administer'],
      params: equivalentPath,
      body: z.object({ fingerprint: text(100) }),
      replies: { 200: messageReply, 412: stale },
      refuses: [404, 422],
    },
  },
} satisfies CallGroup;
