import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MessageReply } from '../../contract/errors.ts';
import type { HistoryEntry, HistoryState } from '../../contract/history.ts';
import { ApiError, call } from '../api.ts';
import { forgetCourse } from '../courses/forget-course.ts';
import { useAttemptKey } from '../forms/use-attempt-key.ts';
import { flash } from '../shell/flash.tsx';
import { forgetStudent } from '../students/forget-student.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Segments } from '../ui/segments.tsx';
import { Skeleton } from '../ui/small-parts.tsx';
import { TaskDialog } from '../ui/task-dialog.tsx';
import { useModal } from '../ui/use-modal.ts';
import { ChangeList } from './change-list.tsx';
import { statesOf } from './entry-words.ts';
import { restorePath, restorePreviewQuery } from './history-query.ts';

interface RestoreDialogProps {
  entry: HistoryEntry;
  onClose: () => void;
}

const STATES = [
  { value: 'before', label: 'Before this change' },
  { value: 'after', label: 'After it' },
] as const;

/** Shows what bringing back an earlier state would change, asks, and does it. */
export function RestoreDialog({ entry, onClose }: RestoreDialogProps) {
  const dialog = useModal(true);
  const queries = useQueryClient();
  const attemptKey = useAttemptKey();
  const states = statesOf(entry);
  const [state, setState] = useState<HistoryState>(states[0] ?? 'before');
  const [isRunning, setIsRunning] = useState(false);
  const [problem, setProblem] = useState('');
  const query = useQuery(restorePreviewQuery(entry.id, state));
  const preview = query.data?.body;
  const mayRestore = preview?.obstacle === null && !query.isFetching;

  const run = async () => {
    if (!mayRestore) return;
    setIsRunning(true);
    setProblem('');
    try {
      const ifMatch = query.data?.version;
      const { message } = await call<MessageReply>('POST', restorePath(entry.id, state), {
        ...(ifMatch !== undefined && { ifMatch }),
        idempotencyKey: attemptKey({ entry: entry.id, state, ifMatch }),
      });
      forgetStudent(queries, entry.entity_id);
      forgetCourse(queries, entry.entity_id);
      dialog.current?.close();
      flash(message);
      await queries.invalidateQueries({ queryKey: ['history'] });
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'It could not be restored. Try again.');
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
      {/* A part that scrolls must be reachable by keyboard. */}
      <section
        aria-label="What will change"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto px-5 pb-1 -outline-offset-2"
      >
        {states.length > 1 && (
          <div className="pb-4">
            <Segments
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
              <span className="sr-only">Looking what will change</span>
              <Skeleton width={260} />
            </>
          ) : (
            <p className="text-pretty">{preview.obstacle ?? questionOf(entry, preview.changes.length)}</p>
          )}
        </div>
        {preview && preview.changes.length > 0 && <ChangeList changes={preview.changes} />}
      </section>
      <div className="flex flex-wrap justify-end gap-2 px-5 pt-3 pb-4 max-xs:*:grow">
        <Button onClick={() => dialog.current?.close()}>Cancel</Button>
        <Button
          variant="primary"
          processing={isRunning}
          disabled={!mayRestore && !isRunning}
          onClick={() => void run()}
        >
          Restore
        </Button>
      </div>
    </TaskDialog>
  );
}

function questionOf({ action, entity }: HistoryEntry, fields: number): string {
  if (action === 'delete') {
    return entity === 'course'
      ? 'The course comes back with its marks. Do you wish to proceed?'
      : 'The student comes back with family and results. Do you wish to proceed?';
  }
  const will = fields === 1 ? 'One field will change.' : `${fields} fields will change.`;
  return `${will} Do you wish to proceed?`;
}
