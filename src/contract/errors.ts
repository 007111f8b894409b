import { z } from 'zod';

/** Every refusal but a 422. `error` is there only where a wrong current password was sent to change-password. */
export const errorReply = z.object({
  message: z.string(),
  error: z.string().optional(),
  requestId: z.string().optional(),
});

/** 422: each refused field with its texts, the first being the one to show. */
export const invalidReply = z.object({
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())),
});

/** 412: what was to be changed as it is now, since somebody else has changed it in the meantime. */
export const staleReply = z.object({ message: z.string(), current: z.unknown() });

export const messageReply = z.object({ message: z.string() });
export type MessageReply = z.infer<typeof messageReply>;
