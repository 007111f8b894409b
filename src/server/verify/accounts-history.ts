import { formatCount } from '../../domain/format-count.ts';
import type { Db } from '../db/schema.ts';
import { parseState } from '../history/fields.ts';
import type { CheckContext } from './check.ts';
import { findDifferingFields, findEntries, findIdsInHistory, type StateEntry } from './history-entries.ts';

/** Accounts compared per batch. */
const PAGE = 200;

/** An account according to its history entries. */
interface RecordedState {
  isCreated: boolean;
  isDeleted: boolean;
  state: Record<string, unknown>;
  /** Issuers of the sign-in provider to which the account has been linked. */
  issuers: Set<string>;
}

const RECORDED_FIELDS = ['name', 'email', 'role', 'picture', 'locked'] as const;

/** Finds accounts whose role, lock, two-factor authentication, links to single sign-on or other fields differ from the history. */
export async function* accountsWithoutHistory(db: Db, { onProgress }: CheckContext): AsyncGenerator<string> {
  let done = 0;
  for (let last = 0; ; ) {
    const accounts = await db
      .selectFrom('users')
      .leftJoin('second_factors', 'user_id', 'users.id')
      .select(['users.id', 'name', 'email', 'role', 'picture', 'locked_at', 'confirmed_at'])
      .where('users.id', '>', last)
      .orderBy('users.id')
      .limit(PAGE)
      .execute();
    const end = accounts.at(-1);
    if (end === undefined) break;
    last = end.id;
    const recordedStates = await findRecordedStates(
      db,
      accounts.map(({ id }) => String(id)),
    );
    const identities = await db
      .selectFrom('identities')
      .select(['user_id', 'issuer'])
      .where(
        'user_id',
        'in',
        accounts.map(({ id }) => id),
      )
      .execute();
    for (const { id, locked_at, confirmed_at, ...account } of accounts) {
      const { isCreated, state, issuers } = recordedStates.get(String(id)) ?? createEmptyState();
      if (!isCreated) {
        yield `User ${id}: the history has no entry for its creation.`;
        continue;
      }
      const locked = locked_at !== null;
      const second_factor = confirmed_at !== null;
      const fields = findDifferingFields(state, { ...account, locked, second_factor });
      if (identities.some(({ user_id, issuer }) => user_id === id && !issuers.has(issuer)))
        fields.push('linked_to');
      if (fields.length > 0) yield `User ${id}: ${fields.join(', ')} differ from the history.`;
    }
    done += accounts.length;
    onProgress(`${formatCount(done)} accounts`);
  }
  yield* missingAccounts(db);
}

const createEmptyState = (): RecordedState => ({
  isCreated: false,
  isDeleted: false,
  state: { picture: null, locked: false, second_factor: false },
  issuers: new Set(),
});

async function findRecordedStates(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RecordedState>> {
  const recordedStates = new Map<string, RecordedState>();
  for await (const entry of findEntries(db, ['user'], ids)) {
    const account = recordedStates.get(entry.entity_id) ?? createEmptyState();
    recordedStates.set(entry.entity_id, account);
    applyEntry(account, entry);
  }
  return recordedStates;
}

function applyEntry(account: RecordedState, { action, after }: StateEntry): void {
  if (action === 'create') account.isCreated = true;
  account.isDeleted = action === 'delete';
  const change = parseState(after);
  for (const field of RECORDED_FIELDS) if (field in change) account.state[field] = change[field];
  const { second_factor, linked_to } = change;
  if (second_factor === 'set up') account.state.second_factor = true;
  if (second_factor === 'removed' || second_factor === 'reset') account.state.second_factor = false;
  if (typeof linked_to === 'string') account.issuers.add(linked_to);
}

/** Only pending accounts are ever deleted, each with an entry. */
async function* missingAccounts(db: Db): AsyncGenerator<string> {
  for (let last = ''; ; ) {
    const ids = await findIdsInHistory(db, 'user', last, PAGE);
    const end = ids.at(-1);
    if (end === undefined) return;
    last = end;
    const rows = await db.selectFrom('users').select('id').where('id', 'in', ids.map(Number)).execute();
    const found = new Set(rows.map(({ id }) => String(id)));
    const missing = ids.filter((id) => !found.has(id));
    const recordedStates = await findRecordedStates(db, missing);
    for (const id of missing) {
      if (recordedStates.get(id)?.isDeleted !== true)
        yield `User ${id}: is missing, and the history has no entry for its deletion.`;
    }
  }
}
