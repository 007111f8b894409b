import { classNames } from '../ui/class-names.ts';
import { TABLE } from '../ui/table-roles.ts';
import { isTotalExact, rowTotal } from './list-pages.ts';
import { keyOf } from './list-view.ts';
import { StudentsRows, type StudentsRowsProps } from './students-rows.tsx';
import { StudentsColumns, StudentsTableHead, type TableHeadProps } from './students-table-head.tsx';

interface StudentsTableProps extends StudentsRowsProps, TableHeadProps {
  /** Other rows are on their way. */
  isBehind: boolean;
}

export function StudentsTable({
  isBehind,
  order,
  onOrder,
  choosesAll,
  onChooseAll,
  ...rows
}: StudentsTableProps) {
  const columns = { showsChoice: rows.showsChoice, showsCgpa: rows.showsCgpa };
  return (
    <div className="tbl-box">
      <table
        {...TABLE}
        aria-label="Students"
        aria-rowcount={isTotalExact(rows.pages) ? rowTotal(rows.pages) + 1 : -1}
        aria-busy={isBehind}
        // What takes the focus in here keeps it when the page is come back to.
        data-keeps-focus
        className={classNames('tbl tbl-link table-fixed max-md:block', isBehind && 'tbl-behind')}
      >
        <StudentsColumns {...columns} />
        <StudentsTableHead
          {...columns}
          order={order}
          onOrder={onOrder}
          choosesAll={choosesAll}
          onChooseAll={onChooseAll}
        />
        <StudentsRows key={keyOf(rows.view)} {...rows} />
      </table>
    </div>
  );
}
