import { z } from 'zod';
import { SCHEME_REFUSALS, SCHEME_WARNINGS } from '../../domain/schemes/check-scheme.ts';
import { countCredits, MOST_HOURS } from '../../domain/schemes/hours.ts';
import { NEED_KINDS, SCHEME_LIMITS } from '../../domain/schemes/scheme.ts';
import { DEPARTMENT_CODES, SEMESTER_COUNT } from '../../domain/student.ts';
import type { CallGroup } from '../calls.ts';
import { errorsByPath, latestChange } from '../errors.ts';
import {
  courseId,
  numberedPath,
  objectOnly,
  oneOf,
  optionalKey,
  optionalText,
  requiredOr,
  text,
  wholeNumber,
} from '../fields.ts';

const BATCHES = 'must be a list of batches, or null for all.';

/** The batches that something is for, each once; null for all. */
export const batchesInput = z.preprocess(
  (sent) => sent ?? null,
  z
    .array(text(20), { error: BATCHES })
    .min(1, BATCHES)
    .max(SCHEME_LIMITS.batches, `must be at most ${SCHEME_LIMITS.batches} batches.`)
    .transform((all) => [...new Set(all)])
    .nullable(),
);

const KEY = `must be 1 to ${SCHEME_LIMITS.key} letters, digits, dashes, dots or underscores.`;

/** The key of a row. */
export const rowKey = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.trim() : value),
    z
      .string(requiredOr(KEY))
      .regex(/^[A-Za-z0-9._-]+$/, KEY)
      .max(SCHEME_LIMITS.key, KEY),
  );

const isOnce = (ids: readonly number[]) => new Set(ids).size === ids.length;
const hours = () => wholeNumber({ min: 0, max: MOST_HOURS });

const needInput = z.object({ course_id: courseId, kind: oneOf(NEED_KINDS) }, objectOnly);

/** A row as it is sent. */
export const schemeRowInput = z
  .object(
    {
      /** Left out: from the code of the first option. */
      key: z.preprocess((value) => (value === '' ? undefined : (value ?? undefined)), rowKey().optional()),
      semester: wholeNumber({ min: 1, max: SEMESTER_COUNT }),
      /** Left out: the name of the first option. */
      title: optionalText(SCHEME_LIMITS.title),
      theory: hours(),
      lab: hours(),
      options: z
        .array(courseId, requiredOr('must be a list of course ids.'))
        .min(1, 'must name at least one course.')
        .max(SCHEME_LIMITS.options, `must be at most ${SCHEME_LIMITS.options}.`)
        .refine(isOnce, 'must name each course once.'),
      needs: z
        .preprocess(
          (value) => value ?? [],
          z
            .array(needInput, requiredOr('must be a list of courses with kinds.'))
            .max(SCHEME_LIMITS.needs, `must be at most ${SCHEME_LIMITS.needs}.`),
        )
        .refine((needs) => isOnce(needs.map(({ course_id }) => course_id)), 'must name each course once.'),
    },
    objectOnly,
  )
  .refine((row) => countCredits(row) <= MOST_HOURS, {
    error: `must be at most ${MOST_HOURS} together with the lab.`,
    path: ['theory'],
    when: ({ issues }) => issues.length === 0,
  })
  .refine(({ options, needs }) => needs.every(({ course_id }) => !options.includes(course_id)), {
    error: 'must not name a course that fills the row itself.',
    path: ['needs'],
    when: ({ issues }) => issues.length === 0,
  });
export type SchemeRowInput = z.infer<typeof schemeRowInput>;

const headFields = {
  name: text(SCHEME_LIMITS.name),
  department: oneOf(DEPARTMENT_CODES),
  degrees: batchesInput,
};

export const schemeInput = z.object({ ...headFields, from: optionalKey() }).register(errorsByPath, {});
export type SchemeInput = z.infer<typeof schemeInput>;

export const schemeUpdate = z
  .object({
    ...headFields,
    rows: z
      .array(schemeRowInput, requiredOr('must be a list of rows.'))
      .max(SCHEME_LIMITS.rows, `must be at most ${SCHEME_LIMITS.rows}.`),
  })
  .register(errorsByPath, {});
export type SchemeUpdate = z.infer<typeof schemeUpdate>;

const schemeRow = z.object({
  key: z.string(),
  semester: z.int(),
  title: z.string(),
  theory: z.int(),
  lab: z.int(),
  /** The sum of both. */
  credits: z.int(),
  options: z.array(z.int()),
  needs: z.array(z.object({ course_id: z.int(), kind: z.enum(NEED_KINDS) })),
});

/** A course of the catalogue, or one deleted since with what it had last. */
export const namedCourse = z.object({
  course_id: z.int(),
  course_code: z.string(),
  course_name: z.string(),
  credits: z.int().nullable(),
});
export type NamedCourse = z.infer<typeof namedCourse>;

const person = z.object({ id: z.int().nullable(), name: z.string() });

