import { useMemo, useSyncExternalStore } from 'react';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import { currentUserId } from '../../lib/session.ts';
import { eachUnsent, listUnsent, type UnsentMark, withCells } from './model/unsent-cells.ts';
import { readUnsent, unsentText, watchUnsent } from './model/unsent-storage.ts';
import { useMarkEditor } from './use-mark-editor.ts';

/**
 * The marks of this browser that are not in the sheet: wrong, in conflict, or not sent yet. Those of other windows and of
 * earlier ones are among them.
 */
export function useUnsentMarks(sheet: Sheet): readonly UnsentMark[] {
  const { sheet_id } = sheet;
  const userId = currentUserId();
  const { state } = useMarkEditor(sheet);
  const kept = useSyncExternalStore(watchUnsent, () => unsentText(userId, sheet_id));
  const unsent = useMemo(
    () => (kept === null ? state.unsent : withCells(readUnsent(userId, sheet_id), eachUnsent(state.unsent))),
    [kept, state.unsent, userId, sheet_id],
  );
  return useMemo(() => listUnsent(sheet, unsent), [sheet, unsent]);
}
