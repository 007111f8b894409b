import { EmptyState } from '../../ui/page/empty-state.tsx';
import { useMayEdit } from '../sheet-context.ts';
import { SheetActions } from '../sheet-layout.tsx';

/** The marks of a class. */
export function MarksTab() {
  const mayEdit = useMayEdit();
  return (
    <>
      <SheetActions>{mayEdit && <span>Draft</span>}</SheetActions>
      <EmptyState title="Marks" text="Marks of this class." />
    </>
  );
}
