import type { PendingReason } from '../../../contract/accounts/accounts.ts';
import type { Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import { requireUser } from '../queries.ts';

/** For the owner of a pending account. */
export const PENDING_TEXTS: Readonly<Record<PendingReason, string>> = {
  verification: 'Check your mail: you can sign in once you have opened the link that was sent to you.',
  approval: 'An administrator has to approve your account before you can sign in.',
  invitation: 'Open the link of your invitation to choose a password.',
};

/** Refuses a sign-in to a pending account, for its proven owner. */
export const accountPending = (waiting_for: PendingReason) =>
  new AppError('forbidden', PENDING_TEXTS[waiting_for], { details: { waiting_for } });

/** @throws AppError not-found, or conflict when the account is in use or its email not verified */
export async function approveAccount(tx: Tx, author: Author, userId: number): Promise<void> {
  const { waiting_for } = await requirePendingUser(tx, userId);
  if (waiting_for !== 'approval') {
    throw new AppError('conflict', 'Its owner has to open the link first.');
  }
  await tx.updateTable('users').set({ waiting_for: null }).where('id', '=', userId).execute();
  await recordChange(tx, author, {
    action: 'update',
    entity: 'user',
    entityId: userId,
    before: { waiting_for },
    after: { waiting_for: null },
  });
}

/**
 * Deletes a pending account; its email can be registered again.
 *
 * @returns what it was pending for
 * @throws AppError not-found, or conflict when it is in use
 */
export async function rejectAccount(tx: Tx, author: Author, userId: number): Promise<PendingReason> {
  const { id, name, email, role, waiting_for } = await requirePendingUser(tx, userId);
  await tx.deleteFrom('users').where('id', '=', userId).execute();
  await recordChange(tx, author, {
    action: 'delete',
    entity: 'user',
    entityId: userId,
    before: { id, name, email, role, waiting_for },
  });
  return waiting_for;
}

async function requirePendingUser(tx: Tx, userId: number) {
  const account = await requireUser(tx, userId);
  const { waiting_for } = account;
  if (waiting_for === null) throw new AppError('conflict', 'This account is in use already.');
  return { ...account, waiting_for };
}
