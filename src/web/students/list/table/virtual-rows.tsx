import { Fragment, type KeyboardEvent, type MouseEvent, useLayoutEffect, useMemo, useRef } from 'react';
import type { StudentView } from '../../../../contract/students/student-list.ts';
import { readQuery } from '../../../../domain/search-text.ts';
import { Button } from '../../../ui/button.tsx';
import { openRowLink, ROW_GROUP_ROLE } from '../../../ui/table.tsx';
import { isTotalExact, type PageIndex } from '../model/page-index.ts';
import { type ListEnd, type ScrollPosition, useSaveScrollPosition } from '../model/scroll-restoration.ts';
import { isSelected, type SelectionState } from '../model/selection.ts';
import { useLoadedRows } from '../model/use-list-query.ts';
import { useRangeSelect } from '../model/use-range-select.ts';
import type { VisibleColumns } from './columns.tsx';
import { SkeletonRow, TableRow } from './table-row.tsx';
import { useRowFocus } from './use-row-focus.ts';
import { useVirtualWindow } from './use-virtual-window.ts';

/** A scroll offset below any page; browsers stop at the end. */
const PAGE_BOTTOM = 10_000_000;
/** The first visible rows may be covered by the bar at the top of the window. */
const ROWS_UNDER_TOP_BAR = 3;
/** How far beyond the known pages the key End leads in an order that can't be reversed. */
const MAX_JUMP = 2_000;

interface VirtualRowsProps extends VisibleColumns {
  /** The view of the address, under which the scroll position is saved. */
  viewKey: string;
  historyKey: string;
  /** The view in the order in which it is read from this end. */
  view: StudentView;
  pages: PageIndex;
  total: number;
  end: ListEnd;
  position: ScrollPosition | undefined;
  onOtherEnd: (() => void) | undefined;
  selectionState: SelectionState;
}

