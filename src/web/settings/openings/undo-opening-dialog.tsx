import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { useRef } from 'react';
import { usePreviewedApply } from '../../forms/use-previewed-apply.ts';
import { call } from '../../lib/call.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TaskDialog } from '../../ui/dialog/task-dialog.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { resetOpenings, type UndoPreview, undoOpeningQuery } from './opening-queries.ts';

/** Shows which sheets an undo keeps, and deletes the others. */
export function UndoOpeningDialog({ openingId, onClose }: { openingId: number; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const queries = useQueryClient();
  const options = undoOpeningQuery(openingId);
  const query = useQuery(options);
  const preview = query.data;
  const close = () => dialog.current?.close();
  const undo = usePreviewedApply('POST /api/openings/:opening_id/undo', {
    preview,
    run: (key, { fingerprint }) =>
      call(key, { params: { opening_id: openingId }, body: { fingerprint }, hasOverlay: false }),
    failure: 'The opening could not be undone. Try again.',
    outdatedNote: 'This is how it is now.',
    onOutdated: (current) => void queries.setQueryData(options.queryKey, current),
    onDone: async () => {
      await resetOpenings(queries);
      close();
    },
  });
  return (
    <TaskDialog
      dialog={dialog}
      title="Undo the opening?"
      isRunning={undo.isRunning}
      isLarge
      onClose={onClose}
    >
      <div className="min-h-0 flex-auto overflow-y-auto px-5 pb-5">
        {undo.problem !== undefined && (
          <Alert tone="warn" className="mb-4">
            {undo.problem}
          </Alert>
        )}
        <LoadError query={query} />
        {preview === undefined ? query.isFetching && <Skeleton width={260} /> : <Effect preview={preview} />}
      </div>
      <div className="flex flex-wrap justify-end gap-2 border-line border-t bg-sunken px-5 py-3 max-xs:*:grow">
        <Button onClick={close}>Keep the mark sheets</Button>
        <Button
          variant="danger"
          processing={undo.isRunning}
          disabled={preview === undefined}
          onClick={() => undo.apply()}
        >
          <Undo2 />
          {preview === undefined || preview.undone === 0
            ? 'Undo'
            : `Delete ${plural(preview.undone, 'mark sheet')}`}
        </Button>
      </div>
    </TaskDialog>
  );
}

function Effect({ preview: { undone, kept } }: { preview: UndoPreview }) {
  return (
    <div className="grid gap-3">
      <p>
        {undone === 0
          ? 'None of its mark sheets is as the opening made it, so none is deleted.'
          : `${plural(undone, 'mark sheet')} that nobody has touched ${undone === 1 ? 'is' : 'are'} deleted. The dates of the term stay.`}
      </p>
      {kept.length > 0 && (
        <>
          <Alert tone="warn">{`${plural(kept.length, 'mark sheet')} ${kept.length === 1 ? 'stays' : 'stay'}. Nobody’s work is taken back.`}</Alert>
          <ul aria-label="Kept" className="rounded-panel border border-line">
            {kept.slice(0, MOST_KEPT).map(({ sheet_id, reason }) => (
              <li
                key={sheet_id}
                className="flex flex-wrap gap-x-4 border-line px-4 py-2 text-label not-first:border-t"
              >
                <Link to="/marksheets/$sheetId" params={{ sheetId: String(sheet_id) }} className="link">
                  Mark sheet {sheet_id}
                </Link>
                <span className="text-fg-2">{reason}</span>
              </li>
            ))}
          </ul>
          {kept.length > MOST_KEPT && (
            <p className="text-fg-3 text-label">And {formatCount(kept.length - MOST_KEPT)} more.</p>
          )}
        </>
      )}
    </div>
  );
}

const MOST_KEPT = 20;
