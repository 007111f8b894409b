import type { FastifyRequest } from 'fastify';
import { type Verification, verificationCalls } from '../../../contract/documents/verification.ts';
import type { App, Deps } from '../../app-types.ts';
import { AppError } from '../../errors.ts';
import { transact } from '../../history/transaction.ts';
import { bindCalls } from '../../http/handle.ts';
import { logoRoute } from './logo.ts';
import { getSigningKey, listPublicKeys } from './signing-keys.ts';
import { verifyDocument } from './verify-document.ts';
import { WrongCodes } from './wrong-codes.ts';

/** The author of a key that is made before the first document is issued. */
const PROGRAM = { id: null, name: 'SIMS' };

/** Checks of documents by whoever holds one. They need no sign-in. */
export function verificationRoutes(app: App, { db, secrets }: Deps): void {
  logoRoute(app, { db });
  const wrongCodes = new WrongCodes();

  const handle = bindCalls(app, verificationCalls);

  handle('GET /api/verify/key', async ({ reply }) => {
    let keys = await listPublicKeys(db.read);
    if (keys.length === 0) {
      await transact(db.write, (tx) => getSigningKey(tx, secrets, PROGRAM));
      keys = await listPublicKeys(db.write);
    }
    return reply.type('application/x-pem-file').send(keys.map(({ pem }) => pem).join(''));
  });

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

  handle('GET /api/verify/:code', ({ params, request }) => check(request, params.code));

  handle('POST /api/verify', ({ body, request }) => check(request, body.code));
}
