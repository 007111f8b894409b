import { useId } from 'react';
import { DEPARTMENT_CODES, DEPARTMENTS, GENDERS, SEMESTER_COUNT, SYNDICATES } from '../../domain/student.ts';
import { SelectField } from '../ui/fields.tsx';
import { GENDER_NAMES, ORDER_NAMES } from './list-labels.ts';
import { TypedFilter } from './list-typed-filter.tsx';
import { isStudentColumn, nextOrder, type StudentOrder } from './student-order.ts';
import { isGradePoints, type ListFilters, type StudentsAddress } from './students-address.ts';

const same = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

const DEPARTMENT_OPTIONS = DEPARTMENT_CODES.map((code) => ({
  value: code,
  label: `${code} ${DEPARTMENTS[code]}`,
}));
const SEMESTER_OPTIONS = same(Array.from({ length: SEMESTER_COUNT }, (_, i) => String(i + 1)));
const SYNDICATE_OPTIONS = same(SYNDICATES);
const GENDER_OPTIONS = GENDERS.map((gender) => ({ value: gender, label: GENDER_NAMES[gender] }));
const ORDER_OPTIONS = Object.entries(ORDER_NAMES).map(([value, label]) => ({ value, label }));
const DIRECTION_OPTIONS = [
  { value: 'ascending', label: 'Ascending' },
  { value: 'descending', label: 'Descending' },
];

interface ListFiltersPanelProps {
  id: string;
  address: StudentsAddress;
  order: StudentOrder | undefined;
  onFilter: (name: keyof ListFilters, value: string, isTyped?: boolean) => void;
  onOrder: (order: StudentOrder | undefined) => void;
}

/** All that narrows the list down, each taking effect at once. */
export function ListFiltersPanel({ id, address, order, onFilter, onOrder }: ListFiltersPanelProps) {
  const incompleteId = useId();
  const select = (name: keyof ListFilters) => ({
    name: `filter-${name}`,
    value: address[name] ?? '',
    onChange: (value: string) => onFilter(name, value),
    placeholder: 'Any',
  });
  const typed = (name: keyof ListFilters) => ({
    name: `filter-${name}`,
    value: address[name] ?? '',
    onValue: (value: string) => onFilter(name, value, true),
  });
  return (
    <fieldset
      id={id}
      className="mb-3 grid grid-cols-2 items-start gap-x-4 gap-y-3.5 rounded-panel border border-line bg-sunken p-4 md:grid-cols-4 xl:grid-cols-6"
    >
      <legend className="sr-only">Filters</legend>
      <SelectField label="Department" options={DEPARTMENT_OPTIONS} {...select('department')} />
      <SelectField label="Semester" options={SEMESTER_OPTIONS} {...select('current_sem')} />
      <TypedFilter label="Degree" placeholder="Such as 44" {...typed('degree')} />
      <SelectField label="Syndicate" options={SYNDICATE_OPTIONS} {...select('syn')} />
      <SelectField label="Gender" options={GENDER_OPTIONS} {...select('gender')} />
      <TypedFilter label="CGPA from" {...typed('cgpa_from')} {...GRADE_POINTS} />
      <TypedFilter label="CGPA below" {...typed('cgpa_below')} {...GRADE_POINTS} />
      <SelectField
        label="Order by"
        name="order"
        value={order?.column ?? ''}
        options={ORDER_OPTIONS}
        placeholder={address.q === undefined ? undefined : 'Best match'}
        onChange={(column) => onOrder(isStudentColumn(column) ? nextOrder(undefined, column) : undefined)}
      />
      {order !== undefined && (
        <SelectField
          label="Direction"
          name="direction"
          value={order.direction}
          options={DIRECTION_OPTIONS}
          onChange={(direction) =>
            onOrder({ ...order, direction: direction === 'descending' ? 'descending' : 'ascending' })
          }
        />
      )}
      <label
        htmlFor={incompleteId}
        className="col-span-2 flex min-h-11 cursor-pointer items-center gap-2.5 self-end md:min-h-9.5"
      >
        <input
          id={incompleteId}
          type="checkbox"
          className="tick"
          checked={address.incomplete === 'true'}
          onChange={(event) => onFilter('incomplete', event.target.checked ? 'true' : '')}
        />
        <span>Incomplete entries only</span>
      </label>
    </fieldset>
  );
}

const GRADE_POINTS = {
  placeholder: '0 to 4',
  inputMode: 'decimal',
  isValid: isGradePoints,
  whatIsValid: '0 to 4 with at most two decimals.',
} as const;
