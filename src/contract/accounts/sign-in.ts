import { z } from 'zod';
import { optionalText, text } from '../fields.ts';
import { email, typedPassword } from './accounts.ts';

/** A code of the app or a recovery code; spaces and hyphens are ignored. */
const code = () => text(64);

export const passwordConfirmation = z.object({ password: typedPassword() });
export const codeInput = z.object({ code: code() });
export const secondFactorRemoval = z.object({ password: typedPassword(), code: code() });

/** How the actor signs in. */
export const signInMethodsReply = z.object({
  /** Null without one. */
  second_factor: z.object({ since: z.string(), recovery_codes_left: z.int() }).nullable(),
});
export type SignInMethods = z.infer<typeof signInMethodsReply>;

/** Secret for the app, to type or to scan. The second factor is active after a first code. */
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
export type SecondFactorConfirmed = z.infer<typeof secondFactorConfirmedReply>;

/** Address of the provider's login page. */
export const providerStartReply = z.object({ url: z.string() });
export type ProviderStart = z.infer<typeof providerStartReply>;

/** The ticket from the address, and what was asked for. */
export const providerFinish = z.object({
  ticket: text(),
  /** Of an existing account with the email, to link it; never trimmed. */
  password: z.string().max(1024).nullish(),
  /** Required where a second factor is set up. */
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
