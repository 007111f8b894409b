import { EmptyState } from '../../ui/page/empty-state.tsx';

/** The history of a sheet. */
export function ChangesTab() {
  return <EmptyState title="Changes" text="Who changed this sheet, and when." />;
}
