import type { Db, Tx } from '../../db/schema.ts';
import { getNetworks } from '../../http/client-networks.ts';

/** Since the last sign-in there. */
const KNOWN_FOR_MS = 14 * 24 * 3_600_000;

const getNetwork = (address: string) => getNetworks(address)[0].name;

/** Whether the account has signed in from the network of this address recently. */
export async function isKnownNetwork(tx: Tx, emailKey: string, address: string): Promise<boolean> {
  const now = Date.now();
  const known = await tx
    .selectFrom('known_networks')
    .innerJoin('users', 'users.id', 'user_id')
    .select('user_id')
    .where('email_key', '=', emailKey)
    .where('network', '=', getNetwork(address))
    .where('signed_in_at', '>', new Date(now - KNOWN_FOR_MS).toISOString())
    .executeTakeFirst();
  return known !== undefined;
}

/** Stores the network of a successful sign-in and deletes the account's old ones. */
export async function rememberNetwork(db: Db, userId: number, address: string): Promise<void> {
  const now = Date.now();
  await db
    .deleteFrom('known_networks')
    .where('user_id', '=', userId)
    .where('signed_in_at', '<=', new Date(now - KNOWN_FOR_MS).toISOString())
    .execute();
  const signed_in_at = new Date(now).toISOString();
  await db
    .insertInto('known_networks')
    .values({ user_id: userId, network: getNetwork(address), signed_in_at })
    .onConflict((conflict) => conflict.columns(['user_id', 'network']).doUpdateSet({ signed_in_at }))
    .execute();
}
