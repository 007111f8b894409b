import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { advisoryLock, skipLocked } from '../db/dialect/locks.ts';
import type { Db, Tx } from '../db/schema.ts';
import { AppError, invalidField } from '../errors.ts';
import { requireActor } from './actor.ts';
import { sendJsonText } from './send-json.ts';
import { transactAs, type VerifiedActor } from './transact-as.ts';

const KEY_LIFETIME_MS = 24 * 60 * 60_000;

export interface Created {
  etag: string;
  reply: object;
}

/**
 * Creates something in one transaction and answers 201. With an `Idempotency-Key`, the answer is stored in the same
 * transaction: a retry with the key, after the first answer was lost, gets that answer and creates nothing.
 *
 * @throws ValidationError when the key was used for another request
 */
export async function createIdempotently(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  create: (tx: Tx, author: VerifiedActor) => Promise<Created>,
): Promise<FastifyReply> {
  const key = readKey(request.headers['idempotency-key']);
  const actor = requireActor(request);
  const userId = actor.id;
  const answer = await transactAs(db, actor, async (tx, author) => {
    if (key === undefined) return { ...toStored(await create(tx, author)), replayed: false };
    await advisoryLock(tx, `idempotency ${userId} ${key}`);
    const fingerprint = hashRequest(request);
    const now = Date.now();
    const earliest = new Date(now - KEY_LIFETIME_MS).toISOString();
    const earlier = await tx
      .selectFrom('idempotency_keys')
      .select(['fingerprint', 'etag', 'reply'])
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .where('created_at', '>=', earliest)
      .executeTakeFirst();
    if (earlier !== undefined) {
      if (earlier.fingerprint !== fingerprint) {
        throw invalidField('Idempotency-Key', 'The Idempotency-Key has been used for another request.');
      }
      // Writes the row again, so that this commit too waits for the standby: the first answer may have been lost because the
      // primary failed before the standby had the change.
      await tx
        .updateTable('idempotency_keys')
        .set({ fingerprint })
        .where('user_id', '=', userId)
        .where('key', '=', key)
        .execute();
      return { ...earlier, replayed: true };
    }
    const created = toStored(await create(tx, author));
    const row = { fingerprint, created_at: new Date(now).toISOString(), ...created };
    await tx
      .insertInto('idempotency_keys')
      .values({ user_id: userId, key, ...row })
      // The user's own expired key is overwritten.
      .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet(row))
      .execute();
    await deleteExpiredKeys(tx, earliest);
    return { ...created, replayed: false };
  });
  if (answer.replayed) reply.header('idempotency-replayed', 'true');
  return sendJsonText(reply.code(201).header('etag', answer.etag), answer.reply);
}

/**
 * The last statement of the transaction, so that others don't wait long for these rows. Skips rows that another transaction is
 * deleting.
 */
async function deleteExpiredKeys(tx: Tx, earliest: string): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where(({ eb, refTuple }) =>
      eb(
        refTuple('user_id', 'key'),
        'in',
        skipLocked(
          tx,
          eb.selectFrom('idempotency_keys').select(['user_id', 'key']).where('created_at', '<', earliest),
        ).$asTuple('user_id', 'key'),
      ),
    )
    .execute();
}

const toStored = ({ etag, reply }: Created) => ({ etag, reply: JSON.stringify(reply) });

function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw invalidField('Idempotency-Key', 'The Idempotency-Key must be 1 to 255 visible characters.');
}

/** Hash of method, path, body and uploaded files. */
function hashRequest({ method, url, body, uploads }: FastifyRequest): string {
  const hash = createHash('sha256').update(`${method} ${url}\n`);
  try {
    hash.update(JSON.stringify(body ?? null));
  } catch {
    throw new AppError('malformed', 'The body is nested too deeply.');
  }
  for (const [name, data] of uploads) hash.update(`\n${name}\n`).update(data);
  return hash.digest('hex');
}
