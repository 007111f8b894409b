import { classNames } from '../../../ui/class-names.ts';
import { TABLE_ROLE } from '../../../ui/table.tsx';
import { serializeView } from '../model/list-query.ts';
import { isTotalExact, rowCount } from '../model/page-index.ts';
import type { SortOrder } from '../model/sort.ts';
import type { VisibleColumns } from './columns.tsx';
import { RowsFromEitherEnd, type RowsFromEitherEndProps } from './rows-from-either-end.tsx';
import { ColumnWidths, TableHead, type TableHeadProps } from './table-head.tsx';
import { NAME_WIDTHS, SkeletonRow } from './table-row.tsx';

interface StudentsTableProps extends RowsFromEitherEndProps, TableHeadProps {
  /** The rows are those of the previous view; the new ones are loading. */
  isBehind: boolean;
}

export function StudentsTable({
  isBehind,
  order,
  onOrder,
  selectsAll,
  onSelectAll,
  ...rows
}: StudentsTableProps) {
  const columns = { showsSelection: rows.showsSelection, showsCgpa: rows.showsCgpa };
  return (
    <div className="tbl-box">
      <table
        {...TABLE_ROLE}
        aria-label="Students"
        aria-rowcount={isTotalExact(rows.pages) ? rowCount(rows.pages) + 1 : -1}
        aria-busy={isBehind}
        // The list restores the focus itself, so the focus is not moved to the page after a navigation.
        data-keeps-focus
        className={classNames('tbl tbl-link table-fixed max-md:block', isBehind && 'tbl-behind')}
      >
        <ColumnWidths {...columns} />
        <TableHead
          {...columns}
          order={order}
          onOrder={onOrder}
          selectsAll={selectsAll}
          onSelectAll={onSelectAll}
        />
        <RowsFromEitherEnd key={serializeView(rows.view)} {...rows} />
      </table>
    </div>
  );
}

/** The table while it loads: the same head, and bars in place of texts. */
export function TableSkeleton({ order, ...columns }: VisibleColumns & { order: SortOrder | undefined }) {
  return (
    <div className="tbl-box" aria-hidden="true" inert>
      <table className="tbl table-fixed max-md:block">
        <ColumnWidths {...columns} />
        <TableHead
          {...columns}
          order={order}
          onOrder={() => undefined}
          selectsAll={false}
          onSelectAll={() => undefined}
        />
        <tbody className="max-md:block">
          {NAME_WIDTHS.map((width, index) => (
            <SkeletonRow key={width} index={index} row={index} {...columns} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
