import { z } from 'zod';

/**
 * Every error but 422. `error` is present only when change-password gets a wrong current password; `present_id` where a
 * student is looked for under a former registration number.
 */
export const errorReply = z.object({
  message: z.string(),
  error: z.string().optional(),
  present_id: z.string().optional(),
  requestId: z.string().optional(),
});

export type ErrorReply = z.infer<typeof errorReply>;

/** 422: each invalid field with its messages; clients show the first. */
export const invalidReply = z.object({
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())),
});

/** 412: the current record, which somebody else has changed. */
export const staleReply = z.object({ message: z.string(), current: z.unknown() });

export const messageReply = z.object({ message: z.string() });
export type MessageReply = z.infer<typeof messageReply>;

/** Input whose errors name a nested field by its path, such as `rules.quotas`, and not by its outermost part. */
export const errorsByPath = z.registry<Record<string, never>>();
