import type { Deletions, HistoryState } from '../../contract/history.ts';
import { ApiError, type SendOptions } from '../lib/api.ts';
import { call } from '../lib/call.ts';

/** @returns the server's message */
export async function restoreState(
  entry: number,
  state: HistoryState,
  options: SendOptions & { body?: { reason: string } },
): Promise<string> {
  const { message } = await call('POST /api/history/:entry/restore', {
    params: { entry },
    query: { state },
    ...options,
  });
  return message;
}

/** The entry of the latest deletion of a student or course, if it can be undone. */
export async function requireDeletion(
  entity: Deletions['deletions'][number]['entity'],
  id: string,
): Promise<number> {
  const { deletions } = await call('GET /api/deletions');
  const found = deletions.find((one) => one.entity === entity && one.entity_id === id && one.restorable);
  if (found === undefined)
    throw new ApiError(409, 'It has been restored already, or its ID is in use again.', {});
  return found.entry;
}
