import type { Db } from '../db/schema.ts';
import { findSealingKeys, findUnopenable } from '../secrets/stored-secrets.ts';
import type { CheckContext } from './check.ts';

const OWNERS = { 'signing_keys.private_key': 'Signing key', 'second_factors.secret': 'Account' } as const;

/** Finds keys that can't be decrypted. */
export async function* unopenableKeys(db: Db, { secrets, note }: CheckContext): AsyncGenerator<string> {
  if (secrets === undefined) {
    const needed = await findSealingKeys(db);
    if (needed.length > 0)
      note(`not decrypted: set SIMS_SECRET_KEY_FILE to the file with the line ${needed.join(', ')}.`);
    return;
  }
  for (const { column, row, keyId } of await findUnopenable(db, secrets)) {
    yield `${OWNERS[column]} ${row}: ${column} is encrypted with the key ${keyId}, and no line of SIMS_SECRET_KEY_FILE opens it.`;
  }
}
