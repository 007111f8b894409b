import { EmptyState } from '../../ui/page/empty-state.tsx';

/** What confirming would write; once confirmed, the results and their rectification. */
export function ResultsTab() {
  return <EmptyState title="Confirm" text="What confirming this sheet writes." />;
}
