import type { z } from 'zod';
import type { historyQuery } from '../../contract/history.ts';
import type { HistoryFilter } from './list-history.ts';

type Asked = Omit<z.output<typeof historyQuery>, 'limit' | 'cursor'>;

/** What was asked for, as the history is looked up by it. */
export function filterOf({ entity, entity_id, action, user, from, to }: Asked): HistoryFilter {
  return {
    ...(entity !== undefined && { entities: [entity] }),
    ...(entity_id !== undefined && { entityId: entity_id }),
    action,
    user,
    from: from === undefined ? undefined : momentOf(from),
    until: to === undefined ? undefined : endOf(to),
  };
}

/** As the history writes moments. */
const momentOf = (moment: string) => new Date(moment).toISOString();

const DAY = 24 * 60 * 60_000;

/** A day ends with its last moment, a moment is one. Nothing is later than what four digits of a year can say. */
function endOf(to: string): string | undefined {
  const end = new Date(new Date(to).getTime() + (to.includes('T') ? 1 : DAY)).toISOString();
  return end.startsWith('+') ? undefined : end;
}
