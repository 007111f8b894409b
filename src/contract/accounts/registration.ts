import { z } from 'zod';
import type { CallGroup } from '../calls.ts';
import { messageReply } from '../errors.ts';
import { text } from '../fields.ts';
import {
  email,
  PENDING_REASONS,
  registerInput,
  signedInReply,
  signInRefusedReply,
  typedPassword,
  userPath,
} from './accounts.ts';
import { passwordConfirmation } from './sign-in.ts';

/** Reply to the registration of a pending account. */
const pendingReply = z.object({ waiting_for: z.enum(PENDING_REASONS), message: z.string() });

/** Token of the mailed link and password of the account: the link alone is not enough. */
const verifyEmailInput = z.object({ token: text(), password: typedPassword() });

const resendVerificationInput = z.object({ email: email() });

/** Registration and the verification of its email, and how administrators decide about pending accounts. */
export const registrationCalls = {
  tag: 'Accounts',
  calls: {
    'POST /api/register': {
      summary: 'Make an account and sign in',
      description:
        'Signs nobody in where new accounts have to be verified or approved first: 202 names what the account waits for.',
      rights: 'everybody',
      body: registerInput,
      replies: { 201: signedInReply, 202: pendingReply },
      refuses: [403, 422, 429],
    },
    'POST /api/verify-email': {
      summary: 'Verify the address of your account with a mailed link, and sign in',
      rights: 'everybody',
      body: verifyEmailInput,
      replies: { 200: signedInReply, 403: signInRefusedReply },
      refuses: [401, 422, 429],
    },
    'POST /api/resend-verification': {
      summary: 'Have the link that verifies your address mailed again',
      rights: 'everybody',
      body: resendVerificationInput,
      replies: { 202: messageReply },
      refuses: [422],
    },
    'POST /api/users/:id/approve': {
      summary: 'Approve a new account',
      description: 'With their own current password. Its owner can sign in from then on.',
      rights: ['administer'],
      params: userPath,
      body: passwordConfirmation,
      replies: { 200: messageReply },
      refuses: [404, 409, 422, 429],
    },
    'POST /api/users/:id/reject': {
      summary: 'Reject a new account, or withdraw an invitation',
      description:
        'With their own current password. The account is deleted. One that is in use can’t be rejected.',
      rights: ['administer'],
      params: userPath,
      body: passwordConfirmation,
      replies: { 200: messageReply },
      refuses: [404, 409, 422, 429],
    },
  },
} satisfies CallGroup;
