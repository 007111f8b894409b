import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useId, useState } from 'react';
import type { StudentView } from '../../../contract/students/student-list.ts';
import { formatStudentCount } from '../../lib/format.ts';
import { useCanWrite } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { NoResults } from '../../ui/page/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { fullName } from '../student-format.ts';
import { storeShownStudents } from '../student-run.ts';
import { ExportMenu } from './export/export-menu.tsx';
import { activeFilterCount, FilterChips } from './filters/filter-chips.tsx';
import { FilterPanel, FiltersButton } from './filters/filter-panel.tsx';
import { formatListCount, formatListTotal, type TotalIs } from './model/labels.ts';
import { studentPageQuery, toStudentFilter } from './model/list-query.ts';
import { isTotalExact, type PageIndex } from './model/page-index.ts';
import { currentSort, type StudentsSearchParams, withFilter, withoutFilters } from './model/search-params.ts';
import {
  EMPTY_SELECTION,
  loadedStudentIds,
  SELECT_ALL,
  type SelectionState,
  updateSelection,
} from './model/selection.ts';
import type { useStudentsSearchParams } from './model/use-search-params.ts';
import { PrintMenu } from './print/print-menu.tsx';
import { StudentsTable, TableSkeleton } from './table/students-table.tsx';

/** Loaded on demand: few visits to the list need it. */
const BulkBar = lazy(() => import('./bulk/bulk-bar.tsx').then((module) => ({ default: module.BulkBar })));

interface StudentsListProps {
  listAddress: ReturnType<typeof useStudentsSearchParams>;
  /** The view whose rows are shown; undefined until the first are loaded. */
  shown: StudentView | undefined;
  pages: PageIndex;
  /** The rows are those of the previous view; the new ones are loading. */
  isBehind: boolean;
  selectionState: SelectionState;
}

