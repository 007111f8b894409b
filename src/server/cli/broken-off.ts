import { isOutOfReach, isStorageFull } from '../db/dialect.ts';
import { StartError } from '../start-error.ts';

/** What may well go better another time is told in a line, with what to do then. */
export function brokenOff(error: unknown, what: string, advice: string): unknown {
  if (!isOutOfReach(error) && !isStorageFull(error) && !isRoomless(error)) return error;
  return new StartError(`${what} was broken off: ${reasonOf(error)}. ${advice}`);
}

/** The folder has no room, or none for this user; the database's own disk is told of otherwise. */
const isRoomless = (error: unknown) =>
  error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code));

/** The driver tells of a lost connection in its own terms. An unreachable server has a reason for each of its addresses. */
function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const reason = first instanceof Error ? first.message : String(first);
  return /not queryable|Connection terminated/i.test(reason)
    ? 'the connection to the database was lost'
    : reason;
}
