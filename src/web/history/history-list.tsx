import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { HistoryEntry } from '../../contract/history.ts';
import { useCurrentUser } from '../session.ts';
import { LoadProblem } from '../shell/load-problem.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { type HistoryAddress, historyParameters, readHistoryAddress } from './history-address.ts';
import { HistoryFilters } from './history-filters.tsx';
import { historyQuery } from './history-query.ts';
import { HistorySkeleton } from './history-skeleton.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { Timeline } from './timeline.tsx';
import './history.css';

interface HistoryListProps {
  /** The call that answers it. */
  path: string;
  /** It is of many things, and can be narrowed down to some. */
  isOfEverything?: boolean;
}

/** The history of something: what narrows it down, the entries, and the way to earlier ones. */
export function HistoryList({ path, isOfEverything = false }: HistoryListProps) {
  const address = readHistoryAddress(useSearch({ strict: false }));
  const navigate = useNavigate();
  const isAdmin = useCurrentUser()?.role === 'admin';
  const [restoring, setRestoring] = useState<HistoryEntry>();
  const history = useInfiniteQuery(historyQuery(path, historyParameters(address)));
  const entries = history.data?.pages.flatMap((page) => page.entries);
  const change = (changed: HistoryAddress) =>
    void navigate({
      to: '.',
      search: () => readHistoryAddress({ ...changed }),
      replace: true,
      resetScroll: false,
    });

  return (
    <>
      <HistoryFilters address={address} hasKinds={isOfEverything} onChange={change} />
      <LoadProblem query={history} />
      {entries === undefined && history.isFetching && <HistorySkeleton />}
      {entries?.length === 0 && (
        <EmptyState
          title="Nothing has been changed."
          text={Object.keys(address).length === 0 ? undefined : 'Nothing by this person, or in this time.'}
        />
      )}
      {entries && entries.length > 0 && (
        <div
          aria-busy={history.isPlaceholderData}
          className="max-w-[860px] transition-opacity duration-(--t-fast) aria-busy:opacity-60"
        >
          <Timeline
            entries={entries}
            hasSubjects={isOfEverything}
            onRestore={isAdmin ? setRestoring : undefined}
          />
          {history.hasNextPage && (
            <Button
              className="mt-6"
              processing={history.isFetchingNextPage}
              onClick={() => void history.fetchNextPage()}
            >
              Show earlier entries
            </Button>
          )}
        </div>
      )}
      {restoring && <RestoreDialog entry={restoring} onClose={() => setRestoring(undefined)} />}
    </>
  );
}
