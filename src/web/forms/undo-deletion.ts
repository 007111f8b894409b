import type { MessageReply } from '../../contract/errors.ts';
import type { Deletions } from '../../contract/history.ts';
import { ApiError, call } from '../lib/api.ts';

/** Restores the latest deletion of a student or course. @returns the server's message */
export async function undoDeletion(
  entity: Deletions['deletions'][number]['entity'],
  id: string,
): Promise<string> {
  const { deletions } = await call<Deletions>('GET', '/api/deletions');
  const found = deletions.find((one) => one.entity === entity && one.entity_id === id && one.restorable);
  if (found === undefined)
    throw new ApiError(409, 'It has been restored already, or its ID is in use again.', {});
  return restoreDeletion(found.entry);
}

/** @returns the server's message */
export async function restoreDeletion(entry: number): Promise<string> {
  const { message } = await call<MessageReply>('POST', `/api/history/${entry}/restore?state=before`);
  return message;
}
