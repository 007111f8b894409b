import { Fragment, type MouseEvent, useLayoutEffect, useMemo, useRef } from 'react';
import type { StudentView } from '../../contract/student-list.ts';
import { askedWords } from '../../domain/search-text.ts';
import { ROW_GROUP } from '../ui/table-roles.ts';
import { listKeys } from './list-keys.ts';
import { isTotalExact, type KnownPages } from './list-pages.ts';
import { type ListPlace, useLeavePlace } from './list-place.ts';
import { Gap, NotLoaded } from './list-row-parts.tsx';
import { isChosen, type SelectionInHand } from './list-selection.ts';
import { SkeletonRow } from './students-skeleton.tsx';
import type { ColumnsShown } from './students-table-head.tsx';
import { StudentsTableRow } from './students-table-row.tsx';
import { useChoosing } from './use-choosing.ts';
import { useListRows } from './use-list-rows.ts';
import { type ListEnd, useListWindow } from './use-list-window.ts';
import { useRowFocus } from './use-row-focus.ts';

/** Below any page; browsers stop at its end. */
const BOTTOM = 10_000_000;
/** The first rows of the window may lie under the bar at its top. */
const BELOW_BARS = 3;
/** As far as the key End leads in an order that can't be read backwards. */
const FAR = 2_000;

interface RowsFromOneEndProps extends ColumnsShown {
  /** The view that the address means, whose place is remembered. */
  viewKey: string;
  entry: string;
  /** The view in the order that it is read in from this end. */
  view: StudentView;
  pages: KnownPages;
  total: number;
  end: ListEnd;
  place: ListPlace | undefined;
  onOtherEnd: (() => void) | undefined;
  inHand: SelectionInHand;
}

export function RowsFromOneEnd({
  viewKey,
  entry,
  view,
  pages,
  total,
  end,
  place,
  onOtherEnd,
  inHand,
  ...columns
}: RowsFromOneEndProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const focus = useRowFocus(body, place);
  const list = useListWindow({
    body,
    end,
    total,
    firstLow: place?.low ?? 0,
    firstOffset: place && (place.scrollY ?? (end === 'start' ? 0 : BOTTOM)),
    measured: place?.measured ?? [],
    kept: focus.isIn ? focus.active : undefined,
  });
  const { items, rowOf, indexOf, from, to } = list;
  const isOutOfRoom = focus.isIn && list.isApart(focus.active);
  useLayoutEffect(() => {
    if (isOutOfRoom) focus.focusRow(rowOf(list.firstInSight), false);
  });
  const { rowAt, failed } = useListRows(
    view,
    pages,
    { from, to },
    items.map(({ index }) => rowOf(index)).filter((row) => row < from - 20 || row > to + 20),
  );
  useLeavePlace(entry, viewKey, () => ({
    end,
    low: list.low,
    scrollY: list.virtualizer.scrollOffset ?? 0,
    active: focus.isIn ? focus.active : undefined,
    measured: list.virtualizer.takeSnapshot(),
  }));
  const choosing = useChoosing(view, pages, inHand);
  const words = useMemo(() => askedWords(view.q ?? ''), [view.q]);

  const moveTo = (row: number) => {
    list.reach(row);
    focus.focusRow(row);
  };
  const at = focus.active ?? rowOf(list.firstInSight);
  const onKeyDown = listKeys({
    at: indexOf(at),
    count: list.count,
    page: Math.max(1, to - from - 4),
    onMove: (index, isStretching) => {
      const row = rowOf(index);
      if (isStretching && columns.showsChoice) void choosing.step(at, rowAt(at)?.id, row);
      moveTo(row);
    },
    onFirst: () => (end === 'end' && onOtherEnd ? onOtherEnd() : moveTo(0)),
    onLast: () => {
      if (end === 'end') moveTo(0);
      else if (onOtherEnd && !pages.isEnded) onOtherEnd();
      else moveTo(Math.min(total, pages.known + FAR) - 1);
    },
    onChoose: columns.showsChoice
      ? () => {
          const student = rowAt(at);
          if (student) choosing.toggle(at, student.id);
        }
      : undefined,
  });
  const onClick = ({ target, shiftKey }: MouseEvent) => {
    if (!(target instanceof HTMLInputElement)) return;
    const row = Number(target.closest<HTMLElement>('[data-row]')?.dataset.row);
    const student = rowAt(row);
    if (student === undefined) return;
    if (shiftKey) void choosing.stretchTo(row);
    else choosing.toggle(row, student.id);
  };

  const drawn = new Set(items.map(({ index }) => rowOf(index)));
  const tabStop =
    focus.active !== undefined && drawn.has(focus.active) ? focus.active : rowOf(list.firstInSight);
  const missing = items.filter(({ index }) => rowAt(rowOf(index)) === undefined);
  const said = (missing.find(({ index }) => index >= list.firstInSight + BELOW_BARS) ?? missing[0])?.index;
  const again = (row: number) => {
    // The button goes with its row.
    focus.focusRow(row, false);
    void failed?.refetch();
  };
  const isNumbered = end === 'start' || isTotalExact(pages);
  let bottom = list.top;
  return (
    <tbody
      ref={body}
      {...ROW_GROUP}
      className="max-md:block"
      onKeyDown={onKeyDown}
      onFocus={focus.onFocus}
      onBlur={focus.onBlur}
      onClick={onClick}
    >
      {items.map((item) => {
        const { index, key } = item;
        const row = rowOf(index);
        const student = rowAt(row);
        const gap = item.start - bottom;
        bottom = item.end;
        const shared = {
          ref: list.virtualizer.measureElement,
          row,
          index,
          rowIndex: isNumbered ? (end === 'start' ? row : total - 1 - row) + 2 : undefined,
          ...columns,
        };
        return (
          <Fragment key={key}>
            <Gap height={gap} />
            {student === undefined ? (
              <SkeletonRow {...shared}>
                {failed && index === said ? <NotLoaded onAgain={() => again(row)} /> : undefined}
              </SkeletonRow>
            ) : (
              <StudentsTableRow
                {...shared}
                student={student}
                words={words}
                isChosen={isChosen(inHand.selection, student.id)}
                isTabStop={row === tabStop}
              />
            )}
          </Fragment>
        );
      })}
      <Gap height={list.top + list.virtualizer.getTotalSize() - bottom} />
    </tbody>
  );
}
