import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useId, useState } from 'react';
import type { StudentView } from '../../contract/student-list.ts';
import { useMayWrite } from '../session.ts';
import { Skeleton } from '../ui/small-parts.tsx';
import { ExportMenu } from './export-menu.tsx';
import { filterCount, ListChips } from './list-chips.tsx';
import { ListFiltersPanel } from './list-filters.tsx';
import { FiltersButton } from './list-filters-button.tsx';
import { countText } from './list-labels.ts';
import { ListOffer } from './list-offer.tsx';
import { isTotalExact, type KnownPages } from './list-pages.ts';
import { EVERYBODY, NOBODY, type SelectionInHand, withStudents } from './list-selection.ts';
import { filterOf } from './list-view.ts';
import { loadedIds } from './loaded-ids.ts';
import { NobodyFound } from './nobody-found.tsx';
import { orderOf, withFilter, withoutFilters } from './students-address.ts';
import { StudentsSearch } from './students-search.tsx';
import { StudentsSkeleton } from './students-skeleton.tsx';
import { StudentsTable } from './students-table.tsx';
import type { useStudentsAddress } from './use-students-address.ts';

/** Wanted by few visits to the list. */
const BulkBar = lazy(() => import('./bulk-bar.tsx').then((module) => ({ default: module.BulkBar })));

interface StudentsListProps {
  listAddress: ReturnType<typeof useStudentsAddress>;
  /** The view whose rows are there; undefined until the first have come. */
  shown: StudentView | undefined;
  pages: KnownPages;
  isBehind: boolean;
  inHand: SelectionInHand;
}

/** The search is there from the start: what is typed while the list loads is not lost when it comes. */
export function StudentsList({ listAddress, shown, pages, isBehind, inHand }: StudentsListProps) {
  const { address, query, setQuery, flush, setOrder, change } = listAddress;
  const queries = useQueryClient();
  const mayWrite = useMayWrite();
  const [isFiltering, setIsFiltering] = useState(false);
  const panelId = useId();
  const order = orderOf(address);
  const { selection, select } = inHand;
  const columns = {
    showsChoice: mayWrite,
    showsCgpa: order?.column === 'cgpa' || 'cgpa_from' in address || 'cgpa_below' in address,
  };
  const total = pages.isEnded ? pages.known : pages.total;
  const totalIs = isTotalExact(pages) ? 'exact' : pages.totalIs;

  const hasChosen = selection.kind === 'all' || selection.ids.size > 0;
  const loaded = shown && hasChosen ? loadedIds(queries, shown) : undefined;
  const choosesLoaded =
    loaded !== undefined &&
    (selection.kind === 'all'
      ? selection.except.size === 0
      : loaded.size > 0 && [...loaded].every((id) => selection.ids.has(id)));
  const chooseAll = (isToBeChosen: boolean) => {
    if (!isToBeChosen || shown === undefined) return select(NOBODY);
    const ids = loadedIds(queries, shown);
    if (totalIs === 'exact' && ids.size >= total) select(EVERYBODY);
    else select(withStudents(selection.kind === 'all' ? NOBODY : selection, ids, true));
  };
  const clear = () => change(() => ({}));
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <StudentsSearch query={query} onQuery={setQuery} onLeave={flush} />
        <FiltersButton
          isOpen={isFiltering}
          onToggle={() => setIsFiltering(!isFiltering)}
          panelId={panelId}
          count={filterCount(address)}
        />
        <ExportMenu
          view={shown ?? {}}
          selection={selection}
          total={{ count: shown === undefined ? 0 : total, is: totalIs }}
        />
        <span className="ml-auto whitespace-nowrap text-fg-3 text-label max-md:basis-full" role="status">
          {shown === undefined ? <Skeleton width={72} /> : countText(total, totalIs)}
        </span>
      </div>
      {isFiltering && (
        <ListFiltersPanel
          id={panelId}
          address={address}
          order={order}
          onFilter={(name, value, isTyped) =>
            change((now) => withFilter(now, name, value), isTyped ? 'replace' : 'push')
          }
          onOrder={setOrder}
        />
      )}
      <ListChips
        address={address}
        onRemove={(name) => change((now) => withFilter(now, name, ''))}
        onClear={() => change(withoutFilters)}
      />
      {selection.kind === 'some' && hasChosen && total > selection.ids.size && (
        <ListOffer
          chosen={selection.ids.size}
          choosesLoaded={choosesLoaded}
          total={total}
          totalIs={totalIs}
          onAll={() => select(EVERYBODY)}
        />
      )}
      {shown === undefined ? (
        <StudentsSkeleton {...columns} order={order} />
      ) : pages.isEnded && pages.known === 0 ? (
        <NobodyFound address={address} onClear={clear} />
      ) : (
        <StudentsTable
          {...columns}
          view={shown}
          pages={pages}
          isBehind={isBehind}
          order={order}
          onOrder={setOrder}
          choosesAll={choosesLoaded || (hasChosen && 'some')}
          onChooseAll={chooseAll}
          inHand={inHand}
        />
      )}
      {hasChosen && (
        <Suspense>
          <BulkBar
            filter={filterOf(address)}
            selection={selection}
            total={{ count: total, is: totalIs }}
            onDone={() => select(NOBODY)}
          />
        </Suspense>
      )}
    </>
  );
}
