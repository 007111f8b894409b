import { Check, Minus } from 'lucide-react';
import type { DateOrder, Import, ImportColumn } from '../../../contract/imports.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import {
  CELL_ROLE,
  COLUMN_HEADER_ROLE,
  ROW_GROUP_ROLE,
  ROW_ROLE,
  TABLE_ROLE,
  TableContainer,
} from '../../ui/table.tsx';
import {
  asksForOrder,
  assignField,
  type ColumnChoices,
  columnLetter,
  dateExample,
  fieldOptions,
} from './column-choices.ts';

interface ColumnsTableProps {
  item: Import;
  choices: ColumnChoices;
  onChange: (choices: ColumnChoices) => void;
}

const HEADS = ['Column in the file', 'First values', 'Field', 'How it is read'] as const;

/** The columns of the file, each with the field that it is read as. */
export function ColumnsTable({ item, ...rest }: ColumnsTableProps) {
  return (
    <TableContainer>
      <table {...TABLE_ROLE} aria-label="Columns" className="tbl max-md:block">
        <thead {...ROW_GROUP_ROLE} className="max-md:sr-only">
          <tr {...ROW_ROLE}>
            {HEADS.map((head) => (
              <th key={head} scope="col" {...COLUMN_HEADER_ROLE}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...ROW_GROUP_ROLE} className="max-md:block">
          {item.columns.map((column) => (
            <ColumnRow key={column.index} item={item} column={column} {...rest} />
          ))}
        </tbody>
      </table>
    </TableContainer>
  );
}

const CELL = 'max-md:block max-md:h-auto max-md:border-0 max-md:px-4 max-md:py-1';

function ColumnRow({ item, column, choices, onChange }: ColumnsTableProps & { column: ImportColumn }) {
  const { index, heading, samples } = column;
  const field = choices.fields[index];
  const asks = asksForOrder(item, choices, column);
  const name = heading === '' ? `Column ${columnLetter(index)}` : heading;
  return (
    <tr
      {...ROW_ROLE}
      className={`max-md:block max-md:border-line max-md:border-b max-md:py-2.5 max-md:last:border-b-0 ${asks ? 'bg-warn-soft' : ''}`}
    >
      <td {...CELL_ROLE} className={`strong md:w-[22%] ${CELL}`}>
        <span className="flex items-center gap-2.5">
          <span className="grid size-6 shrink-0 place-items-center rounded-chip bg-press font-[560] text-caption text-fg-2">
            {columnLetter(index)}
          </span>
          <span className="wrap-anywhere">{name}</span>
        </span>
      </td>
      <td {...CELL_ROLE} className={CELL}>
        <ul className="flex flex-wrap gap-y-1 text-label">
          {samples.map((sample, at) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: samples are what they are; two may be equal.
              key={at}
              className="wrap-anywhere max-w-60 truncate border-line-2 pe-2.5 not-first:border-s not-first:ps-2.5"
            >
              {sample}
            </li>
          ))}
        </ul>
      </td>
      <td {...CELL_ROLE} className={`md:w-[20%] ${CELL}`}>
        <select
          aria-label={`Field of ${name}`}
          className="control"
          value={field ?? ''}
          onChange={(event) => onChange(assignField(choices, index, event.target.value || undefined))}
        >
          <option value="">Leave out</option>
          {fieldOptions(item, choices.layout, column).map((one) => (
            <option key={one.field} value={one.field}>
              {one.label}
            </option>
          ))}
        </select>
      </td>
      <td {...CELL_ROLE} className={`md:w-[28%] ${CELL}`}>
        {asks ? (
          <DateOrderChoice
            column={column}
            name={name}
            order={choices.dateOrders[index] ?? 'day-first'}
            onChange={(order) =>
              onChange({ ...choices, dateOrders: { ...choices.dateOrders, [index]: order } })
            }
          />
        ) : (
          <Reading item={item} column={column} field={field} />
        )}
      </td>
    </tr>
  );
}

const ORDER_NAMES: Readonly<Record<DateOrder, string>> = {
  'day-first': 'day first',
  'month-first': 'month first',
};
const ORDERS = [
  { value: 'day-first', label: 'Day first' },
  { value: 'month-first', label: 'Month first' },
] as const;

interface DateOrderChoiceProps {
  column: ImportColumn;
  name: string;
  order: DateOrder;
  onChange: (order: DateOrder) => void;
}

/** The order of dates that can be read in two ways, with one of them read out. */
function DateOrderChoice({ column, name, order, onChange }: DateOrderChoiceProps) {
  const example = dateExample(column, order);
  return (
    <>
      <SegmentedControl
        label={`Order of the dates in ${name}`}
        options={ORDERS}
        value={order}
        onChange={onChange}
      />
      <p aria-live="polite" className="mt-1 text-label text-warn">
        {example && (
          <>
            {`${example[0]} is `}
            <b className="font-semibold">{example[1]}</b>.{' '}
          </>
        )}
        All these dates can be read in two ways.
      </p>
    </>
  );
}

interface ReadingProps {
  item: Import;
  column: ImportColumn;
  field: string | undefined;
}

function Reading({ item, column, field }: ReadingProps) {
  const isDate = item.fields.some((one) => one.field === field && one.is_date);
  const text =
    field === undefined
      ? 'Left out'
      : isDate && column.date_order !== null
        ? `Matched, ${ORDER_NAMES[column.date_order]}`
        : 'Matched';
  const Icon = text === 'Left out' ? Minus : Check;
  return (
    <span className="flex items-center gap-2 text-fg-3 text-label">
      <Icon className="size-3.5 shrink-0" strokeWidth={1.75} aria-hidden="true" />
      {text}
    </span>
  );
}
