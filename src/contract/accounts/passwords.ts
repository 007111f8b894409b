import { z } from 'zod';
import type { CallGroup } from '../calls.ts';
import { messageReply } from '../errors.ts';
import { accountLinkReply, email, passwordChange, resetPasswordInput, userPath } from './accounts.ts';
import { passwordConfirmation } from './sign-in.ts';

const forgotPasswordInput = z.object({ email: email() });

export const passwordCalls = {
  tag: 'Accounts',
  calls: {
    'POST /api/forgot-password': {
      summary: 'Ask for a recovery link',
      rights: 'everybody',
      body: forgotPasswordInput,
      replies: { 202: messageReply },
      refuses: [422],
    },
    'POST /api/reset-password': {
      summary: 'Set a new password with a recovery link',
      rights: 'everybody',
      body: resetPasswordInput,
      replies: { 200: messageReply },
      refuses: [422],
    },
    'POST /api/users/:id/reset-link': {
      summary: 'Make a link with which a user sets another password',
      description:
        'With their own current password. Works once, for 24 hours, and ends the sessions of the user when it is used.',
      rights: ['administer'],
      params: userPath,
      body: passwordConfirmation,
      replies: { 200: accountLinkReply },
      refuses: [404, 409, 422, 429],
    },
    'PUT /api/users/:id/change-password': {
      summary: 'Change your own password',
      rights: ['account'],
      params: userPath,
      body: passwordChange,
      replies: { 200: messageReply },
      refuses: [403, 422],
    },
  },
} satisfies CallGroup;
