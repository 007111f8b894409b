import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { HistoryEntry } from '../../contract/history.ts';
import { usersQuery } from '../accounts/account-queries.ts';
import { useCurrentUser } from '../lib/session.ts';
import { useDebouncedText } from '../lib/use-debounced.ts';
import { UndoBulkDialog } from '../students/list/bulk/undo-bulk-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { DateField } from '../ui/fields/date-field.tsx';
import { SelectField, TextField } from '../ui/fields/input-fields.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { LoadError } from '../ui/page/load-error.tsx';
import { PrintAll } from '../ui/page/print-all.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { type HistorySource, historyQuery } from './history-queries.ts';
import { RestoreDialog } from './restore-dialog.tsx';
import {
  HISTORY_KINDS,
  type HistorySearchParams,
  MAX_STUDENT_TEXT,
  parseHistorySearchParams,
  toHistoryQuery,
} from './search-params.ts';
import { type BulkOfEntry, Timeline } from './timeline.tsx';
import './history.css';

interface HistoryListProps {
  source: HistorySource;
  /** Whether it covers all records, and can be filtered by kind and student. */
  isOfEverything?: boolean;
}

/** A history: filters, entries, and a button for earlier ones. */
export function HistoryList({ source, isOfEverything = false }: HistoryListProps) {
  const address = parseHistorySearchParams(useSearch({ strict: false }));
  const navigate = useNavigate();
  const isAdmin = useCurrentUser()?.role === 'admin';
  const [restoring, setRestoring] = useState<HistoryEntry>();
  const [undoing, setUndoing] = useState<BulkOfEntry>();
  const history = useInfiniteQuery(historyQuery(source, toHistoryQuery(address)));
  const entries = history.data?.pages.flatMap((page) => page.entries);
  const change = (changed: HistorySearchParams) =>
    void navigate({
      to: '.',
      search: (): object => parseHistorySearchParams({ ...changed }),
      replace: true,
      resetScroll: false,
    });

  return (
    <>
      <HistoryFilters address={address} isOfEverything={isOfEverything} onChange={change} />
      <LoadError query={history} />
      {entries === undefined && history.isFetching && <HistorySkeleton />}
      {entries?.length === 0 && (
        <EmptyState
          title={Object.keys(address).length === 0 ? 'Nothing has been changed.' : 'No entries found.'}
          text={Object.keys(address).length === 0 ? undefined : 'Change or clear the filters.'}
        />
      )}
      {history.data?.pages[0]?.has_all_students === false && (
        <p className="mb-4 text-fg-2 text-label">
          Many students match. Only the entries of the best matches are shown: type more of the name, or the
          ID.
        </p>
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
            onUndoBulk={isAdmin ? setUndoing : undefined}
          />
          <PrintAll query={history}>The filters lead to earlier entries.</PrintAll>
          {history.hasNextPage && (
            <Button
              className="screen-only mt-6"
              processing={history.isFetchingNextPage}
              onClick={() => void history.fetchNextPage()}
            >
              Show earlier entries
            </Button>
          )}
        </div>
      )}
      {undoing && <UndoBulkDialog bulk={undoing} onClose={() => setUndoing(undefined)} />}
      {restoring && <RestoreDialog entry={restoring} onClose={() => setRestoring(undefined)} />}
    </>
  );
}

interface HistoryFiltersProps {
  address: HistorySearchParams;
  /** Whether the kind of record and the student can be filtered too. */
  isOfEverything: boolean;
  onChange: (address: HistorySearchParams) => void;
}

const kinds = Object.entries(HISTORY_KINDS).map(([value, { label }]) => ({ value, label }));

/** Filters by kind of record, student, user and days. */
function HistoryFilters({ address, isOfEverything, onChange }: HistoryFiltersProps) {
  const users = useQuery(usersQuery);
  const people = (users.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  const field = (name: keyof HistorySearchParams) => ({
    name,
    value: address[name] ?? '',
    onChange: (value: string) => onChange({ ...address, [name]: value }),
  });
  const student = useDebouncedText({
    value: address.student ?? '',
    onApply: (text) => onChange({ ...address, student: text }),
  });
  const filters = useRef<HTMLElement>(null);
  const clear = () => {
    // The button that was pressed disappears.
    filters.current?.querySelector<HTMLElement>('input, select')?.focus();
    student.cancel();
    onChange({});
  };
  return (
    <search
      ref={filters}
      aria-label="Filter the history"
      className="mb-4 flex flex-wrap items-start gap-x-4 gap-y-1"
    >
      {isOfEverything && (
        <>
          <div className="w-48 max-xs:flex-[1_1_140px]">
            <SelectField {...field('kind')} label="What" placeholder="Everything" options={kinds} />
          </div>
          <div className="w-56 max-xs:flex-[1_1_140px]">
            <TextField
              name="student"
              label="Student"
              type="search"
              placeholder="Name, ID or former ID"
              maxLength={MAX_STUDENT_TEXT}
              value={student.text}
              onChange={student.type}
            />
          </div>
        </>
      )}
      <div className="w-48 max-xs:flex-[1_1_140px]">
        <SelectField {...field('user')} label="Person" placeholder="Everyone" options={people} />
      </div>
      <div className="w-40 max-xs:flex-[1_1_140px]">
        <DateField {...field('from')} label="From" max={address.to} />
      </div>
      <div className="w-40 max-xs:flex-[1_1_140px]">
        <DateField {...field('to')} label="To" min={address.from} />
      </div>
      {Object.keys(address).length > 0 && (
        <Button variant="quiet" className="mt-6" onClick={clear}>
          Clear all
        </Button>
      )}
    </search>
  );
}

const ENTRIES = ['a', 'b', 'c', 'd', 'e'] as const;

/** Placeholder of a day's entries. */
function HistorySkeleton() {
  return (
    <div aria-hidden="true" className="max-w-[860px]">
      <div className="border-line border-b pb-3">
        <Skeleton width={140} />
      </div>
      {ENTRIES.map((key) => (
        <div key={key} className="grid gap-2 border-line border-b py-4">
          <Skeleton width={280} />
          <Skeleton width={120} />
          <Skeleton width={360} />
        </div>
      ))}
    </div>
  );
}
