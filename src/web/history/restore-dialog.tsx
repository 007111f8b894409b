import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { HistoryEntry, HistoryState } from '../../contract/history.ts';
import { invalidateCourse } from '../courses/course-queries.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { hasReason, ReasonField } from '../forms/reason-field.tsx';
import { restoreState } from '../forms/restore-state.ts';
import { useIdempotencyKey } from '../forms/use-idempotency-key.ts';
import { formatDay, formatTime } from '../lib/format.ts';
import { invalidateTerms } from '../settings/term-queries.ts';
import { invalidateStudent } from '../students/student-queries.ts';
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
  const queries = useQueryClient();
  const attemptKey = useIdempotencyKey();
  const states = restorableStates(entry);
  const [state, setState] = useState<HistoryState>(states[0] ?? 'before');
  const query = useQuery(restorePreviewQuery(entry.id, state));
  const preview = query.data?.body;
  const needsReason = preview?.needs_reason ?? null;

  return (
    <FormDialog
      title={dialogTitle(entry)}
      fields={{ reason: '' }}
      action="Restore"
      isReady={({ reason }) =>
        preview?.obstacle === null && !query.isFetching && (needsReason === null || hasReason(reason))
      }
      failure="It could not be restored. Try again."
      run={async ({ reason }) => {
        const ifMatch = query.data?.version;
        const message = await restoreState(entry.id, state, {
          ifMatch,
          ...(needsReason !== null && { body: { reason } }),
          idempotencyKey: attemptKey({ entry: entry.id, state, ifMatch, reason }),
        });
        return { message };
      }}
      onDone={() => {
        invalidateStudent(queries, entry.entity_id);
        invalidateCourse(queries, entry.entity_id);
        invalidateTerms(queries);
        void queries.invalidateQueries({ queryKey: ['history'] });
      }}
      onError={() => void query.refetch()}
      onClose={onClose}
    >
      {({ field, forget }) => (
        <section
          aria-label="What will change"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that it can be scrolled by keyboard.
          tabIndex={0}
          className="-outline-offset-2"
        >
          {states.length > 1 && (
            <div className="pb-4">
              <SegmentedControl
                label="The state to restore"
                options={STATES}
                value={state}
                onChange={(chosen) => {
                  forget();
                  setState(chosen);
                }}
              />
            </div>
          )}
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
              <ReasonField {...field('reason')} hint={`${needsReason} Stands in the history.`} />
            </div>
          )}
        </section>
      )}
    </FormDialog>
  );
}

function dialogTitle({ action, name, entity_id, id, user, at }: HistoryEntry): string {
  return action === 'delete'
    ? `Restore ${name ?? entity_id} from entry ${id}`
    : `Undo ${user.name ?? 'the system'}’s change of ${formatDay(at)}, ${formatTime(at)}`;
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
