import type { Policy, PolicyInput } from '../../contract/grading/policies.ts';
import type { Db, PoliciesTable, Tx } from '../db/schema.ts';
import { requireSamePreview } from '../errors.ts';
import { type Author, recordChange } from '../history/record-change.ts';
import { etag, versionPart } from '../http/etags.ts';
import { loadPolicies, lockBatches, parseDegrees, parseRules } from '../students/grading/policies.ts';
import { applyAtOnce } from './apply.ts';
import { type FoundPreview, previewPolicy } from './preview.ts';

/** With more students than this, a policy is applied in pieces after the reply. */
export const AT_ONCE = 2_000;

/**
 * Makes a policy and applies it to its batches, so that the CGPAs of all their students change in the same transaction; with
 * many students, in pieces after it.
 *
 * @param found the preview, read before the transaction
 * @throws AppError stale, with the present preview, when it is not the one that the fingerprint belongs to
 */
export async function createPolicy(tx: Tx, author: Author, input: PolicyInput, found: FoundPreview) {
  const { name, degrees, rules, fingerprint } = input;
  await lockBatches(tx);
  const { highest } = await loadPolicies(tx);
  // Another policy may have been made while the students were read, which takes seconds where they are many.
  const { preview, students } = found.highest === highest ? found : await previewPolicy(tx, input);
  requireSamePreview(preview, fingerprint);
  const policy: PoliciesTable = {
    policy_id: highest + 1,
    name,
    degrees: degrees && JSON.stringify(degrees),
    rules: JSON.stringify(rules),
    created_at: new Date().toISOString(),
    user_id: author.id,
    user_name: author.name,
    students,
    applied: 0,
    applied_to: '',
  };
  await tx.insertInto('policies').values(policy).execute();
  await recordChange(tx, author, {
    action: 'create',
    entity: 'policy',
    entityId: String(policy.policy_id),
    after: { name, batches: degrees ?? 'all', ...rules },
  });
  const applied = students <= AT_ONCE ? await applyAtOnce(tx, policy) : policy;
  return {
    etag: etag(versionPart.policy(policy.policy_id)),
    reply: {
      message: `Policy ${policy.policy_id} holds for ${batchesText(degrees)}.`,
      policy: presentPolicy(applied, { isInForce: true }),
    },
  };
}

function batchesText(degrees: readonly string[] | null): string {
  if (degrees === null) return 'all batches';
  return `${degrees.length === 1 ? 'batch' : 'batches'} ${degrees.join(', ')}`;
}

/** All policies, the highest number first. */
export async function listPolicies(db: Db): Promise<Policy[]> {
  const rows = await db.selectFrom('policies').selectAll().orderBy('policy_id', 'desc').execute();
  /** Batches that a higher number applies to. */
  const taken = new Set<string>();
  let areAllTaken = false;
  return rows.map((row) => {
    const degrees = parseDegrees(row);
    const isInForce = !areAllTaken && (degrees === null || degrees.some((degree) => !taken.has(degree)));
    if (degrees === null) areAllTaken = true;
    for (const degree of degrees ?? []) taken.add(degree);
    return presentPolicy(row, { isInForce });
  });
}

function presentPolicy(row: PoliciesTable, { isInForce }: { isInForce: boolean }): Policy {
  const { policy_id, name, created_at, user_id, user_name, students, applied, applied_to } = row;
  return {
    policy_id,
    name,
    created_at,
    degrees: parseDegrees(row),
    rules: parseRules(row),
    created_by: user_id === null ? null : { id: user_id, name: user_name ?? '' },
    in_force: isInForce,
    progress: applied_to === null ? null : { done: Math.min(applied, students), of: students },
  };
}
