import { useQueryClient } from '@tanstack/react-query';
import type { ListedBulkChange } from '../../../../contract/students/bulk.ts';
import { formatStudentCount } from '../../../lib/format.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { bulkChangesQuery, useUndoBulkChange } from './use-bulk.ts';

interface UndoBulkDialogProps {
  bulk: Pick<ListedBulkChange, 'id' | 'students'>;
  onClose: () => void;
}

/** Asks whether a change of many students is to be undone, and undoes it. */
export function UndoBulkDialog({ bulk, onClose }: UndoBulkDialogProps) {
  const queries = useQueryClient();
  const { start, isRunning } = useUndoBulkChange({
    onSettled: async () => {
      onClose();
      await Promise.all(
        [bulkChangesQuery.queryKey, ['history']].map((queryKey) => queries.invalidateQueries({ queryKey })),
      );
    },
  });
  return (
    <ConfirmDialog
      isOpen
      text={`Are you sure you want to undo this change of ${formatStudentCount(bulk.students)}?`}
      processing={isRunning}
      onYes={() => start(bulk.id)}
      onNo={onClose}
    />
  );
}
