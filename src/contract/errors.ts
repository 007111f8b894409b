import { z } from 'zod';

/**
 * Every error but 422. `error` is present only when change-password gets a wrong current password; `present_id` where a
 * student is looked for under a former registration number; `second_factor` in a 403 to a person who has to set one up first.
 */
export const errorReply = z.object({
  message: z.string(),
  error: z.string().optional(),
  present_id: z.string().optional(),
  second_factor: z.literal('required').optional(),
  requestId: z.string().optional(),
});

/** The author of the latest change of a record, with the name at that time, and when. Null where that is unknown. */
export const latestChange = z.object({
  changed_by: z.string().nullable(),
  changed_at: z.iso.datetime().nullable(),
});
export type LatestChange = z.infer<typeof latestChange>;

/**
 * 422: each invalid field with its messages; clients show the first. The latest change is that of a record that somebody
 * else has entered already.
 */
export const invalidReply = z.object({
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())),
  ...latestChange.partial().shape,
});

/** 412: the current record, which somebody else has changed. */
const staleReply = z.object({ message: z.string(), current: z.unknown(), ...latestChange.shape });

const REFUSALS = {
  401: errorReply,
  403: errorReply,
  404: errorReply,
  409: errorReply,
  412: staleReply,
  413: errorReply,
  415: errorReply,
  422: invalidReply,
  429: errorReply,
  503: errorReply,
} as const;
export type RefusalStatus = keyof typeof REFUSALS;

/** The reply schemas of these errors. */
export const refusals = (statuses: readonly RefusalStatus[]) =>
  Object.fromEntries(statuses.map((status) => [status, REFUSALS[status]]));

export const messageReply = z.object({ message: z.string() });
export type MessageReply = z.infer<typeof messageReply>;

/** Input whose errors name a nested field by its path, such as `rules.quotas`, and not by its outermost part. */
export const errorsByPath = z.registry<Record<string, never>>();
