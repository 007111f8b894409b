import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ImportSummary, ImportUndoPreview } from '../../contract/imports.ts';
import { hasReason, ReasonField } from '../forms/reason-field.tsx';
import { usePreviewedApply } from '../forms/use-previewed-apply.ts';
import { call } from '../lib/call.ts';
import { formatCount, formatDateTime } from '../lib/format.ts';
import { useCurrentUser } from '../lib/session.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { TaskDialog } from '../ui/dialog/task-dialog.tsx';
import { LoadError } from '../ui/page/load-error.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Figures } from './figures.tsx';
import { KIND_NAMES, recordsText, sourceText } from './import-labels.ts';
import { importQuery, resetRecords } from './import-queries.ts';

/** The records that go back and those that stay. Each opening of the dialog reads them again. */
const undoPreviewQuery = (importId: number) =>
  queryOptions({
    queryKey: ['imports', 'undo', importId],
    queryFn: ({ signal }) =>
      call('GET /api/imports/:import_id/undo', { params: { import_id: importId }, signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

interface UndoImportDialogProps {
  item: Pick<ImportSummary, 'import_id' | 'kind' | 'file_name' | 'sheet' | 'applied_at' | 'created_at'>;
  onClose: () => void;
}

/** Shows what an undo would do, the records that it keeps first, and undoes the import. */
export function UndoImportDialog({ item, onClose }: UndoImportDialogProps) {
  const { import_id, kind } = item;
  const dialog = useRef<HTMLDialogElement>(null);
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const isAdmin = useCurrentUser()?.role === 'admin';
  const query = useQuery(undoPreviewQuery(import_id));
  const preview = query.data;
  const needsReason = preview?.needs_reason ?? null;
  const isPossible =
    preview !== undefined &&
    preview.refused === null &&
    preview.undone > 0 &&
    (needsReason === null || isAdmin);
  const isReady = isPossible && (needsReason === null || hasReason(reason));

  const close = () => dialog.current?.close();
  const undo = usePreviewedApply('POST /api/imports/:import_id/undo', {
    preview,
    onOutdated: (current) => void queries.setQueryData(undoPreviewQuery(import_id).queryKey, current),
    run: (key, { fingerprint }) => call(key, { params: { import_id }, body: { fingerprint, reason } }),
    failure: 'The import could not be undone. Try again.',
    onDone: (done) => {
      queries.setQueryData(importQuery(import_id).queryKey, done.import);
      resetRecords(queries);
      close();
    },
    isWarning: ({ kept_count }) => kept_count > 0,
  });

  return (
    <TaskDialog
      dialog={dialog}
      title={`Undo import ${import_id}?`}
      isRunning={undo.isRunning}
      isLarge
      onClose={onClose}
    >
      <div className="min-h-0 flex-auto overflow-y-auto px-5 pb-5">
        <p className="wrap-anywhere mb-4 text-fg-2">
          {`${KIND_NAMES[kind]}, ${sourceText(item)}, ${formatDateTime(item.applied_at ?? item.created_at)}`}
        </p>
        {undo.problem !== undefined && (
          <Alert tone="warn" className="mb-4">
            {undo.problem}
          </Alert>
        )}
        <LoadError query={query} />
        {preview === undefined ? (
          query.isFetching && <Skeleton width={260} />
        ) : (
          <UndoPreview item={item} preview={preview} />
        )}
        {needsReason !== null && preview?.refused === null && (
          <div className="mt-4 grid gap-3">
            <Alert tone="warn">
              {isAdmin ? needsReason : `${needsReason} Ask an administrator to undo this import.`}
            </Alert>
            {isAdmin && <ReasonField value={reason} onChange={setReason} />}
          </div>
        )}
      </div>
      <div className="flex flex-wrap justify-end gap-2 border-line border-t bg-sunken px-5 py-3 max-xs:*:grow">
        <Button onClick={close}>{isPossible || preview === undefined ? 'Keep the import' : 'Close'}</Button>
        {(preview === undefined || isPossible) && (
          <Button
            variant="danger"
            processing={undo.isRunning}
            disabled={!isReady}
            onClick={() => undo.apply()}
          >
            <Undo2 />
            {preview === undefined
              ? 'Undo'
              : preview.kept_count > 0
                ? `Undo the other ${formatCount(preview.undone)}`
                : `Undo ${recordsText(kind, preview.undone)}`}
          </Button>
        )}
      </div>
    </TaskDialog>
  );
}

function UndoPreview({ item, preview }: { item: UndoImportDialogProps['item']; preview: ImportUndoPreview }) {
  const { undone, kept, kept_count, refused } = preview;
  if (refused !== null) return <Alert>{refused}</Alert>;
  return (
    <div className="grid gap-4">
      <Figures
        figures={[
          { name: 'Taken back', value: formatCount(undone) },
          { name: 'Kept', value: formatCount(kept_count) },
        ]}
      />
      {undone === 0 ? (
        <Alert tone="warn">This import can’t be undone any more: all of it was changed since.</Alert>
      ) : (
        kept_count > 0 && (
          <Alert tone="warn">
            <b className="font-semibold">{`${recordsText(item.kind, kept_count)} changed after the import.`}</b>{' '}
            They stay as they are. Nobody’s later work is taken back.
          </Alert>
        )
      )}
      {kept.length > 0 && (
        <ul aria-label="Kept" className="rounded-panel border border-line">
          {kept.map(({ key, name, reason }) => (
            <li
              key={key}
              className="flex flex-wrap gap-x-4 border-line px-4 py-2 not-first:border-t max-md:flex-col"
            >
              <span className="wrap-anywhere w-48 shrink-0 max-md:w-auto">
                <b className="font-[560]">{key}</b>
                {name !== null && <span className="block">{name}</span>}
              </span>
              <span className="wrap-anywhere min-w-0 flex-1 text-fg-2">{reason}</span>
            </li>
          ))}
        </ul>
      )}
      {kept_count > kept.length && (
        <p className="text-fg-3 text-label">{`And ${formatCount(kept_count - kept.length)} more.`}</p>
      )}
      {undone > 0 && (
        <p className="text-fg-3 text-label">
          New ones are taken away, changed ones get their old values back. The undo stands in the history.
        </p>
      )}
    </div>
  );
}
