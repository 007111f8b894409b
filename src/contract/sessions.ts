import { z } from 'zod';

/** One sign-in of the person who asks, that has not ended. */
const sessionReply = z.object({
  id: z.string(),
  /** It is the one that asks. */
  current: z.boolean(),
  created_at: z.string(),
  /** To within a thirtieth of the time after which it would end without a call. */
  last_used_at: z.string(),
  /** When it ends in any case. */
  expires_at: z.string(),
  /** Network address that it was started from; null where it was not noted. */
  address: z.string().nullable(),
  /** Browser and system that it was started with, in plain words; null where nothing is known of them. */
  device: z.string().nullable(),
});
export type Session = z.infer<typeof sessionReply>;

export const sessionListReply = z.array(sessionReply);

export const sessionPath = z.object({ id: z.string().regex(/^[\w-]{22}$/) });
