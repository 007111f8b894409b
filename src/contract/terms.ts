import { z } from 'zod';
import type { CallGroup } from './calls.ts';
import { date, numberedPath, text } from './fields.ts';

/** The last day of something; null for none. Left out, it stays as it was. */
const lastDay = z.preprocess((value) => (value === '' ? null : value), date().nullable().optional());

/**
 * A term of the academic calendar. Its name is unique, whatever its case and accents. The last days are in their order, within
 * the term. A term with a day until which students are added is *dated*: only there the class lists of mark sheets are checked.
 */
export const termInput = z
  .object({
    name: text(60),
    starts_on: date(),
    ends_on: date(),
    /** Left out, it stays as it was; a new term is none of the summer. */
    summer: z.boolean('must be true or false.').optional(),
    add_until: lastDay,
    drop_until: lastDay,
    withdraw_until: lastDay,
  })
  .refine(({ starts_on, ends_on }) => ends_on > starts_on, {
    error: 'The end must be after the start.',
    path: ['ends_on'],
    // Two texts that are no dates are not compared.
    when: ({ issues }) => issues.length === 0,
  });
export type TermInput = z.infer<typeof termInput>;

export const termReply = z.object({
  term_id: z.int(),
  name: z.string(),
  starts_on: z.iso.date(),
  ends_on: z.iso.date(),
  summer: z.boolean(),
  add_until: z.iso.date().nullable(),
  drop_until: z.iso.date().nullable(),
  withdraw_until: z.iso.date().nullable(),
  version: z.int(),
});
export type Term = z.infer<typeof termReply>;

/** The latest start first. */
export const termListReply = z.array(termReply);

export const termSavedReply = z.object({ message: z.string(), term: termReply });

/** `entry` is the number of the history entry from which the term can be restored. */
export const termDeletedReply = z.object({ message: z.string(), entry: z.int() });

const termPath = z.object({ term_id: numberedPath });

export const termCalls = {
  tag: 'Terms',
  calls: {
    'GET /api/terms': {
      summary: 'All terms, the latest start first',
      rights: ['account'],
      replies: { 200: termListReply },
    },
    'GET /api/terms/:term_id': {
      summary: 'One term',
      rights: ['account'],
      params: termPath,
      replies: { 200: termReply },
      refuses: [404],
    },
    'POST /api/terms': {
      summary: 'Add a term',
      rights: ['administer'],
      body: termInput,
      replies: { 201: termSavedReply },
      refuses: [422],
    },
    'PUT /api/terms/:term_id': {
      summary: 'Change the name or the dates of a term',
      rights: ['administer'],
      params: termPath,
      body: termInput,
      replies: { 200: termSavedReply },
      refuses: [404, 412, 422],
    },
    'DELETE /api/terms/:term_id': {
      summary: 'Delete a term',
      rights: ['administer'],
      params: termPath,
      replies: { 200: termDeletedReply },
      refuses: [404, 409, 412],
    },
  },
} satisfies CallGroup;
