import { setImmediate } from 'node:timers/promises';
import { skipLocked } from '../db/dialect/locks.ts';
import type { Db, PoliciesTable, Tx } from '../db/schema.ts';
import { retryTransaction } from '../db/transaction.ts';
import { CohortCounts } from '../students/derived/cohort-counts.ts';
import { recomputeFigures } from '../students/derived/derive-student.ts';
import { parseDegrees } from '../students/grading/policies.ts';

/** IDs read to find the next students of the batches. */
const WINDOW = 1000;
/** Students per transaction. */
const PIECE = 50;

/** The next students of the batches of a policy. */
interface Piece {
  ids: string[];
  /** The piece ends with this ID; null when there are no more students. */
  end: string | null;
}

async function nextPiece(tx: Tx, policy: PoliciesTable, size: number): Promise<Piece> {
  const degrees = parseDegrees(policy);
  // Where everybody belongs to the policy, one more shows whether there is a next piece.
  const limit = degrees === null ? size + 1 : WINDOW;
  const window = await tx
    .selectFrom('students')
    .select(['id', 'degree'])
    .where('id', '>', policy.applied_to ?? '')
    .orderBy('id')
    .limit(limit)
    .execute();
  const matching = window.filter(({ degree }) => degrees === null || degrees.includes(degree));
  const ids = matching.slice(0, size).map(({ id }) => id);
  if (matching.length > size) return { ids, end: ids.at(-1) ?? null };
  return { ids, end: window.length < limit ? null : (window.at(-1)?.id ?? null) };
}

/**
 * Computes the figures of the next students of a policy. All semesters of a student change in one transaction.
 *
 * @returns the policy with its progress
 */
async function applyPiece(tx: Tx, policy: PoliciesTable, counts?: CohortCounts): Promise<PoliciesTable> {
  const { ids, end } = await nextPiece(tx, policy, PIECE);
  if (ids.length > 0) await recomputeFigures(tx, ids, counts);
  const progress = { applied: policy.applied + ids.length, applied_to: end };
  await tx.updateTable('policies').set(progress).where('policy_id', '=', policy.policy_id).execute();
  return { ...policy, ...progress };
}

/** Applies a whole policy within the transaction that makes it. */
export async function applyAtOnce(tx: Tx, policy: PoliciesTable): Promise<PoliciesTable> {
  const counts = new CohortCounts();
  let state = policy;
  while (state.applied_to !== null) {
    state = await applyPiece(tx, state, counts);
    // Lets other calls run.
    await setImmediate();
  }
  await counts.store(tx);
  return state;
}

/** Whether a policy has not reached all of its students. */
export async function hasPendingPolicy(db: Db): Promise<boolean> {
  const pending = await db
    .selectFrom('policies')
    .select('policy_id')
    .where('applied_to', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return pending !== undefined;
}

/** Applies one piece of a policy that has not reached all of its students; false if there is none. */
const applyNextPiece = (db: Db): Promise<boolean> =>
  retryTransaction(db, async (tx) => {
    const pending = tx
      .selectFrom('policies')
      .selectAll()
      .where('applied_to', 'is not', null)
      .orderBy('policy_id')
      .limit(1);
    // Another process may be at it.
    const policy = await skipLocked(tx, pending).executeTakeFirst();
    if (policy === undefined) return false;
    await applyPiece(tx, policy);
    return true;
  });

/**
 * Applies policies piece by piece, with other calls in between. The policy keeps how far it has come, so the next call goes
 * on after a piece that failed, or a crash.
 */
export async function applyPendingPolicies(db: Db, isStopping: () => boolean): Promise<void> {
  while (!isStopping() && (await applyNextPiece(db))) await setImmediate();
}
