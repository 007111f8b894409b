import { HistoryList } from '../history/history-list.tsx';
import { useCanWrite } from '../lib/session.ts';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { useSheet } from './sheet-context.tsx';
import { sheetPath } from './sheet-queries.ts';

/** The history of a sheet. */
export function ChangesTab() {
  const { sheet_id } = useSheet();
  const canWrite = useCanWrite();
  return canWrite ? (
    <HistoryList path={`${sheetPath(sheet_id)}/history`} />
  ) : (
    <EmptyState title="Only staff read who changed a mark sheet." />
  );
}
