import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import type { StudentView } from '../../../../contract/students/student-list.ts';
import { pageIndexQuery, serializeView, studentPageQuery } from '../model/list-query.ts';
import { emptyIndexOfLength, FIRST_PAGE, type PageIndex, rowCount } from '../model/page-index.ts';
import {
  type ListEnd,
  type ScrollPosition,
  savedScrollPosition,
  useHistoryKey,
  useIsBackLink,
} from '../model/scroll-restoration.ts';
import type { SelectionState } from '../model/selection.ts';
import { reversedView } from '../model/sort.ts';
import type { VisibleColumns } from './columns.tsx';
import { VirtualRows } from './virtual-rows.tsx';

export interface RowsFromEitherEndProps extends VisibleColumns {
  view: StudentView;
  pages: PageIndex;
  selectionState: SelectionState;
}

/** The first row of a list that has just been turned to be read from this end. */
const firstRowFrom = (end: ListEnd): ScrollPosition => ({
  end,
  segmentStart: 0,
  scrollY: undefined,
  active: 0,
  measured: [],
});

/**
 * The rows of a view, read from its start, or in reverse order after a jump to its last row: pages can't be fetched by
 * number, and the way through all of them would be long. Keyed by the view.
 */
export function RowsFromEitherEnd({ view, pages, ...rest }: RowsFromEitherEndProps) {
  const historyKey = useHistoryKey();
  const isBackLink = useIsBackLink();
  const [position, setPosition] = useState(() =>
    savedScrollPosition(historyKey, serializeView(view), isBackLink),
  );
  const isNew = position === undefined;
  useLayoutEffect(() => {
    if (isNew) window.scrollTo({ top: 0, behavior: 'instant' });
  }, [isNew]);
  const end = position?.end ?? 'start';
  const backwards = reversedView(view);
  const readView = end === 'end' && backwards ? backwards : view;
  const readIndex = useQuery(pageIndexQuery(readView)).data;
  const readPages = readView === view ? pages : (readIndex ?? emptyIndexOfLength(pages));

  const queries = useQueryClient();
  const readFrom = async (newEnd: ListEnd) => {
    const wanted = newEnd === 'end' ? backwards : view;
    if (wanted === undefined) return;
    await queries.fetchQuery(studentPageQuery(wanted, FIRST_PAGE)).catch(() => undefined);
    setPosition(firstRowFrom(newEnd));
  };
  return (
    <VirtualRows
      key={end}
      {...rest}
      viewKey={serializeView(view)}
      historyKey={historyKey}
      view={readView}
      pages={readPages}
      total={rowCount(readPages)}
      position={position}
      end={end}
      onOtherEnd={backwards && (() => void readFrom(end === 'start' ? 'end' : 'start'))}
    />
  );
}
