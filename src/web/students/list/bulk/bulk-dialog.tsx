import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { BulkPreviewInput } from '../../../../contract/students/bulk.ts';
import type { StudentFilter } from '../../../../contract/students/student-list.ts';
import { useIdempotencyKey } from '../../../forms/use-idempotency-key.ts';
import { usePreviewedApply } from '../../../forms/use-previewed-apply.ts';
import { refusalText } from '../../../lib/api.ts';
import { call } from '../../../lib/call.ts';
import { focusMain } from '../../../lib/navigation/navigation.ts';
import { useDebouncedText } from '../../../lib/use-debounced.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { TaskDialog } from '../../../ui/dialog/task-dialog.tsx';
import { TextField } from '../../../ui/fields/input-fields.tsx';
import type { ListSelection } from '../model/selection.ts';
import { BulkFields, emptyBulkFields, toBulkChange } from './bulk-fields.tsx';
import { BulkPreviewPanel } from './bulk-preview.tsx';
import { actionLabel } from './bulk-text.ts';
import { BULK_FAILURE, bulkPreviewQuery, toBulkSelection, useUndoBulkChange } from './use-bulk.ts';

/** More deletes than this need their number to be typed. */
const DELETES_WITHOUT_COUNT = 10;

interface BulkDialogProps {
  task: 'change' | 'delete';
  /** The number of selected students, such as `3 students`. */
  students: string;
  filter: StudentFilter;
  selection: ListSelection;
  onClose: () => void;
  onDone: () => void;
}

/** Asks for the change of the selected students, shows a preview, and applies it. */
export function BulkDialog({ task, students, filter, selection, onClose, onDone }: BulkDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const queries = useQueryClient();
  const [values, setValues] = useState(emptyBulkFields);
  const reason = useDebouncedText({
    value: values.reason,
    onApply: (typed) => setValues((latest) => ({ ...latest, reason: typed })),
  });
  const [typedCount, setTypedCount] = useState('');
  const change = task === 'delete' ? ({ action: 'delete' } as const) : toBulkChange(values);
  const request = change && { ...change, ...toBulkSelection(selection, filter) };
  const preview = useQuery(bulkPreviewQuery(request));
  const shown = preview.data;
  const idempotencyKey = useIdempotencyKey();

  const asksForCount = task === 'delete' && shown !== undefined && shown.changing > DELETES_WITHOUT_COUNT;
  const isReady =
    shown !== undefined &&
    !preview.isPlaceholderData &&
    !reason.isWaiting &&
    shown.changing > 0 &&
    (!asksForCount || typedCount.replace(/[\s,.]/g, '') === String(shown.changing));

  /** Closed by the browser, which returns the focus to where it was. */
  const close = () => dialog.current?.close();
  const undo = useUndoBulkChange();
  const { apply, reset, isRunning, problem } = usePreviewedApply('POST /api/students/bulk', {
    preview: shown,
    onOutdated: (current) => void queries.setQueryData(bulkPreviewQuery(request).queryKey, current),
    run: (key, { fingerprint }, request: BulkPreviewInput) => {
      const body = { ...request, fingerprint };
      return call(key, { body, idempotencyKey: idempotencyKey(body) });
    },
    failure: BULK_FAILURE,
    onDone: () => {
      void queries.resetQueries({ queryKey: ['students'] });
      close();
      onDone();
      // The button that opened the dialog is removed with the selection.
      focusMain();
    },
    undo: (done) => undo.start(done.change.id),
  });

  return (
    <TaskDialog
      dialog={dialog}
      title={`${task === 'delete' ? 'Delete' : 'Change'} ${students}`}
      isRunning={isRunning}
      onClose={onClose}
    >
      <div className="min-h-0 flex-auto overflow-y-auto px-5 pb-1">
        {problem !== undefined && (
          <Alert tone={shown === undefined ? 'danger' : 'warn'} className="mb-4">
            {problem}
          </Alert>
        )}
        {task === 'change' && (
          <BulkFields
            values={{ ...values, reason: reason.text }}
            onChange={(changed) => {
              reset();
              if (changed.reason !== reason.text) reason.type(changed.reason);
              else setValues({ ...changed, reason: values.reason });
            }}
          />
        )}
        {change && (
          <BulkPreviewPanel
            change={change}
            preview={shown}
            problem={preview.error === null ? undefined : refusalText(preview.error, BULK_FAILURE)}
            onRetry={() => void preview.refetch()}
          />
        )}
        {asksForCount && (
          <div className="max-w-60 py-3">
            <TextField
              name="count"
              label={`Type ${shown.changing} to delete them`}
              value={typedCount}
              onChange={setTypedCount}
            />
          </div>
        )}
      </div>
      <div className="flex flex-wrap justify-end gap-2 px-5 pt-3 pb-4 max-xs:*:grow">
        <Button onClick={close}>Cancel</Button>
        <Button
          variant={task === 'delete' ? 'danger' : 'primary'}
          processing={isRunning}
          disabled={!isReady}
          onClick={() => {
            if (request && isReady) apply(request);
          }}
        >
          {change && shown ? actionLabel(change, shown.changing) : task === 'delete' ? 'Delete' : 'Change'}
        </Button>
      </div>
    </TaskDialog>
  );
}
