import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { free, holdKey } from '../db/dialect.ts';
import type { Db, Tx } from '../db/schema.ts';
import { transact } from '../db/transact.ts';
import { AppError, invalid } from '../errors.ts';
import { actorOf } from './authentication.ts';
import { sendJsonText } from './json-text.ts';

/** Keys are remembered this long. */
const KEPT = 24 * 60 * 60_000;

export interface Created {
  etag: string;
  reply: object;
}

/**
 * Makes something in one transaction and answers 201. When the call carries an `Idempotency-Key`, the answer is
 * remembered in that same transaction: a call that comes again with the key, because its first answer was lost, gets
 * the first answer and makes nothing.
 *
 * @throws InvalidFields when the key was used for something else
 */
export async function createOnce(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  create: (tx: Tx) => Promise<Created>,
): Promise<FastifyReply> {
  const key = readKey(request.headers['idempotency-key']);
  const userId = actorOf(request).id;
  const answer = await transact(db, async (tx) => {
    if (key === undefined) return { ...stored(await create(tx)), replayed: false };
    await holdKey(tx, `idempotency ${userId} ${key}`);
    const fingerprint = fingerprintOf(request);
    const now = Date.now();
    const keptSince = new Date(now - KEPT).toISOString();
    const earlier = await tx
      .selectFrom('idempotency_keys')
      .select(['fingerprint', 'etag', 'reply'])
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .where('created_at', '>=', keptSince)
      .executeTakeFirst();
    if (earlier !== undefined) {
      if (earlier.fingerprint !== fingerprint) {
        throw invalid('Idempotency-Key', 'The Idempotency-Key has been used for another request.');
      }
      // Written again, so that this answer too waits for the server's standby: the first was lost, perhaps because the
      // server failed before the standby had the change.
      await tx
        .updateTable('idempotency_keys')
        .set({ fingerprint })
        .where('user_id', '=', userId)
        .where('key', '=', key)
        .execute();
      return { ...earlier, replayed: true };
    }
    const created = stored(await create(tx));
    const kept = { fingerprint, created_at: new Date(now).toISOString(), ...created };
    await tx
      .insertInto('idempotency_keys')
      .values({ user_id: userId, key, ...kept })
      // One of its own that is too old is as if it were not there.
      .onConflict((own) => own.columns(['user_id', 'key']).doUpdateSet(kept))
      .execute();
    await removeOld(tx, keptSince);
    return { ...created, replayed: false };
  });
  if (answer.replayed) reply.header('idempotency-replayed', 'true');
  return sendJsonText(reply.code(201).header('etag', answer.etag), answer.reply);
}

/**
 * Last in a transaction: others would wait for these rows as long as what came after takes. Those that another one is
 * removing are left to it.
 */
async function removeOld(tx: Tx, keptSince: string): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where(({ eb, refTuple }) =>
      eb(
        refTuple('user_id', 'key'),
        'in',
        free(
          tx,
          eb.selectFrom('idempotency_keys').select(['user_id', 'key']).where('created_at', '<', keptSince),
        ).$asTuple('user_id', 'key'),
      ),
    )
    .execute();
}

const stored = ({ etag, reply }: Created) => ({ etag, reply: JSON.stringify(reply) });

function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw invalid('Idempotency-Key', 'The Idempotency-Key must be 1 to 255 visible characters.');
}

/** What the call asks for: method, path and body, files by their bytes. */
function fingerprintOf({ method, url, body, uploads }: FastifyRequest): string {
  const hash = createHash('sha256').update(`${method} ${url}\n`);
  try {
    hash.update(JSON.stringify(body ?? null));
  } catch {
    throw new AppError('malformed', 'The body is nested too deeply.');
  }
  for (const [name, data] of uploads) hash.update(`\n${name}\n`).update(data);
  return hash.digest('hex');
}
