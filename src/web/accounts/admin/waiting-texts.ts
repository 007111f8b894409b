import type { PendingReason } from '../../../contract/accounts/accounts.ts';

/** Shown to administrators for an account that can't sign in yet. */
export const WAITING_TEXTS: Readonly<Record<PendingReason, string>> = {
  verification: 'Waiting for its owner to open the mailed link.',
  approval: 'Waiting for an administrator to approve it.',
  invitation: 'Invited: waiting for its owner to open the link and choose a password.',
};
