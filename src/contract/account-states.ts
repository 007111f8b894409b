import { z } from 'zod';
import { typedPassword } from './accounts.ts';
import { otherwise } from './fields.ts';

/** How people may sign in to an account, for administrators; beside the list of users, whose shape is settled. */
const accountState = z.object({
  id: z.int(),
  /** Nobody can sign in to it. */
  locked: z.boolean(),
  /** A code is asked for beside the password. */
  second_factor: z.boolean(),
});
export type AccountState = z.infer<typeof accountState>;

export const accountStatesReply = z.array(accountState);

export const lockInput = z.object({
  locked: z.boolean(otherwise('must be true or false.')),
  /** The current password of the administrator. */
  password: typedPassword(),
});
