import { z } from 'zod';
import type { CallGroup } from '../calls.ts';
import { oneOf, text } from '../fields.ts';
import {
  accountLinkReply,
  email,
  ROLES,
  resetPasswordInput,
  signedInReply,
  typedPassword,
  userPath,
  userReply,
} from './accounts.ts';
import { passwordConfirmation } from './sign-in.ts';

/** An account to be made, whose owner chooses the password. */
const invitationInput = z.object({
  name: text(),
  email: email(),
  role: oneOf(ROLES),
  /** The current password of the administrator. */
  password: typedPassword(),
});

export const invitedReply = accountLinkReply.extend({ user: userReply });

/** Administrators invite. An invitation is withdrawn by rejecting its account. */
export const invitationCalls = {
  tag: 'Accounts',
  calls: {
    'POST /api/accept-invitation': {
      summary: 'Choose a password with the link of an invitation, and sign in',
      rights: 'everybody',
      body: resetPasswordInput,
      replies: { 200: signedInReply },
      refuses: [422],
    },
    'POST /api/invitations': {
      summary: 'Invite a user',
      description:
        'With their own current password. The link to choose a password is mailed, or answered where it can’t be; it works once, for 7 days.',
      rights: ['administer'],
      body: invitationInput,
      replies: { 201: invitedReply },
      refuses: [422, 429],
    },
    'POST /api/users/:id/invitation': {
      summary: 'Make another link for an invited user',
      description: 'With their own current password. The earlier link ends.',
      rights: ['administer'],
      params: userPath,
      body: passwordConfirmation,
      replies: { 200: accountLinkReply },
      refuses: [404, 409, 422, 429],
    },
  },
} satisfies CallGroup;
