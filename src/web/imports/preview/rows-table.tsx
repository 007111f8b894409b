import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, useEffect, useRef } from 'react';
import type { Import, ImportRow } from '../../../contract/imports.ts';
import { useIsPrinting } from '../../lib/printing/use-is-printing.ts';
import { classNames } from '../../ui/class-names.ts';
import { AcceptRow } from './accept-row.tsx';
import { Cell, Note } from './cell.tsx';
import { moveByArrowKeys, useEditing } from './editing.ts';
import { type PreviewColumn, previewCell, rowTexts, showsChanges } from './preview-columns.ts';
import { RowStateTag } from './row-state-tag.tsx';
import type { Corrections } from './use-corrections.ts';

export interface RowsProps {
  item: Import;
  rows: readonly ImportRow[];
  /** The number of rows that match; −1 where it is not known. */
  total: number;
  columns: readonly PreviewColumn[];
  /** The labels of all fields. */
  labels: ReadonlyMap<string, string>;
  corrections: Corrections;
  /** Rows of other choices, until these are loaded. */
  isBehind: boolean;
  onEndReached: () => void;
}

/** Columns that stay in sight: the ones that tell which record a row is. */
const STAYING: readonly string[] = [
  'id',
  'student_id',
  'full_name',
  'student_name',
  'first_name',
  'last_name',
  'semester',
  'course_id',
];
const MAX_STAYING = 3;

/** Columns that fit a page upright. */
const MOST_UPRIGHT = 4;

const LINE_WIDTH = 72;
const STATE_WIDTH = 208;
const WIDE: readonly string[] = [
  'id',
  'student_id',
  'address',
  'reason',
  'course_description',
  'title',
  'course_name',
  'full_name',
];
const columnWidth = ({ field, isDate }: PreviewColumn) => (WIDE.includes(field) ? 220 : isDate ? 164 : 148);

const stayingClass = (offsets: readonly (number | undefined)[], at: number) =>
  offsets[at] === undefined
    ? undefined
    : classNames('preview-stays preview-stays-wide', offsets[at + 1] === undefined && 'preview-stays-last');

/** Distance of each column that stays from the left edge; undefined for the others. */
function stayingOffsets(columns: readonly PreviewColumn[]): (number | undefined)[] {
  let left = LINE_WIDTH + STATE_WIDTH;
  let count = 0;
  return columns.map((column, at) => {
    // Only those at the left: a column that follows another would cover it.
    if (count !== at || count >= MAX_STAYING || !STAYING.includes(column.field)) return undefined;
    count += 1;
    const offset = left;
    left += columnWidth(column);
    return offset;
  });
}

/** The rows of a preview as a table that scrolls in both directions. */
export function RowsTable({
  item,
  rows,
  total,
  columns,
  labels,
  corrections,
  isBehind,
  onEndReached,
}: RowsProps) {
  const box = useRef<HTMLElement>(null);
  const editing = useEditing(box, corrections, rows);
  const offsets = stayingOffsets(columns);
  const activeLine = Number(editing.active?.split(':')[0]);
  const activeRow = rows.findIndex(({ line }) => line === activeLine);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => 44,
    getItemKey: (index) => rows[index]?.line ?? index,
    overscan: 12,
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      return activeRow < 0 || indexes.includes(activeRow)
        ? indexes
        : [...indexes, activeRow].sort((a, b) => a - b);
    },
  });
  const isPrinting = useIsPrinting();
  const items = isPrinting ? rows.map(toPrintedItem) : virtualizer.getVirtualItems();
  const lastIndex = virtualizer.range?.endIndex ?? 0;
  useEffect(() => {
    if (lastIndex >= rows.length - 30) onEndReached();
  }, [lastIndex, rows.length, onEndReached]);

  const width = LINE_WIDTH + STATE_WIDTH + columns.reduce((sum, column) => sum + columnWidth(column), 0);
  const first = rows[0] && columns[0] && `${rows[0].line}:${columns[0].field}`;
  const shown = { ...editing, active: activeRow < 0 ? first : editing.active };
  let bottom = 0;
  return (
    <section
      ref={box}
      aria-label="Rows of the preview"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that it can be scrolled by keyboard.
      tabIndex={0}
      className={classNames('wide-box preview-box', columns.length > MOST_UPRIGHT && 'print-sideways')}
      onFocus={editing.onFocus}
      onBlur={editing.onBlur}
    >
      <table
        aria-label="Rows"
        aria-rowcount={total + 1}
        aria-busy={isBehind}
        className={classNames('wide-table preview-table', isBehind && 'tbl-behind')}
        style={isPrinting ? undefined : { width }}
      >
        {!isPrinting && (
          <colgroup>
            <col style={{ width: LINE_WIDTH }} />
            <col style={{ width: STATE_WIDTH }} />
            {columns.map((column) => (
              <col key={column.field} style={{ width: columnWidth(column) }} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr>
            <th scope="col" className="preview-stays" style={{ insetInlineStart: 0 }}>
              Row
            </th>
            <th scope="col" className="preview-stays" style={{ insetInlineStart: LINE_WIDTH }}>
              Check
            </th>
            {columns.map((column, at) => (
              <th
                key={column.field}
                scope="col"
                className={stayingClass(offsets, at)}
                style={{ insetInlineStart: offsets[at] }}
              >
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={moveByArrowKeys}>
          {items.map(({ index, key, start, end }) => {
            const row = rows[index];
            const gap = start - bottom;
            bottom = end;
            if (row === undefined) return null;
            const texts = rowTexts(row, columns, labels);
            return (
              <Fragment key={key}>
                <SpacerRow height={gap} />
                <tr ref={virtualizer.measureElement} data-index={index} aria-rowindex={index + 2}>
                  <th scope="row" className="preview-stays" style={{ insetInlineStart: 0 }}>
                    {row.line}
                  </th>
                  <td className="preview-stays" style={{ insetInlineStart: LINE_WIDTH }}>
                    <RowStateTag state={row.state} />
                    <AcceptRow row={row} corrections={corrections} />
                    <Note tone="danger" texts={[...texts.errors, ...texts.faults]} />
                    <Note tone="warn" texts={texts.warnings} />
                  </td>
                  {columns.map((column, at) => {
                    const cell = previewCell(item, row, column);
                    return (
                      <td
                        key={column.field}
                        className={classNames(
                          'preview-data',
                          stayingClass(offsets, at),
                          cell.errors.length > 0
                            ? 'preview-wrong'
                            : showsChanges(row) && cell.changes.length > 0 && 'preview-changed',
                        )}
                        style={{ insetInlineStart: offsets[at] }}
                      >
                        <Cell row={row} column={column} cell={cell} editing={shown} />
                      </td>
                    );
                  })}
                </tr>
              </Fragment>
            );
          })}
          {!isPrinting && <SpacerRow height={virtualizer.getTotalSize() - bottom} />}
        </tbody>
      </table>
    </section>
  );
}

/** Rows on paper are all drawn, one after the other. */
const toPrintedItem = ({ line }: ImportRow, index: number) => ({ index, key: line, start: 0, end: 0 });

/** Has the height of rows that are not rendered. */
function SpacerRow({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden style={{ height }}>
      <td className="h-0 border-0 p-0" />
    </tr>
  );
}
