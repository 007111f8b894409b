import { HistoryList } from '../history/history-list.tsx';
import { useCanWrite } from '../lib/session.ts';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { useSheet } from './sheet-context.tsx';

/** The history of a sheet. */
export function ChangesTab() {
  const { sheet_id } = useSheet();
  const canWrite = useCanWrite();
  return canWrite ? (
    <HistoryList source={{ key: 'GET /api/sheets/:sheet_id/history', params: { sheet_id } }} />
  ) : (
    <EmptyState title="Only staff read who changed a mark sheet." />
  );
}
