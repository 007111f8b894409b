import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import type { StudentView } from '../../contract/student-list.ts';
import { asLongAs, FIRST_PAGE, type KnownPages, rowTotal } from './list-pages.ts';
import { type ListPlace, placeIn, useEntry, useIsWayBack } from './list-place.ts';
import type { SelectionInHand } from './list-selection.ts';
import { keyOf } from './list-view.ts';
import { reversedView } from './student-order.ts';
import { RowsFromOneEnd } from './students-rows-drawn.tsx';
import type { ColumnsShown } from './students-table-head.tsx';
import type { ListEnd } from './use-list-window.ts';
import { knownPagesQuery, studentPageQuery } from './use-students.ts';

export interface StudentsRowsProps extends ColumnsShown {
  view: StudentView;
  pages: KnownPages;
  inHand: SelectionInHand;
}

/** A list that is left at its last row begins with that one, read from the other end of its order. */
const atEnd = (end: ListEnd): ListPlace => ({
  end,
  low: 0,
  scrollY: undefined,
  active: 0,
  measured: [],
});

/** The rows of a view, read from its start, or from its end once somebody has gone there. Keyed by the view. */
export function StudentsRows({ view, pages, ...rest }: StudentsRowsProps) {
  const entry = useEntry();
  const isWayBack = useIsWayBack();
  const [place, setPlace] = useState(() => placeIn(entry, keyOf(view), isWayBack));
  const isNew = place === undefined;
  useLayoutEffect(() => {
    if (isNew) window.scrollTo({ top: 0, behavior: 'instant' });
  }, [isNew]);
  const end = place?.end ?? 'start';
  const backwards = reversedView(view);
  const shownView = end === 'end' && backwards ? backwards : view;
  const known = useQuery(knownPagesQuery(shownView)).data;
  const shownPages = shownView === view ? pages : (known ?? asLongAs(pages));

  const queries = useQueryClient();
  const readFrom = async (newEnd: ListEnd) => {
    const wanted = newEnd === 'end' ? backwards : view;
    if (wanted === undefined) return;
    await queries.fetchQuery(studentPageQuery(wanted, FIRST_PAGE)).catch(() => undefined);
    setPlace(atEnd(newEnd));
  };
  return (
    <RowsFromOneEnd
      key={end}
      {...rest}
      viewKey={keyOf(view)}
      entry={entry}
      view={shownView}
      pages={shownPages}
      total={rowTotal(shownPages)}
      place={place}
      end={end}
      onOtherEnd={backwards && (() => void readFrom(end === 'start' ? 'end' : 'start'))}
    />
  );
}
