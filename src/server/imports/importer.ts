import type { Db, Tx } from '../db/schema.ts';
import { transact } from '../history/transaction.ts';
import type { Actor } from '../http/actor.ts';
import { type AuthorWithRole, transactAs } from '../http/transact-as.ts';

/** A person or program that previews and applies an import. */
export interface Importer {
  /** Whose imports these are; null for the command line, which may have any. */
  person: Pick<Actor, 'id' | 'role'> | null;
  /** Changes records in one transaction, in the name of the importer. */
  transact<Result>(db: Db, act: (tx: Tx, author: AuthorWithRole) => Promise<Result>): Promise<Result>;
}

/** A signed-in person, whose rights are verified at the end of each transaction. */
export const personImporter = (actor: Actor): Importer => ({
  person: actor,
  transact: (db, act) => transactAs(db, actor, act),
});

/** A program that has no account. */
export const programImporter = (author: AuthorWithRole): Importer => ({
  person: null,
  transact: (db, act) => transact(db, (tx) => act(tx, author)),
});
