import { z } from 'zod';
import { readPublicAddress } from '../../domain/documents/public-address.ts';
import { DEPARTMENT_CODES } from '../../domain/student.ts';
import type { CallGroup } from '../calls.ts';
import { oneOf, optionalLines, optionalText, requiredOr, text } from '../fields.ts';

/** The most that one document has room for. */
const MAX_SIGNATORIES = 3;

const LIST_PHRASE = 'must be a list of names and titles.';
const PROGRAMMES_PHRASE = 'must be a list of departments and titles.';

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

/** The title of the degree to which the studies in a department lead. A department without one is left out. */
const programmes = z.preprocess(
  listFromText,
  z
    .array(
      z.object({ department: oneOf(DEPARTMENT_CODES), title: text() }, PROGRAMMES_PHRASE),
      requiredOr(PROGRAMMES_PHRASE),
    )
    .refine(
      (list) => new Set(list.map(({ department }) => department)).size === list.length,
      'must name each department once.',
    )
    .transform((list) =>
      list.toSorted(
        (a, b) => DEPARTMENT_CODES.indexOf(a.department) - DEPARTMENT_CODES.indexOf(b.department),
      ),
    ),
);

/** Where the codes of documents lead; null for the address that the installation has by itself. */
const publicUrl = optionalText().transform((typed, context) => {
  if (typed === null) return null;
  const address = readPublicAddress(typed);
  if (address !== undefined) return address;
  context.addIssue({
    code: 'custom',
    message: 'must be an address without a path, such as https://sims.example.edu.',
  });
  return z.NEVER;
});

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
  public_url: publicUrl,
  programmes,
});

/** Fields that are left out stay as they are. */
const institutionUpdate = institutionInput.partial();
export type InstitutionUpdate = z.infer<typeof institutionUpdate>;

/** Null and version 0 while nothing has been entered. */
export const institutionReply = z.object({
  name: z.string().nullable(),
  short_name: z.string().nullable(),
  address: z.string().nullable(),
  signatories: z.array(z.object({ name: z.string(), title: z.string() })),
  logo: z.string().nullable(),
  public_url: z.string().nullable(),
  programmes: z.array(z.object({ department: z.enum(DEPARTMENT_CODES), title: z.string() })),
  version: z.int(),
});
export type Institution = z.infer<typeof institutionReply>;

export const institutionSavedReply = z.object({ message: z.string(), institution: institutionReply });

/** Where the codes of documents lead while the institution names no address of its own. */
export const institutionAddressReply = z.object({
  default_url: z.string(),
  /** Whether an operator has set it, or it is what the server listens at. */
  source: z.enum(['SIMS_PUBLIC_URL', 'server']),
});
export type InstitutionAddress = z.infer<typeof institutionAddressReply>;

export const institutionCalls = {
  tag: 'Institution',
  calls: {
    'GET /api/institution': {
      summary: 'The institution as its documents show it',
      rights: ['account'],
      replies: { 200: institutionReply },
    },
    'GET /api/institution/address': {
      summary: 'Where the codes of documents lead while the institution has no `public_url`',
      rights: ['read'],
      replies: { 200: institutionAddressReply },
    },
    'PUT /api/institution': {
      summary: 'Change the institution',
      description:
        'Takes what the GET answers; what is left out stays as it is. A form with a new logo as a file has signatories and programmes as JSON text. Without `public_url` the codes of documents lead to the address of the installation.',
      rights: ['administer'],
      body: institutionUpdate,
      replies: { 200: institutionSavedReply },
      refuses: [412, 422],
    },
  },
} satisfies CallGroup;