/** The search field is shown while the list loads, so that nothing typed by then is lost. */
export function StudentsList({ listAddress, shown, pages, isBehind, selectionState }: StudentsListProps) {
  const { address, query, setQuery, flush, setOrder, change } = listAddress;
  const queries = useQueryClient();
  const canWrite = useCanWrite();
  const [isFiltering, setIsFiltering] = useState(false);
  const [clearCount, setClearCount] = useState(0);
  const panelId = useId();
  const order = currentSort(address);
  const { selection, select } = selectionState;
  const columns = {
    showsSelection: canWrite,
    showsCgpa:
      order?.sort === 'cgpa' || 'cgpa_from' in address || 'cgpa_below' in address || 'standing' in address,
  };
  const total = pages.isEnded ? pages.known : pages.total;
  const totalIs = isTotalExact(pages) ? 'exact' : pages.totalIs;

  const hasSelection = selection.kind === 'all' || selection.ids.size > 0;
  const loaded = shown && hasSelection ? loadedStudentIds(queries, shown) : undefined;
  const selectsLoaded =
    loaded !== undefined &&
    (selection.kind === 'all'
      ? selection.except.size === 0
      : loaded.size > 0 && [...loaded].every((id) => selection.ids.has(id)));
  const selectAll = (isSelected: boolean) => {
    if (!isSelected || shown === undefined) return select(EMPTY_SELECTION);
    const ids = loadedStudentIds(queries, shown);
    if (totalIs === 'exact' && ids.size >= total) select(SELECT_ALL);
    else select(updateSelection(selection.kind === 'all' ? EMPTY_SELECTION : selection, ids, true));
  };
  const clear = (edit: (address: StudentsSearchParams) => StudentsSearchParams) => {
    setClearCount(clearCount + 1);
    change(edit);
  };
  useStoreShownStudents(shown, pages);
  const openOnlyMatch = useOpenOnlyMatch({ listAddress, shown, pages, isBehind });
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <SearchField
          label="Search students"
          placeholder="Search name, ID, father or phone"
          query={query}
          onQuery={setQuery}
          onLeave={flush}
          onEnter={openOnlyMatch}
          onDown={() => document.querySelector<HTMLElement>('[data-row] a')?.focus()}
        />
        <FiltersButton
          isOpen={isFiltering}
          onToggle={() => setIsFiltering(!isFiltering)}
          panelId={panelId}
          count={activeFilterCount(address)}
        />
        <ExportMenu
          view={shown ?? {}}
          selection={selection}
          total={{ count: shown === undefined ? 0 : total, is: totalIs }}
        />
        <PrintMenu address={address} selection={selection} disabled={shown === undefined || total === 0} />
        <span className="ml-auto whitespace-nowrap text-fg-3 text-label max-md:basis-full" role="status">
          {shown === undefined ? <Skeleton width={72} /> : formatListTotal(total, totalIs)}
        </span>
      </div>
      {isFiltering && (
        <FilterPanel
          // Without what was typed and is not in effect, such as a number that is not valid.
          key={clearCount}
          id={panelId}
          address={address}
          order={order}
          onFilter={(name, value, isTyped) =>
            change((current) => withFilter(current, name, value), isTyped ? 'replace' : 'push')
          }
          onOrder={setOrder}
        />
      )}
      <FilterChips
        address={address}
        onRemove={(name) => change((current) => withFilter(current, name, ''))}
        onClear={() => clear(withoutFilters)}
      />
      {selection.kind === 'some' && hasSelection && total > selection.ids.size && (
        <SelectAllBanner
          selectedCount={selection.ids.size}
          selectsLoaded={selectsLoaded}
          total={total}
          totalIs={totalIs}
          onAll={() => select(SELECT_ALL)}
        />
      )}
      {shown === undefined ? (
        <TableSkeleton {...columns} order={order} />
      ) : pages.isEnded && pages.known === 0 ? (
        <NoStudentsFound address={address} onClear={() => clear(() => ({}))} />
      ) : (
        <StudentsTable
          {...columns}
          view={shown}
          pages={pages}
          isBehind={isBehind}
          order={order}
          onOrder={setOrder}
          selectsAll={selectsLoaded || (hasSelection && 'some')}
          onSelectAll={selectAll}
          selectionState={selectionState}
        />
      )}
      {hasSelection && (
        <Suspense>
          <BulkBar
            filter={toStudentFilter(address)}
            selection={selection}
            total={{ count: total, is: totalIs }}
            onDone={() => select(EMPTY_SELECTION)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Students that are remembered for going from one to the next: more than any class has. */
const MOST_REMEMBERED = 1000;

/** Remembers the loaded students in their order, for going from one to the next. */
function useStoreShownStudents(shown: StudentView | undefined, pages: PageIndex): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (shown === undefined) return;
    const students = pages.starts.flatMap((start) => {
      const page = queries.getQueryData(studentPageQuery(shown, start).queryKey);
      return page?.students.map((one) => ({ id: one.id, name: fullName(one) })) ?? [null];
    });
    storeShownStudents(students.slice(0, MOST_REMEMBERED));
  }, [queries, shown, pages]);
}

/** Enter in the search opens the student who is the only match, as soon as that is known. */
function useOpenOnlyMatch({
  listAddress: { address, query, flush },
  shown,
  pages,
  isBehind,
}: Omit<StudentsListProps, 'selectionState'>): () => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  /** The search when Enter was pressed. */
  const [entered, setEntered] = useState<string>();
  useEffect(() => {
    if (entered === undefined) return;
    const isSettled = address.q === entered && shown !== undefined && !isBehind;
    if (isSettled && pages.isEnded && pages.known === 1) {
      const [studentId] = loadedStudentIds(queries, shown);
      if (studentId !== undefined) void navigate({ to: '/students/$studentId', params: { studentId } });
    }
    // Typed on since, or more than one match.
    if (isSettled || query !== entered) setEntered(undefined);
  }, [entered, address.q, query, shown, isBehind, pages, queries, navigate]);
  return () => {
    flush();
    if (query.trim() !== '') setEntered(query);
  };
}

interface SelectAllBannerProps {
  selectedCount: number;
  /** All loaded rows are selected. */
  selectsLoaded: boolean;
  total: number;
  totalIs: TotalIs;
  onAll: () => void;
}

/**
 * Offers to select all matching students once all loaded ones are selected. Small screens offer it from the first
 * selected row on: they have no checkbox for all loaded rows.
 */
function SelectAllBanner({ selectedCount, selectsLoaded, total, totalIs, onAll }: SelectAllBannerProps) {
  const students = formatStudentCount(selectedCount);
  return (
    <p
      className={classNames(
        'mb-3 flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-control bg-ink-soft px-3 py-1.5 text-label',
        !selectsLoaded && 'md:hidden',
      )}
    >
      {selectsLoaded ? `The ${students} loaded so far are selected.` : `${students} selected.`}
      <Button size="sm" onClick={onAll}>
        Select all {formatListCount(total, totalIs)} that match
      </Button>
    </p>
  );
}

/** Shown in place of the rows when no student matches. */
function NoStudentsFound({ address, onClear }: { address: StudentsSearchParams; onClear: () => void }) {
  if (activeFilterCount(address) === 0) {
    return (
      <NoResults
        title="No student matches the search"
        text="CMS IDs, names, father’s names and phone numbers are searched, each word from its beginning."
        onClear={onClear}
      />
    );
  }
  return (
    <NoResults
      title={
        address.q === undefined
          ? 'No student matches the filters'
          : 'No student matches the search and the filters'
      }
      text="Remove a filter, or clear them all."
      action={address.q === undefined ? 'Clear filters' : 'Clear search and filters'}
      onClear={onClear}
    />
  );
}
