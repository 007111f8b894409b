import { z } from 'zod';
import { DOCUMENT_KINDS, DOCUMENT_STATES } from '../../domain/documents/kinds.ts';
import type { CallGroup } from '../calls.ts';
import { errorReply } from '../errors.ts';
import { requiredOr } from '../fields.ts';

/** A code in any form: one that no document has is answered like any other that is wrong. */
const verificationInput = z.object({ code: z.string(requiredOr('must be text.')) });

/**
 * The reply to anybody who has the code of a document, without signing in. `superseded`: the record has other figures by now, and
 * those of the document are answered. `revoked`: only what names the document; the rest is null or empty.
 */
export const verificationReply = z.object({
  state: z.enum(DOCUMENT_STATES),
  kind: z.enum(DOCUMENT_KINDS),
  serial: z.string(),
  /** The last semester on the document; of a result card its only one. */
  semester: z.int().nullable(),
  student_name: z.string().nullable(),
  student_id: z.string().nullable(),
  programme: z.string().nullable(),
  /** Credit hours earned. */
  credits: z.int().nullable(),
  cgpa: z.number().nullable(),
  /** The SGPA of each semester on the document. */
  sgpas: z.array(z.object({ semester: z.int(), sgpa: z.number() })),
  /** Whether the document says that the degree is in progress; null of a revoked one and of a result card. */
  provisional: z.boolean().nullable(),
  issued_on: z.iso.date(),
  /** The institution that issued the document, as it is entered today. */
  institution: z.object({ name: z.string().nullable(), address: z.string().nullable() }),
});
export type Verification = z.infer<typeof verificationReply>;

/** `altered`: the document was issued, but the register has another content for it than was signed. */
const unverifiedReply = errorReply.extend({ state: z.literal('altered').optional() });

const verified = {
  summary: 'What stands on the document with this code, and whether it still holds',
  rights: 'everybody',
  replies: { 200: verificationReply, 404: unverifiedReply },
} as const;
const FORMS_OF_CODE =
  'Needs no sign-in. The code is the one in the QR code, or `serial.characters` as they stand below it. 404 for any other.';

/** Checks of documents by whoever holds one. */
export const verificationCalls = {
  tag: 'Documents',
  calls: {
    'GET /api/verify/key': {
      summary:
        'The public keys that documents are checked with (Ed25519, SPKI in PEM), the present one first',
      description: 'Needs no sign-in. docs/verification-codes.md has the format of the codes.',
      rights: 'everybody',
      replies: { 200: z.string().meta({ contentMediaType: 'application/x-pem-file' }) },
    },
    'GET /api/verify/:code': {
      ...verified,
      description: `${FORMS_OF_CODE} The code is part of the address, which proxies log: \`POST /api/verify\` answers the same.`,
      params: z.object({ code: z.string() }),
      refuses: [429],
    },
    'POST /api/verify': {
      ...verified,
      description: FORMS_OF_CODE,
      body: verificationInput,
      refuses: [422, 429],
    },
  },
} satisfies CallGroup;
