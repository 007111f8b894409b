import { z } from 'zod';
import { typedPassword } from './accounts.ts';
import { text } from './fields.ts';

/** A code of the app, or a recovery code; blanks and hyphens in it do not matter. */
const code = () => text(64);

export const passwordProof = z.object({ password: typedPassword() });
export const codeInput = z.object({ code: code() });
export const secondFactorRemoval = z.object({ password: typedPassword(), code: code() });

/** How the person who asks signs in. */
export const signInMethodsReply = z.object({
  /** Null while none is set up. */
  second_factor: z.object({ since: z.string(), recovery_codes_left: z.int() }).nullable(),
});
export type SignInMethods = z.infer<typeof signInMethodsReply>;

/** What the app is told, as text to type and as an address to scan; counts once a code of it has come back. */
export const secondFactorBegunReply = z.object({
  secret: z.string(),
  uri: z.string(),
  message: z.string(),
});
export type SecondFactorBegun = z.infer<typeof secondFactorBegunReply>;

/** The recovery codes, told this once. */
export const secondFactorSetReply = z.object({
  recovery_codes: z.array(z.string()),
  message: z.string(),
});
export type SecondFactorSet = z.infer<typeof secondFactorSetReply>;
