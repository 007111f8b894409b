import { z } from 'zod';
import type { CallGroup } from '../calls.ts';
import { messageReply } from '../errors.ts';
import { optionalText, text } from '../fields.ts';
import { email, loginInput, signedInReply, signInRefusedReply, typedPassword, userPath } from './accounts.ts';

/** A code of the app or a recovery code; spaces and hyphens are ignored. */
const code = () => text(64);

export const passwordConfirmation = z.object({ password: typedPassword() });
const codeInput = z.object({ code: code() });
const secondFactorRemoval = z.object({ password: typedPassword(), code: code() });

/** How the actor signs in. */
export const signInMethodsReply = z.object({
  /** Null without one. */
  second_factor: z.object({ since: z.string(), recovery_codes_left: z.int() }).nullable(),
});
export type SignInMethods = z.infer<typeof signInMethodsReply>;

/** Secret for the app, to type or to scan. Two-factor authentication is active after a first code. */
export const secondFactorSetupReply = z.object({
  secret: z.string(),
  uri: z.string(),
  message: z.string(),
});
export type SecondFactorSetup = z.infer<typeof secondFactorSetupReply>;

/** The only reply with the recovery codes. */
export const secondFactorConfirmedReply = z.object({
  recovery_codes: z.array(z.string()),
  message: z.string(),
});

/** Address of the provider's login page. */
export const providerStartReply = z.object({ url: z.string() });

/** The ticket from the address, and what was asked for. */
const providerFinish = z.object({
  ticket: text(),
  /** The password of an existing account with the email, to link it; never trimmed. */
  password: z.string().max(1024).nullish(),
  /** Required with two-factor authentication. */
  code: optionalText(64),
});

/** Claims of the provider that are used. */
export const providerIdentity = z.object({
  issuer: z.string().min(1).max(1024),
  subject: z.string().min(1).max(255),
  email: email(),
  name: text(),
});
export type ProviderIdentity = z.infer<typeof providerIdentity>;

/** With the password alone, with a code of an authenticator app in addition, or with an OpenID provider instead. */
export const signInCalls = {
  tag: 'Accounts',
  calls: {
    'POST /api/login': {
      summary: 'Sign in',
      description:
        'Where two-factor authentication is on, a right password without a code is refused with 422 on `code`.',
      rights: 'everybody',
      body: loginInput,
      replies: { 200: signedInReply, 403: signInRefusedReply },
      refuses: [401, 422, 429],
    },
    'GET /api/sign-in-methods': {
      summary: 'How you sign in',
      rights: ['account'],
      replies: { 200: signInMethodsReply },
    },
    'POST /api/second-factor': {
      summary: 'Begin to set up two-factor authentication',
      rights: ['account'],
      body: passwordConfirmation,
      replies: { 201: secondFactorSetupReply },
      refuses: [409, 422, 429],
    },
    'POST /api/second-factor/confirm': {
      summary: 'Finish setting up two-factor authentication, with a code',
      description: 'Ends your other sessions. The recovery codes are answered this once.',
      rights: ['account'],
      body: codeInput,
      replies: { 200: secondFactorConfirmedReply },
      refuses: [409, 422, 429],
    },
    'POST /api/second-factor/remove': {
      summary: 'Turn off your two-factor authentication',
      rights: ['account'],
      body: secondFactorRemoval,
      replies: { 200: messageReply },
      refuses: [422, 429],
    },
    'POST /api/users/:id/reset-second-factor': {
      summary: 'Turn off two-factor authentication of a person who has lost their phone',
      description: 'With their own current password. Ends that person’s sessions.',
      rights: ['administer'],
      params: userPath,
      body: passwordConfirmation,
      replies: { 200: messageReply },
      refuses: [404, 422, 429],
    },
    'POST /api/provider/begin': {
      summary: 'Begin to sign in with the provider',
      rights: 'everybody',
      replies: { 200: providerStartReply },
      refuses: [429, 503],
    },
    'GET /api/provider/callback': {
      summary: 'Where the provider sends the browser back to',
      rights: 'everybody',
      replies: { 303: z.unknown() },
    },
    'POST /api/provider/finish': {
      summary: 'Finish signing in with the provider',
      description:
        'Refused with 422 on `password` where an account with the address is to be linked, and on `code` where two-factor authentication is on.',
      rights: 'everybody',
      body: providerFinish,
      replies: { 200: signedInReply, 403: signInRefusedReply },
      refuses: [401, 422, 429],
    },
  },
} satisfies CallGroup;
