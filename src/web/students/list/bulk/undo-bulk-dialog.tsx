import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
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
  const undo = useUndoBulkChange();
  const [isRunning, setIsRunning] = useState(false);
  const run = async () => {
    setIsRunning(true);
    await undo(bulk.id);
    onClose();
    await Promise.all([
      queries.invalidateQueries(bulkChangesQuery),
      queries.invalidateQueries({ queryKey: ['history'] }),
    ]);
  };
  return (
    <ConfirmDialog
      isOpen
      text={`Are you sure you want to undo this change of ${formatStudentCount(bulk.students)}?`}
      processing={isRunning}
      onYes={() => void run()}
      onNo={onClose}
    />
  );
}
