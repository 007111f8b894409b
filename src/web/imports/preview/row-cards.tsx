import { useEffect, useRef } from 'react';
import type { ImportRow } from '../../../contract/imports.ts';
import { Button } from '../../ui/button.tsx';
import { AcceptRow } from './accept-row.tsx';
import { Cell, Note } from './cell.tsx';
import { type Editing, useEditing } from './editing.ts';
import { previewCell, rowName, rowTexts, showsChanges } from './preview-columns.ts';
import { RowStateTag } from './row-state-tag.tsx';
import type { RowsProps } from './rows-table.tsx';

interface RowCardsProps extends RowsProps {
  isLoadingMore: boolean;
  hasMore: boolean;
}

/** The rows of a preview as cards, for small screens. */
export function RowCards({ rows, isLoadingMore, hasMore, onEndReached, ...shared }: RowCardsProps) {
  const box = useRef<HTMLElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const editing = useEditing(box, shared.corrections, rows);
  useEffect(() => {
    if (end.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onEndReached();
      },
      { rootMargin: '600px 0px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [onEndReached]);
  return (
    <>
      <section
        ref={box}
        aria-label="Rows of the preview"
        tabIndex={-1}
        aria-busy={shared.isBehind}
        className="rounded-panel border border-line"
        onFocus={editing.onFocus}
        onBlur={editing.onBlur}
      >
        <ul aria-label="Rows">
          {rows.map((row) => (
            <RowCard key={row.line} row={row} editing={editing} {...shared} />
          ))}
        </ul>
      </section>
      <div ref={end} />
      {hasMore && (
        <Button className="screen-only mt-4" processing={isLoadingMore} onClick={onEndReached}>
          Show more rows
        </Button>
      )}
    </>
  );
}

interface RowCardProps extends Pick<RowsProps, 'item' | 'columns' | 'labels' | 'corrections'> {
  row: ImportRow;
  editing: Editing;
}

/** A row with what it changes and why it is refused; its other values are folded. */
function RowCard({ item, columns, labels, corrections, row, editing }: RowCardProps) {
  const name = rowName(row, columns);
  const texts = rowTexts(row, columns, labels);
  const cells = columns.map((column) => ({ column, cell: previewCell(item, row, column) }));
  const isTold = ({ cell }: (typeof cells)[number]) =>
    cell.errors.length > 0 || cell.warnings.length > 0 || (showsChanges(row) && cell.changes.length > 0);
  const told = cells.filter(isTold);
  const others = cells.filter((one) => !isTold(one));
  return (
    <li className="grid gap-2 border-line px-4 py-3 not-first:border-t">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="wrap-anywhere font-[560]">{name || 'No name'}</p>
          <p className="wrap-anywhere text-fg-3 text-label">
            {`Row ${row.line}`}
            {row.key !== null && row.key !== name && `, ${row.key}`}
            {row.name !== null && row.name !== name && `, ${row.name}`}
          </p>
        </div>
        <RowStateTag state={row.state} />
      </div>
      <Note tone="danger" texts={texts.errors} />
      <Note tone="warn" texts={texts.warnings} />
      <AcceptRow row={row} corrections={corrections} />
      {told.map(({ column, cell }) => (
        <div
          key={column.field}
          className={`grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-start gap-2 rounded-chip px-2 py-1 ${cell.errors.length > 0 ? 'bg-danger-soft' : 'bg-ink-soft'}`}
        >
          <span aria-hidden="true" className="pt-2 text-fg-2 text-label">
            {column.label}
          </span>
          <Cell row={row} column={column} cell={cell} editing={editing} />
        </div>
      ))}
      {others.length > 0 && (
        <details>
          <summary className="min-h-6 cursor-pointer text-fg-3 text-label">
            {told.length > 0 ? 'Other values' : 'Values'}
          </summary>
          <div className="grid gap-1 pt-1">
            {others.map(({ column, cell }) => (
              <div
                key={column.field}
                className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-start gap-2 px-2"
              >
                <span aria-hidden="true" className="pt-2 text-fg-3 text-label">
                  {column.label}
                </span>
                <Cell row={row} column={column} cell={cell} editing={editing} />
              </div>
            ))}
          </div>
        </details>
      )}
    </li>
  );
}
