import { useQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { ListedBulkChange } from '../../../../contract/students/bulk.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { useCurrentUser } from '../../../lib/session.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { Page, PageHeader } from '../../../ui/page/page.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { pastText } from './bulk-text.ts';
import { SingleDeletions } from './single-deletions.tsx';
import { UndoBulkDialog } from './undo-bulk-dialog.tsx';
import { bulkChangesQuery } from './use-bulk.ts';

/** The latest changes of many students, each with a button to undo it. */
export function BulkChangesPage() {
  const isAdmin = useCurrentUser()?.role === 'admin';
  const query = useQuery(bulkChangesQuery);
  const changes = query.data?.changes;
  return (
    <Page>
      <PageHeader
        title="Bulk changes"
        sub={`The latest ones${isAdmin ? '' : ' that you made'}. An undo leaves out students that have been changed since.`}
        back={{ to: '/students', label: 'Students' }}
      />
      <LoadError query={query} />
      {changes === undefined && query.isFetching && <Skeleton width={320} />}
      {changes?.length === 0 && (
        <EmptyState
          title="Nothing has been changed."
          text="Select students in the list to change or delete many of them at once."
        />
      )}
      {changes && changes.length > 0 && <BulkChangeList changes={changes} />}
      <SingleDeletions />
    </Page>
  );
}

function BulkChangeList({ changes }: { changes: readonly ListedBulkChange[] }) {
  const user = useCurrentUser();
  const [asked, setAsked] = useState<ListedBulkChange>();
  return (
    <>
      <ul className="max-w-[860px] border-line border-t">
        {changes.map((change) => (
          <li
            key={change.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b py-3"
          >
            <div className="min-w-0 flex-[1_1_260px]">
              <p className="wrap-anywhere">
                <span className="font-[560]">
                  {change.user?.id === user?.id ? 'You' : (change.user?.name ?? 'A deleted account')}
                </span>{' '}
                {pastText(change)}
              </p>
              <p className="mt-0.5 text-fg-3 text-label">
                <time dateTime={change.at}>{formatDateTime(change.at)}</time>
                {change.undo && <> · Undone: {change.undo.message}</>}
              </p>
            </div>
            {change.undo === null && (
              <Button size="sm" onClick={() => setAsked(change)} aria-label={`Undo: ${pastText(change)}`}>
                <Undo2 />
                Undo
              </Button>
            )}
          </li>
        ))}
      </ul>
      {asked && <UndoBulkDialog bulk={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
