import { EmptyState } from '../../ui/page/empty-state.tsx';
import { useSheet } from '../sheet-context.ts';

/** Boundaries and letters of a sheet. */
export function GradesTab() {
  const { stats } = useSheet();
  return <EmptyState title="Grades" text={`${stats.n} totals.`} />;
}
