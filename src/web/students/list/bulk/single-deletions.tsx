import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useId } from 'react';
import type { Deletions } from '../../../../contract/history.ts';
import { restoreState } from '../../../forms/restore-state.ts';
import { useIdempotencyKey } from '../../../forms/use-idempotency-key.ts';
import { useTask } from '../../../forms/use-task.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { useCurrentUser } from '../../../lib/session.ts';
import { Button } from '../../../ui/button.tsx';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { deletionsQuery } from './use-bulk.ts';

type Deletion = Deletions['deletions'][number];

/** The latest deletions of single students and courses, each with a button to undo it. */
export function SingleDeletions() {
  const heading = useId();
  const user = useCurrentUser();
  const query = useQuery(deletionsQuery);
  const deletions = query.data?.deletions ?? [];
  if (query.error === null && deletions.length === 0) return null;
  return (
    <section aria-labelledby={heading} className="mt-9 max-w-[860px]">
      <h2 id={heading} className="pb-3">
        Single deletions
      </h2>
      <LoadError query={query} />
      <ul className="border-line border-t">
        {deletions.map((deletion) => (
          <li
            key={deletion.entry}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b py-3"
          >
            <div className="min-w-0 flex-[1_1_260px]">
              <p className="wrap-anywhere">
                <span className="font-[560]">
                  {deletion.user.id === user?.id ? 'You' : (deletion.user.name ?? 'A deleted account')}
                </span>{' '}
                {deletionText(deletion)}
              </p>
              <p className="mt-0.5 text-fg-3 text-label">
                <time dateTime={deletion.at}>{formatDateTime(deletion.at)}</time>
                {!deletion.restorable && ' · Restored, or the ID is in use again'}
              </p>
            </div>
            {deletion.restorable && <UndoButton deletion={deletion} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

const deletionText = ({ entity, name, entity_id }: Deletion) =>
  entity === 'student' ? `deleted the student ${name}, CMS ID ${entity_id}` : `deleted the course ${name}`;

function UndoButton({ deletion }: { deletion: Deletion }) {
  const queries = useQueryClient();
  const idempotencyKey = useIdempotencyKey();
  const { start, isRunning } = useTask({
    run: async () => {
      const { entry } = deletion;
      return {
        message: await restoreState(entry, 'before', { idempotencyKey: idempotencyKey(entry) }),
      };
    },
    failure: 'The entry could not be restored. Try again.',
    flashesProblem: true,
    onDone: async () => {
      await Promise.all([['students'], ['courses']].map((queryKey) => queries.resetQueries({ queryKey })));
      await queries.invalidateQueries({ queryKey: ['history'] });
    },
    onSettled: () => queries.invalidateQueries(deletionsQuery),
  });
  return (
    <Button
      size="sm"
      processing={isRunning}
      onClick={() => start()}
      aria-label={`Undo: ${deletionText(deletion)}`}
    >
      <Undo2 />
      Undo
    </Button>
  );
}
