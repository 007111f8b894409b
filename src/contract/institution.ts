import { z } from 'zod';
import { optionalLines, optionalText, requiredOr, text } from './fields.ts';

/** The most that one document has room for. */
const MAX_SIGNATORIES = 3;

const LIST_PHRASE = 'must be a list of names and titles.';

/** A multipart form sends the list as JSON text. */
const listFromText = (value: unknown): unknown => {
  if (value === undefined || value === null || value === '') return [];
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

const signatories = z.preprocess(
  listFromText,
  z
    .array(z.object({ name: text(), title: text() }, LIST_PHRASE), requiredOr(LIST_PHRASE))
    .refine(({ length }) => length <= MAX_SIGNATORIES, `must be at most ${MAX_SIGNATORIES}.`),
);

/**
 * The institution as its documents show it. `logo` is the URL of a stored picture, or a new picture as a file of a multipart
 * form. Takes what {@link institutionReply} answers.
 */
export const institutionInput = z.object({
  name: optionalText(),
  short_name: optionalText(40),
  address: optionalLines(1_000),
  signatories,
  logo: optionalText(),
});
export type InstitutionInput = z.infer<typeof institutionInput>;

/** Null and version 0 while nothing has been entered. */
export const institutionReply = z.object({
  name: z.string().nullable(),
  short_name: z.string().nullable(),
  address: z.string().nullable(),
  signatories: z.array(z.object({ name: z.string(), title: z.string() })),
  logo: z.string().nullable(),
  version: z.int(),
});
export type Institution = z.infer<typeof institutionReply>;

export const institutionSavedReply = z.object({ message: z.string(), institution: institutionReply });
export type InstitutionSaved = z.infer<typeof institutionSavedReply>;