/** A scheme without its rows, as it stands in the list. */
export const schemeSummary = z.object({
  scheme_id: z.int(),
  /** Null for a draft. */
  number: z.int().nullable(),
  name: z.string(),
  department: z.enum(DEPARTMENT_CODES),
  /** Null for all batches of the department. */
  degrees: z.array(z.string()).nullable(),
  /** Of those semesters that have rows. */
  semesters: z.array(
    z.object({
      semester: z.int(),
      rows: z.int(),
      theory: z.int(),
      lab: z.int(),
      credits: z.int(),
      /** theory + 3 × lab. */
      contact_hours: z.int(),
    }),
  ),
  /** It holds for at least one batch, including those that are named nowhere. */
  in_force: z.boolean(),
  version: z.int(),
  created_at: z.iso.datetime(),
  created_by: person,
  published_at: z.iso.datetime().nullable(),
  published_by: person.nullable(),
});
export type SchemeSummary = z.infer<typeof schemeSummary>;

export const schemeReply = schemeSummary.extend({
  /** In the order of the semesters. */
  rows: z.array(schemeRow),
  /** All that options and needs name, by their ids. */
  courses: z.array(namedCourse),
});
export type Scheme = z.infer<typeof schemeReply>;

/** Drafts, then the highest number first. */
export const schemeListReply = z.array(schemeSummary);

export const schemeSavedReply = z.object({ message: z.string(), scheme: schemeReply });
const schemeDeletedReply = z.object({ message: z.string(), entry: z.int() });

const fault = <const Rules extends readonly [string, ...string[]]>(rules: Rules) =>
  z.object({ rule: z.enum(rules), text: z.string(), keys: z.array(z.string()) });

/** Students in the sample of a preview. */
export const SCHEME_SAMPLE_SIZE = 20;

export const schemePreview = z.object({
  fingerprint: z.string(),
  /** Why it can't be published. */
  refusals: z.array(fault(SCHEME_REFUSALS)),
  warnings: z.array(fault(SCHEME_WARNINGS)),
  /** Active ones of its batches. */
  students: z.int(),
  /** Of these, students with other lacking rows. */
  changed_students: z.int(),
  /** Of the changed ones, students with more lacking rows, with fewer, and with as many but others. */
  more: z.int(),
  fewer: z.int(),
  other: z.int(),
  /** Keys of lacking rows; `lacking_before` is null without a scheme. */
  sample: z.array(
    z.object({
      id: z.string(),
      first_name: z.string(),
      last_name: z.string(),
      lacking_before: z.array(z.string()).nullable(),
      lacking_after: z.array(z.string()),
    }),
  ),
});
export type SchemePreview = z.infer<typeof schemePreview>;

const publication = z.object({
  /** Of the preview. */
  fingerprint: text(100),
});
/** With another version than that of `If-Match` the scheme itself. */
const publicationStale = z.object({
  message: z.string(),
  current: z.union([schemePreview, schemeReply]),
  ...latestChange.partial().shape,
});
const publicationRefused = z.object({
  message: z.string(),
  /** Empty when it is published already. */
  refusals: schemePreview.shape.refusals,
});

const schemesQuery = z.strictObject({
  department: oneOf(DEPARTMENT_CODES).optional(),
  /** Those for the batch and those for all. */
  degree: text(20).optional(),
});
export type SchemesQuery = z.output<typeof schemesQuery>;

const schemePath = z.object({ scheme_id: numberedPath });

export const schemeCalls = {
  tag: 'Schemes',
  calls: {
    'GET /api/schemes': {
      summary: 'Schemes of studies: drafts, then the highest number first',
      rights: ['read'],
      query: schemesQuery,
      replies: { 200: schemeListReply },
      refuses: [422],
    },
    'GET /api/schemes/:scheme_id': {
      summary: 'One scheme with its rows',
      rights: ['read'],
      params: schemePath,
      replies: { 200: schemeReply },
      refuses: [404],
    },
    'POST /api/schemes': {
      summary: 'Begin a draft of a scheme',
      description: '`from` is a scheme whose rows are copied.',
      rights: ['administer'],
      body: schemeInput,
      replies: { 201: schemeSavedReply },
      refuses: [422],
    },
    'PUT /api/schemes/:scheme_id': {
      summary: 'Change a draft of a scheme with its rows',
      description: 'A published scheme is never changed (409).',
      rights: ['administer'],
      params: schemePath,
      body: schemeUpdate,
      replies: { 200: schemeSavedReply },
      refuses: [404, 409, 412, 422],
    },
    'DELETE /api/schemes/:scheme_id': {
      summary: 'Delete a draft of a scheme',
      rights: ['administer'],
      params: schemePath,
      replies: { 200: schemeDeletedReply },
      refuses: [404, 409, 412],
    },
    'GET /api/schemes/:scheme_id/preview': {
      summary: 'Whether a draft may be published, and whose lacking rows it would change',
      rights: ['administer'],
      params: schemePath,
      replies: { 200: schemePreview },
      refuses: [404],
    },
    'POST /api/schemes/:scheme_id/publish': {
      summary: 'Put a draft in force for its batches',
      description:
        'With the `fingerprint` of the preview; 412 with a new preview when records have changed since, 409 while a refusal stands.',
      rights: ['administer'],
      params: schemePath,
      body: publication,
      replies: { 200: schemeSavedReply, 409: publicationRefused, 412: publicationStale },
      refuses: [404, 422],
    },
  },
} satisfies CallGroup;
