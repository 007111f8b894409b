import { z } from 'zod';
import { oneOf, optionalKey, optionalText, otherwise, text } from './fields.ts';

export const ROLES = ['admin', 'staff', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

const PASSWORD_LENGTH = { min: 8, max: 256 } as const;

export const email = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.trim() || undefined : (value ?? undefined)),
    z
      .string(otherwise('must be text.'))
      .max(255, 'must be at most 255 characters.')
      .refine(
        (value) =>
          /^[^\s@,;:<>()[\]\\"]+@[^\s@,;:<>()[\]\\"]+$/.test(value) &&
          value.isWellFormed() &&
          !value.includes('\0'),
        'must be an email address.',
      ),
  );

/** A password as typed, never trimmed. One that is only compared has no other rule than its greatest length. */
export const typedPassword = () =>
  z
    .string(otherwise('must be text.'))
    .min(1, 'field is required.')
    .max(PASSWORD_LENGTH.max * 4, `must be at most ${PASSWORD_LENGTH.max} characters.`);

/** A password to be set: 8 to 256 characters (code points) of any kind. */
const newPassword = () =>
  typedPassword().refine((value) => {
    const length = [...value].length;
    return length >= PASSWORD_LENGTH.min && length <= PASSWORD_LENGTH.max;
  }, `must be ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters.`);

const confirmed = { message: 'The password confirmation does not match.', path: ['password'] };
const isConfirmed = (form: { password: string; password_confirmation: string }) =>
  form.password === form.password_confirmation;

export const registerInput = z
  .object({ name: text(), email: email(), password: newPassword(), password_confirmation: typedPassword() })
  .refine(isConfirmed, confirmed);
export type RegisterInput = z.infer<typeof registerInput>;

export const loginInput = z.object({
  email: email(),
  password: typedPassword(),
  /** Of the authenticator app, or a recovery code; asked for where a second factor is set up. */
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

export const forgotPasswordInput = z.object({ email: email() });

/** Sets a new password with the token of a recovery link. */
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

export const signedInReply = z.object({ token: z.string(), user: userReply, message: z.string() });
export type SignedIn = z.infer<typeof signedInReply>;

export const signedOutReply = z.object({ loggedOut: z.boolean(), token: z.null(), message: z.string() });
export const userUpdatedReply = z.object({ message: z.string(), user: userReply });

/** Where a user's profile picture is (`/api/pictures/…`), null while there is none. */
export const userPictureReply = z.object({ picture: z.string().nullable() });
export type UserPicture = z.infer<typeof userPictureReply>;