export function VirtualRows({
  viewKey,
  historyKey,
  view,
  pages,
  total,
  end,
  position,
  onOtherEnd,
  selectionState,
  ...columns
}: VirtualRowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const focus = useRowFocus(body, position);
  const list = useVirtualWindow({
    body,
    end,
    total,
    initialSegmentStart: position?.segmentStart ?? 0,
    initialOffset: position && (position.scrollY ?? (end === 'start' ? 0 : PAGE_BOTTOM)),
    measured: position?.measured ?? [],
    focusedRow: focus.isInside ? focus.active : undefined,
  });
  const { items, rowAtIndex, indexOfRow, from, to } = list;
  const isFocusLost = focus.isInside && list.isOutsideSegment(focus.active);
  useLayoutEffect(() => {
    if (isFocusLost) focus.focusRow(rowAtIndex(list.firstVisibleIndex), false);
  });
  const { rowAt, failed } = useLoadedRows(
    view,
    pages,
    { from, to },
    items.map(({ index }) => rowAtIndex(index)).filter((row) => row < from - 20 || row > to + 20),
  );
  useSaveScrollPosition(historyKey, viewKey, () => ({
    end,
    segmentStart: list.segmentStart,
    scrollY: list.virtualizer.scrollOffset ?? 0,
    active: focus.isInside ? focus.active : undefined,
    measured: list.virtualizer.takeSnapshot(),
  }));
  const rangeSelect = useRangeSelect(view, pages, selectionState);
  const words = useMemo(() => readQuery(view.q ?? '').words, [view.q]);

  const moveTo = (row: number) => {
    list.moveSegmentTo(row);
    focus.focusRow(row);
  };
  const current = focus.active ?? rowAtIndex(list.firstVisibleIndex);
  const onKeyDown = handleRowKeys({
    index: indexOfRow(current),
    count: list.count,
    pageLength: Math.max(1, to - from - 4),
    onMove: (index, isExtending) => {
      const row = rowAtIndex(index);
      if (isExtending && columns.showsSelection) {
        void rangeSelect.extend(current, rowAt(current)?.id, row);
      }
      moveTo(row);
    },
    onFirst: () => (end === 'end' && onOtherEnd ? onOtherEnd() : moveTo(0)),
    onLast: () => {
      if (end === 'end') moveTo(0);
      else if (onOtherEnd && !pages.isEnded) onOtherEnd();
      else moveTo(Math.min(total, pages.known + MAX_JUMP) - 1);
    },
    onSelect: columns.showsSelection
      ? () => {
          const student = rowAt(current);
          if (student) rangeSelect.toggle(current, student.id);
        }
      : undefined,
  });
  const onClick = (event: MouseEvent) => {
    const { target, shiftKey } = event;
    if (!(target instanceof Element)) return;
    if (target.closest('.tick-room') === null) return openRowLink(event);
    const row = Number(target.closest<HTMLElement>('[data-row]')?.dataset.row);
    const student = rowAt(row);
    if (student === undefined) return;
    if (shiftKey) void rangeSelect.selectTo(row);
    else rangeSelect.toggle(row, student.id);
  };

  const rendered = new Set(items.map(({ index }) => rowAtIndex(index)));
  const tabStop =
    focus.active !== undefined && rendered.has(focus.active)
      ? focus.active
      : rowAtIndex(list.firstVisibleIndex);
  const missing = items.filter(({ index }) => rowAt(rowAtIndex(index)) === undefined);
  const errorIndex = (
    missing.find(({ index }) => index >= list.firstVisibleIndex + ROWS_UNDER_TOP_BAR) ?? missing[0]
  )?.index;
  const retry = (row: number) => {
    // The button is removed with its row.
    focus.focusRow(row, false);
    void failed?.refetch();
  };
  const isNumbered = end === 'start' || isTotalExact(pages);
  let bottom = list.top;
  return (
    <tbody
      ref={body}
      {...ROW_GROUP_ROLE}
      className="max-md:block"
      onKeyDown={onKeyDown}
      onFocus={focus.onFocus}
      onBlur={focus.onBlur}
      onClick={onClick}
      onAuxClick={openRowLink}
    >
      {items.map((item) => {
        const { index, key } = item;
        const row = rowAtIndex(index);
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
            <SpacerRow height={gap} />
            {student === undefined ? (
              <SkeletonRow {...shared}>
                {failed && index === errorIndex ? <RowLoadError onRetry={() => retry(row)} /> : undefined}
              </SkeletonRow>
            ) : (
              <TableRow
                {...shared}
                student={student}
                words={words}
                isSelected={isSelected(selectionState.selection, student.id)}
                tabIndex={row === tabStop ? 0 : -1}
              />
            )}
          </Fragment>
        );
      })}
      <SpacerRow height={list.top + list.virtualizer.getTotalSize() - bottom} />
    </tbody>
  );
}

/** Has the height of rows that are not rendered. One cell only: a span over hidden columns would show them. */
function SpacerRow({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden className="max-md:block" style={{ height }}>
      <td className="h-0 border-0 p-0" />
    </tr>
  );
}

/** Shown in one of the rows that could not be loaded. */
function RowLoadError({ onRetry }: { onRetry: () => void }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1 text-danger-text" role="alert">
      More students could not be loaded.
      <Button size="sm" className="text-fg" onClick={onRetry}>
        Try again
      </Button>
    </span>
  );
}

interface RowKeysOptions {
  /** Index of the active row. */
  index: number;
  count: number;
  /** Rows that Page Up and Page Down move by. */
  pageLength: number;
  onMove: (index: number, isExtending: boolean) => void;
  onFirst: () => void;
  onLast: () => void;
  onSelect: (() => void) | undefined;
}

/** The keys on a row. Enter needs no handler: it follows the link. */
function handleRowKeys({ index, count, pageLength, onMove, onFirst, onLast, onSelect }: RowKeysOptions) {
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: pageLength, PageUp: -pageLength }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      onMove(Math.max(0, Math.min(count - 1, index + step)), event.shiftKey);
    } else if (event.key === 'Home' || event.key === 'End') {
      event.preventDefault();
      if (event.key === 'Home') onFirst();
      else onLast();
    } else if (event.key === ' ' && event.target instanceof HTMLAnchorElement && onSelect) {
      event.preventDefault();
      onSelect();
    }
  };
}
