import { z } from 'zod';
import type { CallGroup } from '../calls.ts';
import { messageReply } from '../errors.ts';
import { typedPassword } from './accounts.ts';

const signedOutReply = z.object({ loggedOut: z.boolean(), token: z.null(), message: z.string() });

/** An active session of the actor. */
const sessionReply = z.object({
  id: z.string(),
  /** The session of this call. */
  current: z.boolean(),
  created_at: z.string(),
  /** Accurate to a thirtieth of the idle timeout. */
  last_used_at: z.string(),
  /** Even if it is in use. */
  expires_at: z.string(),
  /** IP address that started it; null when unknown. */
  address: z.string().nullable(),
  /** Browser and system that started it, such as `Firefox on Windows`; null when unknown. */
  device: z.string().nullable(),
});
export type Session = z.infer<typeof sessionReply>;

export const sessionListReply = z.array(sessionReply);

/** The body of a call that ends sessions, which may be left out within ten minutes of signing in. */
const sessionEndInput = z
  .object({
    /** The current password. */
    password: typedPassword().nullable().default(null),
  })
  .default({ password: null });

const sessionPath = z.object({ id: z.string().regex(/^[\w-]{22}$/) });

const ENDING = 'With the current password, unless you signed in within the last ten minutes.';

/** A person's own sessions. */
export const sessionCalls = {
  tag: 'Accounts',
  calls: {
    'POST /api/logout': {
      summary: 'Sign out',
      rights: ['account'],
      replies: { 200: signedOutReply },
    },
    'GET /api/sessions': {
      summary: 'Where you are signed in',
      rights: ['account'],
      replies: { 200: sessionListReply },
    },
    'DELETE /api/sessions': {
      summary: 'Sign out everywhere but here',
      description: ENDING,
      rights: ['account'],
      body: sessionEndInput,
      replies: { 200: messageReply },
      refuses: [422, 429],
    },
    'DELETE /api/sessions/:id': {
      summary: 'End one of your sessions',
      description: ENDING,
      rights: ['account'],
      params: sessionPath,
      body: sessionEndInput,
      replies: { 200: messageReply },
      refuses: [404, 422, 429],
    },
  },
} satisfies CallGroup;
