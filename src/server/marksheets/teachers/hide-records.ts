import type { SheetRowReply } from '../../../contract/marksheets/sheets.ts';
import type { App } from '../../app-types.ts';

/** A row without what it says about the record of its student. */
export const hideRecord = <Row extends Pick<SheetRowReply, 'blocked'>>(row: Row): Row => ({
  ...row,
  blocked: null,
});

/**
 * Replies to teachers say nothing about the records behind the rows of their sheets, whichever call they answer: also those
 * about an outdated version.
 */
export function hideRecordsFromTeachers(scope: App): void {
  scope.addHook('preSerialization', async ({ actor }, _reply, payload) =>
    actor?.role === 'teacher' ? hideInside(payload) : payload,
  );
}

const PARTS = ['sheet', 'row', 'rows', 'current'] as const;

function hideInside(payload: unknown): unknown {
  if (Array.isArray(payload)) return payload.map(hideInside);
  if (typeof payload !== 'object' || payload === null) return payload;
  const hidden: Record<string, unknown> = { ...payload };
  if ('blocked' in hidden) hidden.blocked = null;
  for (const part of PARTS) if (part in hidden) hidden[part] = hideInside(hidden[part]);
  return hidden;
}
