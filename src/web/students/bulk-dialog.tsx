import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkPreview } from '../../contract/bulk.ts';
import type { StudentFilter } from '../../contract/student-list.ts';
import { ApiError } from '../api.ts';
import { focusMain } from '../shell/focus-main.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { TaskDialog } from '../ui/task-dialog.tsx';
import { useModal } from '../ui/use-modal.ts';
import { BulkChangeFields, changeIn, NO_CHANGE } from './bulk-change-fields.tsx';
import { BulkPreviewPart } from './bulk-preview.tsx';
import { bulkPreviewQuery, chosenOf, refusalText } from './bulk-request.ts';
import { doText } from './bulk-words.ts';
import type { ListSelection } from './list-selection.ts';
import { useBulkChange } from './use-bulk-change.ts';

interface BulkDialogProps {
  task: 'change' | 'delete';
  /** How many are chosen, in words. */
  chosen: string;
  filter: StudentFilter;
  selection: ListSelection;
  onClose: () => void;
  onDone: () => void;
}

/** Asks what to do to the chosen students, shows what that would be, and does it. */
export function BulkDialog({ task, chosen, filter, selection, onClose, onDone }: BulkDialogProps) {
  const dialog = useModal(true);
  const queries = useQueryClient();
  const [values, setValues] = useState(NO_CHANGE);
  const [isRunning, setIsRunning] = useState(false);
  const [problem, setProblem] = useState('');
  const change = task === 'delete' ? ({ action: 'delete' } as const) : changeIn(values);
  const asked = change && { ...change, ...chosenOf(selection, filter) };
  const preview = useQuery(bulkPreviewQuery(asked));
  const seen = preview.data;
  const apply = useBulkChange();

  /** The browser gives the focus back to where it was. */
  const close = () => dialog.current?.close();
  const run = async () => {
    if (asked === undefined || seen === undefined || seen.changing === 0) return;
    setIsRunning(true);
    setProblem('');
    try {
      await apply({ ...asked, fingerprint: seen.fingerprint });
      close();
      onDone();
      // The button that the dialog was opened with goes with the selection.
      focusMain();
    } catch (error) {
      setProblem(refusalText(error));
      const now = previewIn(error);
      if (now !== undefined) queries.setQueryData(bulkPreviewQuery(asked).queryKey, now);
    } finally {
      setIsRunning(false);
    }
  };

  return (
    <TaskDialog
      dialog={dialog}
      title={`${task === 'delete' ? 'Delete' : 'Change'} ${chosen}`}
      isRunning={isRunning}
      onClose={onClose}
    >
      <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-1">
        {problem !== '' && (
          <Alert tone={seen === undefined ? 'danger' : 'warn'} className="mb-4">
            {problem}
          </Alert>
        )}
        {task === 'change' && (
          <BulkChangeFields
            values={values}
            onChange={(changed) => {
              setProblem('');
              setValues(changed);
            }}
          />
        )}
        {change && (
          <BulkPreviewPart
            change={change}
            preview={seen}
            problem={preview.error === null ? undefined : refusalText(preview.error)}
            onAgain={() => void preview.refetch()}
          />
        )}
      </div>
      <div className="flex flex-wrap justify-end gap-2 px-5 pt-3 pb-4 max-xs:*:grow">
        <Button onClick={close}>Cancel</Button>
        <Button
          variant={task === 'delete' ? 'danger' : 'primary'}
          processing={isRunning}
          disabled={seen === undefined || seen.changing === 0}
          onClick={() => void run()}
        >
          {change && seen ? doText(change, seen.changing) : task === 'delete' ? 'Delete' : 'Change'}
        </Button>
      </div>
    </TaskDialog>
  );
}

/** What the change would do now, in the answer that says that it is not what was agreed to. */
function previewIn(error: unknown): BulkPreview | undefined {
  if (!(error instanceof ApiError) || error.status !== 412) return undefined;
  return (error.body as { current: BulkPreview }).current;
}
