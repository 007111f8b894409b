import type { Db } from '../../db/schema.ts';

/** Why registration is blocked, by student. Nothing places holds yet. */
export const findRegistrationHolds = (
  _db: Db,
  _ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => Promise.resolve(new Map());
