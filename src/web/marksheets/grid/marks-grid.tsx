import { Fragment, type ReactNode, useId, useMemo, useRef } from 'react';
import type { GradeLetter } from '../../../domain/grading/gpa.ts';
import { useIsPrinting } from '../../lib/printing/use-is-printing.ts';
import { fullName } from '../../students/student-format.ts';
import { classNames } from '../../ui/class-names.ts';
import { CellEditor, CellNote } from './grid-cell.tsx';
import { GridFoot, GridHead } from './grid-edges.tsx';
import { GridRow, HEAD_ROWS, LEADING_COLUMNS, TRAILING_COLUMNS } from './grid-row.tsx';
import { type ColumnWidths, columnWidths } from './model/column-widths.ts';
import { isSingle } from './model/selection.ts';
import { type GridInputOptions, useGridInput } from './use-grid-input.ts';
import { useRowWindow } from './use-row-window.ts';

/** The pattern of a grid: a table whose cells take the focus. */
const gridRole = (isReadOnly: boolean) =>
  ({ role: 'grid', 'aria-multiselectable': true, 'aria-readonly': isReadOnly }) as const;

/** Components that fit a page upright. */
const MOST_UPRIGHT = 5;

interface MarksGridProps extends GridInputOptions {
  label: string;
  /** The letters by student. */
  letters: ReadonlyMap<string, GradeLetter>;
  /** Whether the letters follow from boundaries that are not stored. */
  isProposed: boolean;
}

/**
 * Marks as a table that is used like a spreadsheet. One cell has the focus at a time; only the rows near the visible ones
 * are in the document.
 */
export function MarksGrid({ label, letters, isProposed, ...options }: MarksGridProps) {
  const { all, rows, columns, editor, isReadOnly } = options;
  const box = useRef<HTMLElement>(null);
  const widths = useMemo(
    () =>
      columnWidths(
        columns,
        all.map(({ row }) => row.student_id),
      ),
    [columns, all],
  );
  const noteId = useId();
  const shownWindow = useRowWindow(box, rows.length);
  const input = useGridInput(box, shownWindow, options);
  const { selection, area, editing } = input;
  const { current } = selection;
  const currentRow = rows[current.row];
  const currentColumn = columns[current.column];
  const view = currentRow?.views[current.column];

  const isPrinting = useIsPrinting();
  const indexes = isPrinting ? [...rows.keys()] : drawnRows(shownWindow, current.row, rows.length);
  // Only asked for a note: the answer makes the browser lay out the page.
  const isLow = () =>
    (current.row + 4) * shownWindow.rowHeight >
    (box.current?.scrollTop ?? 0) + shownWindow.page * shownWindow.rowHeight;
  const cellEditor: ReactNode =
    editing === null || currentColumn === undefined ? undefined : (
      <CellEditor
        ref={input.field}
        label={`${currentColumn.component.name}, ${currentRow ? fullName(currentRow.row) : ''}`}
        text={editing.text}
        onBlur={input.keep}
      />
    );
  const note =
    editing === null &&
    view &&
    (view.kind === 'wrong' || view.kind === 'conflict') &&
    currentRow &&
    currentColumn ? (
      <CellNote
        id={noteId}
        view={view}
        isAbove={isLow()}
        isReadOnly={isReadOnly}
        onKeep={() => {
          input.returnFocus();
          editor.keepMine({
            studentId: currentRow.row.student_id,
            componentId: currentColumn.component.component_id,
          });
        }}
        onTake={() => {
          input.returnFocus();
          editor.discard([
            { studentId: currentRow.row.student_id, componentId: currentColumn.component.component_id },
          ]);
        }}
      />
    ) : undefined;

  let bottom = 0;
  return (
    <section
      ref={box}
      aria-label={label}
      data-keeps-focus
      className={classNames('wide-box marks-box', columns.length > MOST_UPRIGHT && 'print-sideways')}
      style={widths.box}
      onScroll={shownWindow.onScroll}
    >
      <table
        {...gridRole(isReadOnly)}
        aria-label={label}
        aria-rowcount={HEAD_ROWS + rows.length}
        aria-colcount={LEADING_COLUMNS + columns.length + TRAILING_COLUMNS}
        className="wide-table marks-table"
        style={isPrinting ? undefined : { minWidth: widths.table }}
        {...input.handlers}
      >
        {!isPrinting && <ColumnGroup widths={widths} />}
        <GridHead columns={columns} current={current.column} isProposed={isProposed} />
        <tbody>
          {indexes.map((index) => {
            const shown = rows[index];
            if (shown === undefined) return null;
            const gap = index - bottom;
            bottom = index + 1;
            const isChosen = index >= area.top && index <= area.bottom && !isSingle(selection);
            const isCurrent = index === current.row;
            return (
              <Fragment key={shown.row.student_id}>
                <Gap height={gap * shownWindow.rowHeight} />
                <GridRow
                  shown={shown}
                  columns={columns}
                  index={index}
                  current={isCurrent ? current.column : undefined}
                  from={isChosen ? area.left : undefined}
                  to={isChosen ? area.right : undefined}
                  letter={letters.get(shown.row.student_id)}
                  editor={isCurrent ? cellEditor : undefined}
                  note={isCurrent ? note : undefined}
                  noteId={noteId}
                />
              </Fragment>
            );
          })}
          <Gap height={(rows.length - bottom) * shownWindow.rowHeight} />
        </tbody>
        <GridFoot rows={all} columns={columns} />
      </table>
    </section>
  );
}

function ColumnGroup({ widths }: { widths: ColumnWidths }) {
  return (
    <colgroup>
      <col style={{ width: widths.number }} />
      <col style={{ width: widths.id }} />
      <col />
      {widths.components.map((width, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns keep their places.
        <col key={i} style={{ width }} />
      ))}
      <col style={{ width: widths.total }} />
      <col style={{ width: widths.grade }} />
    </colgroup>
  );
}

/** The rows near the visible ones, and the current one: it has the focus. */
function drawnRows({ start, end }: { start: number; end: number }, current: number, count: number): number[] {
  const near = Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i);
  if (current >= count || (current >= start && current < end)) return near;
  return current < start ? [current, ...near] : [...near, current];
}

/** Has the height of rows that are not drawn. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden style={{ height }}>
      <td className="marks-gap" />
    </tr>
  );
}
