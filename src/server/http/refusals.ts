import { errorReply, invalidReply, staleReply } from '../../contract/errors.ts';

const REPLIES = {
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
type Replies = typeof REPLIES;

/** The reply schemas of errors, for routes that require a sign-in: these statuses, and always 401. */
export function refusals<Status extends keyof Replies = never>(
  ...statuses: Status[]
): Pick<Replies, Status | 401> {
  const chosen = [401, ...statuses].map((status) => [status, REPLIES[status as Status | 401]]);
  return Object.fromEntries(chosen);
}
