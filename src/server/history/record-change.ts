import type { Actor } from '../accounts/actor.ts';
import type { Tx } from '../db/schema.ts';

export interface Change {
  action: 'create' | 'update' | 'delete';
  entity: 'student' | 'family' | 'semester' | 'course' | 'marks' | 'user';
  entityId: string | number;
  before?: unknown;
  after?: unknown;
}

/** Appends who changed what to the history, within the transaction of the change itself. */
export async function recordChange(
  tx: Tx,
  actor: Pick<Actor, 'id' | 'name'> | null,
  change: Change,
): Promise<void> {
  await tx
    .insertInto('history')
    .values({
      at: new Date().toISOString(),
      user_id: actor?.id ?? null,
      user_name: actor?.name ?? null,
      action: change.action,
      entity: change.entity,
      entity_id: String(change.entityId),
      before: change.before === undefined ? null : JSON.stringify(change.before),
      after: change.after === undefined ? null : JSON.stringify(change.after),
    })
    .execute();
}
