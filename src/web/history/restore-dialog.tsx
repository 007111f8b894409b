import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { HistoryEntry, HistoryState } from '../../contract/history.ts';
import { invalidateCourse } from '../courses/course-queries.ts';
import { hasReason, ReasonField } from '../forms/reason-field.tsx';
import { restoreState } from '../forms/restore-state.ts';
import { useIdempotencyKey } from '../forms/use-idempotency-key.ts';
import { errorMessage } from '../lib/api.ts';
import { invalidateTerms } from '../settings/term-queries.ts';
import { invalidateStudent } from '../students/student-queries.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { TaskDialog } from '../ui/dialog/task-dialog.tsx';
import { flash } from '../ui/flash.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { ChangeList } from './change-list.tsx';
import { restorableStates } from './entry-text.ts';
import { restorePreviewQuery } from './history-queries.ts';

interface RestoreDialogProps {
  entry: HistoryEntry;
  onClose: () => void;
}

const STATES = [
  { value: 'before', label: 'Before this change' },
  { value: 'after', label: 'After it' },
] as const;

/** Previews the restore of an earlier state, and carries it out on confirmation. */
export function RestoreDialog({ entry, onClose }: RestoreDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const queries = useQueryClient();
  const attemptKey = useIdempotencyKey();
  const states = restorableStates(entry);
  const [state, setState] = useState<HistoryState>(states[0] ?? 'before');
  const [isRunning, setIsRunning] = useState(false);
  const [problem, setProblem] = useState('');
  const [reason, setReason] = useState('');
  const query = useQuery(restorePreviewQuery(entry.id, state));
  const preview = query.data?.body;
  const needsReason = preview?.needs_reason ?? null;
  const canRestore =
    preview?.obstacle === null && !query.isFetching && (needsReason === null || hasReason(reason));

  const run = async () => {
    if (!canRestore) return;
    setIsRunning(true);
    setProblem('');
    try {
      const ifMatch = query.data?.version;
      const message = await restoreState(entry.id, state, {
        ...(ifMatch !== undefined && { ifMatch }),
        ...(needsReason !== null && { body: { reason } }),
        idempotencyKey: attemptKey({ entry: entry.id, state, ifMatch, reason }),
      });
      invalidateStudent(queries, entry.entity_id);
      invalidateCourse(queries, entry.entity_id);
      invalidateTerms(queries);
      dialog.current?.close();
      flash(message);
      await queries.invalidateQueries({ queryKey: ['history'] });
    } catch (error) {
      setProblem(errorMessage(error, 'It could not be restored. Try again.'));
      void query.refetch();
    } finally {
      setIsRunning(false);
    }
  };

  return (
    <TaskDialog
      dialog={dialog}
      title={`Restore ${entry.name ?? entry.entity_id} from entry ${entry.id}`}
      isRunning={isRunning}
      onClose={onClose}
    >
      <section
        aria-label="What will change"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that it can be scrolled by keyboard.
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto px-5 pb-1 -outline-offset-2"
      >
        {states.length > 1 && (
          <div className="pb-4">
            <SegmentedControl
              label="The state to restore"
              options={STATES}
              value={state}
              onChange={(chosen) => {
                setProblem('');
                setState(chosen);
              }}
            />
          </div>
        )}
        {problem !== '' && <Alert className="mb-4">{problem}</Alert>}
        <div role="status" className="pb-3">
          {query.error !== null ? (
            query.error.message
          ) : preview === undefined ? (
            <>
              <span className="sr-only">Finding out what will change</span>
              <Skeleton width={260} />
            </>
          ) : (
            <p className="text-pretty">{preview.obstacle ?? questionText(entry, preview.changes.length)}</p>
          )}
        </div>
        {preview && preview.changes.length > 0 && <ChangeList changes={preview.changes} />}
        {needsReason !== null && (
          <div className="pt-4">
            <ReasonField value={reason} onChange={setReason} hint={`${needsReason} Stands in the history.`} />
          </div>
        )}
      </section>
      <div className="flex flex-wrap justify-end gap-2 px-5 pt-3 pb-4 max-xs:*:grow">
        <Button onClick={() => dialog.current?.close()}>Cancel</Button>
        <Button
          variant="primary"
          processing={isRunning}
          disabled={!canRestore && !isRunning}
          onClick={() => void run()}
        >
          Restore
        </Button>
      </div>
    </TaskDialog>
  );
}

function questionText({ action, entity }: HistoryEntry, fields: number): string {
  if (action === 'delete') {
    if (entity === 'term') return 'The term comes back. Do you wish to proceed?';
    if (entity === 'sheet')
      return 'The mark sheet comes back with its marks, under a new number. Do you wish to proceed?';
    return entity === 'course'
      ? 'The course is restored with its marks. Do you wish to proceed?'
      : 'The student is restored with family and results. Do you wish to proceed?';
  }
  const will = fields === 1 ? 'One field will change.' : `${fields} fields will change.`;
  return `${will} Do you wish to proceed?`;
}
