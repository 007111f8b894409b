import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  unverifiedReply,
  type Verification,
  verificationInput,
  verificationReply,
} from '../../../contract/documents/verification.ts';
import { errorReply, invalidReply } from '../../../contract/errors.ts';
import type { App, Deps } from '../../app-types.ts';
import { AppError } from '../../errors.ts';
import { transact } from '../../history/transaction.ts';
import { logoRoute } from './logo.ts';
import { getSigningKey, listPublicKeys } from './signing-keys.ts';
import { verifyDocument } from './verify-document.ts';
import { WrongCodes } from './wrong-codes.ts';

const tags = ['Documents'];
/** The author of a key that is made before the first document is issued. */
const PROGRAM = { id: null, name: 'SIMS' };

/** Checks of documents by whoever holds one. They need no sign-in. */
export function verificationRoutes(app: App, { db, secrets }: Deps): void {
  logoRoute(app, { db });
  const wrongCodes = new WrongCodes();

  app.get(
    '/api/verify/key',
    {
      schema: {
        tags,
        summary:
          'The public keys that documents are checked with (Ed25519, SPKI in PEM), the present one first',
        description: 'Needs no sign-in. docs/verification-codes.md has the format of the codes.',
        response: { 200: z.string().meta({ contentMediaType: 'application/x-pem-file' }) },
      },
    },
    async (_request, reply) => {
      let keys = await listPublicKeys(db.read);
      if (keys.length === 0) {
        await transact(db.write, (tx) => getSigningKey(tx, secrets, PROGRAM));
        keys = await listPublicKeys(db.write);
      }
      return reply.type('application/x-pem-file').send(keys.map(({ pem }) => pem).join(''));
    },
  );

  const check = async ({ ip: address, log }: FastifyRequest, code: string): Promise<Verification> => {
    const found = await verifyDocument(db.read, code);
    // Also where somebody else behind the address has tried too many wrong ones.
    if (found?.state === 'altered') {
      log.error({ serial: found.serial }, 'a document is not as it was signed');
      throw new AppError(
        'not-found',
        'The register has other figures for this document than were signed. Ask the institution.',
        { details: { state: 'altered' } },
      );
    }
    if (found !== undefined) return found;
    wrongCodes.requireFew(address);
    wrongCodes.count(address);
    throw new AppError(
      'not-found',
      'No document has this code. Compare it with the paper: one wrong character is enough.',
    );
  };
  const summary = 'What stands on the document with this code, and whether it still holds';
  const description =
    'Needs no sign-in. The code is the one in the QR code, or `serial.characters` as they stand below it. 404 for any other.';
  const response = { 200: verificationReply, 404: unverifiedReply, 429: errorReply };

  app.get(
    '/api/verify/:code',
    {
      schema: {
        ...{ tags, summary, response },
        description: `${description} The code is part of the address, which proxies log: \`POST /api/verify\` answers the same.`,
        params: z.object({ code: z.string() }),
      },
    },
    (request) => check(request, request.params.code),
  );

  app.post(
    '/api/verify',
    {
      config: { onlyReads: true },
      schema: {
        ...{ tags, summary, description },
        body: verificationInput,
        response: { ...response, 422: invalidReply },
      },
    },
    (request) => check(request, request.body.code),
  );
}
