import type { Sheet, SheetCategory, SheetRowReply } from '../../../../contract/marksheets/sheets.ts';
import type { SheetRow } from '../../../../domain/marksheets/class-statistics.ts';
import {
  type Cell,
  type Component,
  isAbsentThroughout,
  type RowTotal,
  totalRow,
} from '../../../../domain/marksheets/totals.ts';
import { type CellView, storedCell, type Unsent, type UnsentCells, viewCell } from './unsent-cells.ts';

/** A component with what its column says. */
export interface Column {
  component: Component & { name: string };
  category: SheetCategory;
}

export const toColumns = ({ categories }: Pick<Sheet, 'categories'>): Column[] =>
  categories.flatMap((category) => category.components.map((component) => ({ component, category })));

/** Whether the next column is of another category. */
export const isLastOfCategory = (columns: readonly Column[], column: number): boolean =>
  columns[column + 1]?.category !== columns[column]?.category;

/** A row as it is shown: with what was typed here. */
export interface ShownRow {
  row: SheetRowReply;
  /** In the order of the columns. */
  views: readonly CellView[];
  /** The cells that the total is computed from: wrong marks count as empty. */
  cells: Readonly<Record<number, Cell>>;
  total: RowTotal;
  /** From everything that was marked. */
  isAbsent: boolean;
}

interface CachedRow {
  unsent: ReadonlyMap<number, Unsent> | undefined;
  categories: readonly SheetCategory[];
  shown: ShownRow;
}

const cache = new WeakMap<SheetRowReply, CachedRow>();
const lists = new WeakMap<readonly SheetRowReply[], readonly ShownRow[]>();

/** Rows that look as before keep their identity, and so does a list of them: they are neither added up nor drawn again. */
export const showRows = (
  { rows, categories }: Pick<Sheet, 'rows' | 'categories'>,
  unsent: UnsentCells,
): readonly ShownRow[] => {
  const columns = toColumns({ categories });
  const list = rows.map((row) => {
    const own = unsent.get(row.student_id);
    const known = cache.get(row);
    const isKnown = known !== undefined && known.categories === categories;
    if (isKnown && known.unsent === own) return known.shown;
    const views = toViews(row, columns, own);
    const shown =
      isKnown && views.every((view, i) => isSameView(view, known.shown.views[i]))
        ? known.shown
        : showRow(row, columns, categories, views);
    cache.set(row, { unsent: own, categories, shown });
    return shown;
  });
  const before = lists.get(rows);
  if (before?.every((shown, i) => shown === list[i])) return before;
  lists.set(rows, list);
  return list;
};

const toViews = (
  row: SheetRowReply,
  columns: readonly Column[],
  unsent: ReadonlyMap<number, Unsent> | undefined,
): CellView[] =>
  columns.map(({ component }) => {
    const { component_id } = component;
    return viewCell(storedCell(row, component_id), unsent?.get(component_id), component);
  });

/** Whether two views of one stored cell are the same. Their other members follow from these. */
const isSameView = (one: CellView, other: CellView | undefined): boolean =>
  one.kind === other?.kind && one.text === other.text;

function showRow(
  row: SheetRowReply,
  columns: readonly Column[],
  categories: readonly SheetCategory[],
  views: readonly CellView[],
): ShownRow {
  const cells = Object.fromEntries(
    columns.map(({ component }, i) => [component.component_id, countedCell(views[i])]),
  );
  return {
    row,
    views,
    cells,
    total: totalRow(categories, cells),
    isAbsent: isAbsentThroughout(categories, cells),
  };
}

function countedCell(view: CellView | undefined): Cell {
  if (view === undefined || view.kind === 'wrong') return null;
  return view.kind === 'conflict' ? view.stored : view.cell;
}

/** A row as letters and statistics take it, with the total as it is shown. */
export const toGradable = ({ row, total, isAbsent }: ShownRow): SheetRow => ({
  student_id: row.student_id,
  status: row.status,
  isAbsent,
  total: total.total,
});

export const isEntered = (view: CellView): boolean => view.kind !== 'wrong' && view.text !== '';

/** Whether a mark is still to be entered: rows that end without a grade need none. */
export const isMissing = ({ row, views }: ShownRow, column: number): boolean =>
  row.status === 'graded' && views[column]?.text === '';
