import { useEffect, useRef } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { COLUMN_HEADER_ROLE, ROW_GROUP_ROLE, ROW_ROLE, SortableHeader } from '../../../ui/table.tsx';
import { isSortColumn, type SortOrder, toggleSort } from '../model/sort.ts';
import { type VisibleColumns, visibleColumns } from './columns.tsx';

export interface TableHeadProps {
  /** Undefined for a search by relevance, which is no column. */
  order: SortOrder | undefined;
  onOrder: (order: SortOrder) => void;
  /** Whether the loaded students are selected: all, some or none. */
  selectsAll: boolean | 'some';
  onSelectAll: (isSelected: boolean) => void;
}

/** Where rows are stacked, it is hidden visually only: screen readers read the names of the cells from it. */
export function TableHead({
  order,
  onOrder,
  selectsAll,
  onSelectAll,
  ...columns
}: TableHeadProps & VisibleColumns) {
  return (
    <thead {...ROW_GROUP_ROLE} className="max-md:sr-only">
      <tr {...ROW_ROLE} aria-rowindex={1}>
        {visibleColumns(columns).map(({ id, title, isNumber, hidden }) =>
          isSortColumn(id) ? (
            <SortableHeader
              key={id}
              direction={order?.sort === id ? order.direction : undefined}
              onSort={() => onOrder(toggleSort(order, id))}
              isNumber={isNumber}
              className={hidden}
            >
              {title}
            </SortableHeader>
          ) : (
            <th
              key={id}
              scope="col"
              {...COLUMN_HEADER_ROLE}
              className={id === 'select' ? 'tick-room' : undefined}
            >
              {id === 'select' ? <SelectAll state={selectsAll} onChange={onSelectAll} /> : title}
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}

function SelectAll({
  state,
  onChange,
}: {
  state: boolean | 'some';
  onChange: (isSelected: boolean) => void;
}) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = state === 'some';
  }, [state]);
  return (
    <label>
      <input
        ref={box}
        type="checkbox"
        className="tick"
        aria-label="Select all loaded students"
        checked={state === true}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  );
}

export function ColumnWidths(columns: VisibleColumns) {
  return (
    <colgroup>
      {visibleColumns(columns).map(({ id, width, hidden }) => (
        <col key={id} className={classNames(width, hidden)} />
      ))}
    </colgroup>
  );
}
