import { z } from 'zod';

/** Every refusal but a 422. `error` is there only where a wrong current password was sent to change-password. */
export const errorReply = z.object({
  message: z.string(),
  error: z.string().optional(),
  requestId: z.string().optional(),
});
export type ErrorReply = z.infer<typeof errorReply>;

/** 422: each refused field with its texts, the first being the one to show. */
export const invalidReply = z.object({
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())),
});
export type InvalidReply = z.infer<typeof invalidReply>;

export const messageReply = z.object({ message: z.string() });
export type MessageReply = z.infer<typeof messageReply>;
