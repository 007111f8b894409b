import { z } from 'zod';
import { email } from './accounts.ts';
import { optionalText, text } from './fields.ts';

/** Where to go to sign in with the provider. */
export const providerBegunReply = z.object({ url: z.string() });
export type ProviderBegun = z.infer<typeof providerBegunReply>;

/** What came back in the address, and what is asked for beside it. */
export const providerFinish = z.object({
  ticket: text(),
  /** Of the account that already has the address, the first time; never trimmed. */
  password: z.string().max(1024).nullish(),
  /** Where a second factor is set up. */
  code: optionalText(64),
});

/** What the provider says of a person, as far as it is used. */
export const providerIdentity = z.object({
  issuer: z.string().min(1).max(1024),
  subject: z.string().min(1).max(255),
  email: email(),
  name: text(),
});
export type ProviderIdentity = z.infer<typeof providerIdentity>;
