import type { PendingReason } from '../../contract/accounts/accounts.ts';
import { ApiError } from '../lib/api.ts';

/** Shown to administrators for an account that can't sign in yet. */
export const WAITING_TEXTS: Readonly<Record<PendingReason, string>> = {
  verification: 'Waiting for its owner to open the mailed link.',
  approval: 'Waiting for an administrator to approve it.',
  invitation: 'Invited: waiting for its owner to open the link and choose a password.',
};

/** Why an account can't sign in yet, from the server's error; undefined for any other error. */
export function getWaitingFor(error: unknown): PendingReason | undefined {
  if (!(error instanceof ApiError) || typeof error.body !== 'object' || error.body === null) return undefined;
  const waitingFor: unknown = Reflect.get(error.body, 'waiting_for');
  return typeof waitingFor === 'string' && isPendingReason(waitingFor) ? waitingFor : undefined;
}

const isPendingReason = (text: string): text is PendingReason => Object.hasOwn(WAITING_TEXTS, text);
