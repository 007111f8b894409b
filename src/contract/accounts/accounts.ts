import { z } from 'zod';
import { hasControlCharacters } from '../../domain/control-characters.ts';
import type { CallGroup } from '../calls.ts';
import { errorReply, messageReply } from '../errors.ts';
import { numberedPath, oneOf, optionalKey, optionalText, requiredOr, text } from '../fields.ts';

/**
 * Why an account is pending: its owner has to open the mailed link, an administrator has to approve it, or its owner has
 * to accept the invitation.
 */
export const PENDING_REASONS = ['verification', 'approval', 'invitation'] as const;
export type PendingReason = (typeof PENDING_REASONS)[number];

export const ROLES = ['admin', 'staff', 'viewer', 'teacher'] as const;
export type Role = (typeof ROLES)[number];

export const PASSWORD_LENGTH = { min: 8, max: 256 } as const;

export const email = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.trim() || undefined : (value ?? undefined)),
    z
      .string(requiredOr('must be text.'))
      .max(255, 'must be at most 255 characters.')
      .refine(
        (value) =>
          /^[^\s@,;:<>()[\]\\"]+@[^\s@,;:<>()[\]\\"]+$/.test(value) &&
          value.isWellFormed() &&
          !hasControlCharacters(value),
        'must be an email address.',
      ),
  );

/** A password to compare: never trimmed, limited only in length. */
export const typedPassword = () =>
  z
    .string(requiredOr('must be text.'))
    .min(1, 'field is required.')
    .max(PASSWORD_LENGTH.max * 4, `must be at most ${PASSWORD_LENGTH.max} characters.`);

/** One form of each character: keyboards and systems send the same `é`, or the same letters of Urdu, as different characters. */
export const normalizePassword = (typed: string) => typed.normalize('NFKC');

/** A password to set, in its normal form: 8 to 256 characters (code points) of any kind. */
const newPassword = () =>
  typedPassword()
    .overwrite(normalizePassword)
    .refine((value) => {
      const length = [...value].length;
      return length >= PASSWORD_LENGTH.min && length <= PASSWORD_LENGTH.max;
    }, `must be ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters.`);

const confirmed = { message: 'The password confirmation does not match.', path: ['password'] };
const isConfirmed = (form: { password: string; password_confirmation: string }) =>
  form.password === normalizePassword(form.password_confirmation);

export const registerInput = z
  .object({ name: text(), email: email(), password: newPassword(), password_confirmation: typedPassword() })
  .refine(isConfirmed, confirmed);
export type RegisterInput = z.infer<typeof registerInput>;

export const loginInput = z.object({
  email: email(),
  password: typedPassword(),
  /** A code of the authenticator app, or a recovery code; required with two-factor authentication. */
  code: optionalText(64),
});

export const userUpdate = z.object({
  id: optionalKey(),
  name: text(),
  email: email(),
  role: oneOf(ROLES),
  /** The current password of the person who makes the change. */
  password: typedPassword(),
});

export const passwordChange = z
  .object({
    id: optionalKey(),
    old_password: typedPassword(),
    password: newPassword(),
    password_confirmation: typedPassword(),
  })
  .refine(isConfirmed, confirmed);

/** Sets a password with the token of a link. */
export const resetPasswordInput = z
  .object({
    token: text(),
    password: newPassword(),
    password_confirmation: typedPassword(),
  })
  .refine(isConfirmed, confirmed);

export const userReply = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
});
export type User = z.infer<typeof userReply>;

export const userListReply = z.array(userReply);

export const userPath = z.object({ id: numberedPath });

export const signedInReply = z.object({ token: z.string(), user: userReply, message: z.string() });
export type SignedIn = z.infer<typeof signedInReply>;

const userUpdatedReply = z.object({ message: z.string(), user: userReply });

/** State of an account, for administrators. Apart from the list of users, whose shape the specification fixes. */
const accountState = z.object({
  id: z.int(),
  /** Sign-in is refused. */
  locked: z.boolean(),
  /** Sign-in requires a code in addition to the password. */
  second_factor: z.boolean(),
  /** Null for an account that is not pending. */
  waiting_for: z.enum(PENDING_REASONS).nullable(),
  /** When the link of an invitation expires; null without a valid one, and for other accounts. */
  invitation_expires_at: z.string().nullable(),
});
export type AccountState = z.infer<typeof accountState>;

export const accountStatesReply = z.array(accountState);

/** Says why the account is pending, only to its proven owner. */
export const signInRefusedReply = errorReply.extend({ waiting_for: z.enum(PENDING_REASONS).optional() });

/** Path of a link that sets a password, in the only reply that has it; null where it was mailed. */
export const accountLinkReply = z.object({ message: z.string(), link: z.string().nullable() });

const lockInput = z.object({
  locked: z.boolean(requiredOr('must be true or false.')),
  /** The current password of the administrator. */
  password: typedPassword(),
});

export const userCalls = {
  tag: 'Accounts',
  calls: {
    'GET /api/users': {
      summary: 'All users',
      rights: ['account'],
      replies: { 200: userListReply },
    },
    'GET /api/users/:id': {
      summary: 'One user',
      rights: ['account'],
      params: userPath,
      replies: { 200: userReply },
      refuses: [404],
    },
    'PUT /api/users/:id': {
      summary: 'Change an account',
      description:
        'A person changes their own account, an admin any; always with their own current password.',
      rights: ['account'],
      params: userPath,
      body: userUpdate,
      replies: { 200: userUpdatedReply },
      refuses: [403, 404, 412, 422],
    },
    'GET /api/account-states': {
      summary: 'Which accounts are locked',
      rights: ['administer'],
      replies: { 200: accountStatesReply },
    },
    'PUT /api/users/:id/lock': {
      summary: 'Lock an account, or unlock it',
      description:
        'With their own current password. Nobody can sign in to a locked account, and its sessions end at once.',
      rights: ['administer'],
      params: userPath,
      body: lockInput,
      replies: { 200: messageReply },
      refuses: [404, 422, 429],
    },
  },
} satisfies CallGroup;
