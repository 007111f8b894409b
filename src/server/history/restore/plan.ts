import type { z } from 'zod';
import type { Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import type { State } from '../fields.ts';
import type { Author } from '../record-change.ts';

/** How the state of a thing that an entry tells of can become the current one. */
export interface Plan {
  /** The thing as it is now, and as it would be: what is worked out from it aside. */
  current: State;
  target: State;
  /** The version of what there is now; undefined where it would be made anew. */
  version: string | undefined;
  /** By the same way as staff's own changes, with their checks. */
  apply(tx: Tx, author: Author, ifMatch: string | undefined): Promise<string>;
}

/** Why a state can't be restored, in plain words. */
export const obstacle = (text: string) => new AppError('conflict', text);

/** A state as the checks of today's calls read it. */
export function checked<Input>(schema: z.ZodType<Input>, state: State): Input {
  const read = schema.safeParse(state);
  if (read.success) return read.data;
  const fields = [...new Set(read.error.issues.map(({ path }) => String(path[0]).replaceAll('_', ' ')))];
  throw obstacle(`By today's rules this state is not allowed any more: ${fields.join(', ')}.`);
}
