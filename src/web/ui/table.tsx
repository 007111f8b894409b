import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { HTMLAttributes, MouseEvent, ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface TableContainerProps {
  /** Its class lets it scroll. */
  canScroll?: boolean;
  className?: string | undefined;
  /** Of what is typed and pasted into its fields. */
  handlers?: Pick<HTMLAttributes<HTMLElement>, 'onKeyDown' | 'onPaste'>;
  children: ReactNode;
}

/** The outline around a `<table className="tbl">`. */
export function TableContainer({ canScroll = false, className, handlers, children }: TableContainerProps) {
  return (
    <div
      {...handlers}
      ref={canScroll ? letKeysScroll : undefined}
      className={classNames('tbl-box', className)}
    >
      {children}
    </div>
  );
}

/** Makes a box a stop of the Tab key while its content is larger than it is: Safari can't scroll it by keyboard otherwise. */
function letKeysScroll(box: HTMLDivElement): () => void {
  const update = () => {
    if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
  };
  const observer = new ResizeObserver(update);
  for (const element of [box, ...box.children]) observer.observe(element);
  return () => observer.disconnect();
}

export type SortDirection = 'ascending' | 'descending';

interface SortableHeaderProps {
  /** The direction this column is sorted in, or undefined when it is not the sorted one. */
  direction: SortDirection | undefined;
  onSort: () => void;
  isNumber?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** A sortable column header. */
export function SortableHeader({ direction, onSort, isNumber, className, children }: SortableHeaderProps) {
  const Icon = direction === undefined ? ChevronsUpDown : direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      {...COLUMN_HEADER_ROLE}
      aria-sort={direction}
      className={classNames(isNumber && 'num', className)}
    >
      <button type="button" className="sort" onClick={onSort}>
        <span>{children}</span>
        <Icon />
      </button>
    </th>
  );
}

/**
 * Explicit roles for tables whose rows are stacked on small screens: with another `display`, some browsers no longer
 * expose table semantics.
 */
export const TABLE_ROLE = { role: 'table' } as const;
export const ROW_GROUP_ROLE = { role: 'rowgroup' } as const;
export const ROW_ROLE = { role: 'row' } as const;
export const COLUMN_HEADER_ROLE = { role: 'columnheader' } as const;
const ROW_HEADER_ROLE = { role: 'rowheader' } as const;
export const CELL_ROLE = { role: 'cell' } as const;

export interface Column<Row> {
  head: string;
  /** In small below the head. */
  headNote?: string;
  /** Only read aloud, such as that of buttons. */
  isHeadHidden?: true;
  isNumber?: true;
  /** The cells name their rows. */
  isRowHead?: true;
  /** Class of the head and of the cells, such as `max-sm:hidden`. */
  columnClass?: string;
  /** Class of the cells. */
  className?: string;
  /** Set if the rows can be sorted by this column. */
  sort?: { direction: SortDirection | undefined; onSort: () => void };
  cell: (row: Row) => ReactNode;
}

interface RowGroups<Row, Key extends string | number = number> {
  key: (row: Row) => Key;
  head: (rows: readonly Row[]) => ReactNode;
  /** Only the head of such a group is shown. */
  isFolded?: (key: Key) => boolean;
}

interface TableProps<Row> {
  /** The name, or the id of the heading that is the name. */
  label: string | { id: string };
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** `index` is for rows that have nothing else of their own. */
  rowKey: (row: Row, index: number) => string | number;
  rowClass?: (row: Row) => string | undefined;
  /** Rows with the same key stand together under a head. */
  group?: RowGroups<Row>;
  isCompact?: boolean;
  /** A click anywhere in a row opens the link in its `strong` cell. */
  hasRowLinks?: boolean;
  /**
   * Below 768 px each row is a card of two columns, the second as wide as needed. Classes of cells such as `max-md:col-start-1` place them,
   * those of the rows may set other columns.
   */
  hasCards?: boolean;
}

/**
 * Opens the link in the name cell of the row that is clicked beside its controls: as a click on the link does, so with Ctrl or the
 * middle button in a new tab. Handles `onClick` and `onAuxClick`.
 */
export function openRowLink(event: MouseEvent): void {
  const { target, button, ctrlKey, metaKey, shiftKey } = event;
  if (!(target instanceof Element) || button > 1) return;
  if (target.closest('a, button, input, select, textarea, label, summary, .tick-room') !== null) return;
  const link = target.closest('tr')?.querySelector<HTMLElement>('.strong a');
  // The end of a drag that has selected a text.
  if (link == null || document.getSelection()?.isCollapsed === false) return;
  const isMiddle = button === 1;
  link.focus({ preventScroll: true });
  link.dispatchEvent(
    new window.MouseEvent('click', {
      ...{ bubbles: true, cancelable: true, view: window },
      ...{ ctrlKey: ctrlKey || isMiddle, metaKey: metaKey || isMiddle, shiftKey },
    }),
  );
}

/** A table of records, for a `TableContainer`. */
export function Table<Row>({ label, columns, rows, rowKey, rowClass, group, ...look }: TableProps<Row>) {
  const { isCompact = false, hasRowLinks = false, hasCards = false } = look;
  const groups = group === undefined ? [undefined] : [...new Set(rows.map(group.key))];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys reach the link itself.
    <table
      {...TABLE_ROLE}
      onClick={hasRowLinks ? openRowLink : undefined}
      onAuxClick={hasRowLinks ? openRowLink : undefined}
      {...(typeof label === 'string' ? { 'aria-label': label } : { 'aria-labelledby': label.id })}
      className={classNames(
        'tbl',
        isCompact && 'tbl-compact',
        hasRowLinks && 'tbl-link',
        hasCards && 'tbl-cards',
      )}
    >
      <thead {...ROW_GROUP_ROLE}>
        <tr {...ROW_ROLE}>
          {columns.map((column) => (
            <Head key={column.head} {...column} />
          ))}
        </tr>
      </thead>
      {groups.map((key) => {
        const own = group === undefined ? rows : rows.filter((row) => group.key(row) === key);
        return (
          <tbody key={key} {...ROW_GROUP_ROLE}>
            {group && (
              <tr {...ROW_ROLE} className="tbl-group">
                <th scope="rowgroup" {...ROW_HEADER_ROLE} colSpan={columns.length}>
                  {group.head(own)}
                </th>
              </tr>
            )}
            {!(key !== undefined && group?.isFolded?.(key)) &&
              own.map((row, index) => (
                <tr key={rowKey(row, index)} {...ROW_ROLE} className={rowClass?.(row)}>
                  {columns.map((column) => (
                    <Cell key={column.head} row={row} {...column} />
                  ))}
                </tr>
              ))}
          </tbody>
        );
      })}
    </table>
  );
}

function Cell<Row>({ row, isNumber, isRowHead, columnClass, className, cell }: Column<Row> & { row: Row }) {
  const [Element, role] = isRowHead ? (['th', ROW_HEADER_ROLE] as const) : (['td', CELL_ROLE] as const);
  return (
    <Element
      {...role}
      scope={isRowHead ? 'row' : undefined}
      className={classNames(isNumber && 'num', columnClass, className)}
    >
      {cell(row)}
    </Element>
  );
}

function Head<Row>({ head, headNote = '', isHeadHidden, isNumber, columnClass, sort }: Column<Row>) {
  if (sort !== undefined) {
    return (
      <SortableHeader {...sort} isNumber={isNumber} className={columnClass}>
        {head}
      </SortableHeader>
    );
  }
  return (
    <th scope="col" {...COLUMN_HEADER_ROLE} className={classNames(isNumber && 'num', columnClass)}>
      {isHeadHidden ? <span className="sr-only">{head}</span> : head}
      {headNote !== '' && <small className="block font-normal text-fg-3 text-micro">{headNote}</small>}
    </th>
  );
}
