import type { MessageReply } from '../../contract/errors.ts';
import type { Deletions, HistoryState } from '../../contract/history.ts';
import { ApiError, type CallOptions, call } from '../lib/api.ts';

export const restorePath = (entry: number, state: HistoryState) =>
  `/api/history/${entry}/restore?state=${state}`;

/** @returns the server's message */
export async function restoreState(
  entry: number,
  state: HistoryState,
  options: Pick<CallOptions, 'body' | 'ifMatch' | 'idempotencyKey'>,
): Promise<string> {
  const { message } = await call<MessageReply>('POST', restorePath(entry, state), options);
  return message;
}

/** The entry of the latest deletion of a student or course, if it can be undone. */
export async function requireDeletion(
  entity: Deletions['deletions'][number]['entity'],
  id: string,
): Promise<number> {
  const { deletions } = await call<Deletions>('GET', '/api/deletions');
  const found = deletions.find((one) => one.entity === entity && one.entity_id === id && one.restorable);
  if (found === undefined)
    throw new ApiError(409, 'It has been restored already, or its ID is in use again.', {});
  return found.entry;
}
