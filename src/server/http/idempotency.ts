import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { advisoryLock, skipLocked } from '../db/dialect/locks.ts';
import type { Db, Tx } from '../db/schema.ts';
import { AppError, invalidField } from '../errors.ts';
import { requireActor } from './actor.ts';
import { sendJsonText } from './replies/send-json.ts';
import { transactAs, type VerifiedActor } from './transact-as.ts';

const KEY_LIFETIME_MS = 24 * 60 * 60_000;

export interface Created<Reply = object> {
  etag: string;
  reply: Reply;
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
    const call = { userId, key, fingerprint: hashRequest(request) };
    const earlier = await lockAnswer(tx, call);
    if (earlier !== undefined) return { ...earlier, replayed: true };
    const created = toStored(await create(tx, author));
    const row = { fingerprint: call.fingerprint, created_at: new Date().toISOString(), ...created };
    await tx
      .insertInto('idempotency_keys')
      .values({ user_id: userId, key, ...row })
      // The user's own expired key is overwritten.
      .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet(row))
      .execute();
    await deleteExpiredKeys(tx);
    return { ...created, replayed: false };
  });
  return answer.replayed ? sendAgain(reply, answer) : sendCreated(reply, answer);
}

/**
 * Answers a create call whose key has an answer already, as {@link createIdempotently} does. For calls that prepare something
 * before their transaction: what they need may be gone by now, so they would be refused.
 *
 * @returns whether the call is answered
 * @throws ValidationError when the key was used for another request
 */
export async function answerRepeated(db: Db, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const key = readKey(request.headers['idempotency-key']);
  if (key === undefined) return false;
  const actor = requireActor(request);
  const earlier = await transactAs(db, actor, (tx) =>
    lockAnswer(tx, { userId: actor.id, key, fingerprint: hashRequest(request) }),
  );
  if (earlier === undefined) return false;
  await sendAgain(reply, earlier);
  return true;
}

type StoredAnswer = ReturnType<typeof toStored>;

const sendCreated = (reply: FastifyReply, answer: StoredAnswer) =>
  sendJsonText(reply.code(201).header('etag', answer.etag), answer.reply);

const sendAgain = (reply: FastifyReply, answer: StoredAnswer) =>
  sendCreated(reply.header('idempotency-replayed', 'true'), answer);

const earliestKey = () => new Date(Date.now() - KEY_LIFETIME_MS).toISOString();

/**
 * The first answer to a call; the key is locked until the transaction ends.
 *
 * @throws ValidationError when the key was used for another request
 */
async function lockAnswer(
  tx: Tx,
  { userId, key, fingerprint }: { userId: number; key: string; fingerprint: string },
): Promise<StoredAnswer | undefined> {
  await advisoryLock(tx, `idempotency ${userId} ${key}`);
  const earlier = await tx
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'etag', 'reply'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .where('created_at', '>=', earliestKey())
    .executeTakeFirst();
  if (earlier === undefined) return undefined;
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
  return earlier;
}

/**
 * The last statement of the transaction, so that others don't wait long for these rows. Skips rows that another transaction is
 * deleting.
 */
async function deleteExpiredKeys(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where(({ eb, refTuple }) =>
      eb(
        refTuple('user_id', 'key'),
        'in',
        skipLocked(
          tx,
          eb
            .selectFrom('idempotency_keys')
            .select(['user_id', 'key'])
            .where('created_at', '<', earliestKey()),
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
