import { Check, Minus, TriangleAlert } from 'lucide-react';
import type { CourseListItem } from '../../../contract/courses.ts';
import type { DateOrder, Import, ImportColumn } from '../../../contract/imports.ts';
import { classNames } from '../../ui/class-names.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { type Column, Table, TableContainer } from '../../ui/table.tsx';
import {
  asksForOrder,
  assignField,
  type ColumnChoices,
  columnLetter,
  dateExample,
  fieldOptions,
  gradeField,
} from './column-choices.ts';
import { asksForCourse, namedCourses, useCourses } from './course-columns.ts';

interface ColumnsTableProps {
  item: Import;
  choices: ColumnChoices;
  onChange: (choices: ColumnChoices) => void;
}

/** The columns of the file, each with the field that it is read as. */
export function ColumnsTable({ item, choices, onChange }: ColumnsTableProps) {
  const courses = useCourses(choices);
  const columns: readonly Column<ImportColumn>[] = [
    {
      head: 'Column in the file',
      className: `strong md:w-[22%] ${CELL}`,
      cell: (column) => (
        <span className="flex items-center gap-2.5">
          <span className="grid size-6 shrink-0 place-items-center rounded-chip bg-press font-[560] text-caption text-fg-2">
            {columnLetter(column.index)}
          </span>
          <span className="wrap-anywhere">{columnName(column)}</span>
        </span>
      ),
    },
    {
      head: 'First values',
      className: CELL,
      cell: ({ samples }) => (
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
      ),
    },
    {
      head: 'Field',
      className: `md:w-[20%] ${CELL}`,
      cell: (column) => (
        <select
          aria-label={`Field of ${columnName(column)}`}
          className="control"
          value={choices.fields[column.index] ?? ''}
          onChange={(event) => onChange(assignField(choices, column.index, event.target.value || undefined))}
        >
          <option value="">Leave out</option>
          {fieldOptions(item, choices.layout, column).map((one) => (
            <option key={one.field} value={one.field}>
              {one.label}
            </option>
          ))}
          {courses.length > 0 && (
            <optgroup label="Grades of another course">
              {courses.map(({ course_id, course_code, course_name }) => (
                <option key={course_id} value={gradeField(String(course_id))}>
                  {`${course_code}, ${course_name}`}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      ),
    },
    {
      head: 'How it is read',
      className: `md:w-[28%] ${CELL}`,
      cell: (column) =>
        asksForOrder(item, choices, column) ? (
          <DateOrderChoice
            column={column}
            name={columnName(column)}
            order={choices.dateOrders[column.index] ?? 'day-first'}
            onChange={(order) =>
              onChange({ ...choices, dateOrders: { ...choices.dateOrders, [column.index]: order } })
            }
          />
        ) : (
          <Reading item={item} column={column} field={choices.fields[column.index]} courses={courses} />
        ),
    },
  ];
  return (
    <TableContainer>
      <Table
        label="Columns"
        columns={columns}
        rows={item.columns}
        rowKey={({ index }) => index}
        rowClass={(column) =>
          classNames(
            'max-md:gap-y-2 max-md:py-3.5',
            (asksForOrder(item, choices, column) || asksForCourse(courses, choices.fields[column.index])) &&
              'bg-warn-soft',
          )
        }
        hasCards
      />
    </TableContainer>
  );
}

/** Below each other on small screens. */
const CELL = 'max-md:col-span-full';

const columnName = ({ index, heading }: ImportColumn) =>
  heading === '' ? `Column ${columnLetter(index)}` : heading;

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
  courses: readonly CourseListItem[];
}

function Reading({ item, column, field, courses }: ReadingProps) {
  if (asksForCourse(courses, field)) {
    const found = namedCourses(courses, field) ?? [];
    return (
      <span className="flex gap-2 text-label text-warn">
        <TriangleAlert className="mt-0.5 size-3.5 shrink-0" />
        {`${found.length === 0 ? 'No course has' : 'Several courses have'} this ID, code or title. Choose the course as its field, or leave it out.`}
      </span>
    );
  }
  const [course] = namedCourses(courses, field) ?? [];
  const isDate = item.fields.some((one) => one.field === field && one.is_date);
  const text =
    field === undefined
      ? 'Left out'
      : isDate && column.date_order !== null
        ? `Matched, ${ORDER_NAMES[column.date_order]}`
        : course !== undefined
          ? `${course.course_code}, ${course.course_name}`
          : 'Matched';
  const Icon = text === 'Left out' ? Minus : Check;
  return (
    <span className="flex items-center gap-2 text-fg-3 text-label">
      <Icon className="size-3.5 shrink-0" />
      <span className="wrap-anywhere">{text}</span>
    </span>
  );
}
