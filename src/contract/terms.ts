import { z } from 'zod';
import { date, text } from './fields.ts';

/** A term of the academic calendar. Its name is unique, whatever its case and accents. */
export const termInput = z
  .object({ name: text(60), starts_on: date(), ends_on: date() })
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
  version: z.int(),
});
export type Term = z.infer<typeof termReply>;

/** The latest start first. */
export const termListReply = z.array(termReply);

export const termSavedReply = z.object({ message: z.string(), term: termReply });
export type TermSaved = z.infer<typeof termSavedReply>;

/** `entry` is the number of the history entry from which the term can be restored. */
export const termDeletedReply = z.object({ message: z.string(), entry: z.int() });
export type TermDeleted = z.infer<typeof termDeletedReply>;
