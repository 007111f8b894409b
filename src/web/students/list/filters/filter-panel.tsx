import { ListFilter } from 'lucide-react';
import {
  DEPARTMENT_CODES,
  DEPARTMENTS,
  GENDERS,
  SEMESTER_COUNT,
  STANDING_LABELS,
  STANDINGS,
  STATUS_CODES,
  STATUSES,
  SYNDICATES,
} from '../../../../domain/student.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckBox } from '../../../ui/fields/check-box.tsx';
import { SelectField } from '../../../ui/fields/input-fields.tsx';
import { GENDER_LABELS } from '../../student-format.ts';
import {
  isGradePoints,
  type ListFilters,
  type StudentsSearchParams,
  toStandings,
  toStatuses,
} from '../model/search-params.ts';
import { isSortColumn, SORT_LABELS, type SortOrder, toggleSort } from '../model/sort.ts';
import { DebouncedFilter } from './debounced-filter.tsx';

const same = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

const DEPARTMENT_OPTIONS = DEPARTMENT_CODES.map((code) => ({
  value: code,
  label: `${code} ${DEPARTMENTS[code]}`,
}));
const SEMESTER_OPTIONS = same(Array.from({ length: SEMESTER_COUNT }, (_, i) => String(i + 1)));
const SYNDICATE_OPTIONS = same(SYNDICATES);
const GENDER_OPTIONS = GENDERS.map((gender) => ({ value: gender, label: GENDER_LABELS[gender] }));
const ORDER_OPTIONS = Object.entries(SORT_LABELS).map(([value, label]) => ({ value, label }));
const DIRECTION_OPTIONS = [
  { value: 'ascending', label: 'Ascending' },
  { value: 'descending', label: 'Descending' },
];

interface FilterPanelProps {
  id: string;
  address: StudentsSearchParams;
  order: SortOrder | undefined;
  onFilter: (name: keyof ListFilters, value: string, isTyped?: boolean) => void;
  onOrder: (order: SortOrder | undefined) => void;
}

/** The filters and the order of the list. Each change takes effect immediately. */
export function FilterPanel({ id, address, order, onFilter, onOrder }: FilterPanelProps) {
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
      <DebouncedFilter label="Degree" placeholder="Such as 44" {...typed('degree')} />
      <SelectField label="Syndicate" options={SYNDICATE_OPTIONS} {...select('syn')} />
      <DebouncedFilter label="CGPA from" {...typed('cgpa_from')} {...GRADE_POINTS} />
      <DebouncedFilter label="CGPA below" {...typed('cgpa_below')} {...GRADE_POINTS} />
      <SelectField label="Gender" options={GENDER_OPTIONS} {...select('gender')} />
      <SelectField
        label="Order by"
        name="order"
        value={order?.sort ?? ''}
        options={ORDER_OPTIONS}
        placeholder={address.q === undefined ? undefined : 'Best match'}
        onChange={(sort) => onOrder(isSortColumn(sort) ? toggleSort(undefined, sort) : undefined)}
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
      <CheckBox
        isChecked={address.incomplete === 'true'}
        onChange={(isChecked) => onFilter('incomplete', isChecked ? 'true' : '')}
        className="col-span-2 min-h-11! self-end md:min-h-9.5!"
      >
        Incomplete entries only
      </CheckBox>
      <SeveralFilter
        label="Status"
        names={STATUSES}
        codes={STATUS_CODES}
        chosen={toStatuses(address.status ?? '')}
        onChange={(statuses) => onFilter('status', statuses)}
        hint="Active students come first in every order."
      />
      <SeveralFilter
        label="Standing"
        names={STANDING_LABELS}
        codes={STANDINGS}
        chosen={toStandings(address.standing ?? '')}
        onChange={(standings) => onFilter('standing', standings)}
        hint="After the latest semester with grades."
      />
    </fieldset>
  );
}

interface SeveralFilterProps<Code extends string> {
  label: string;
  codes: readonly Code[];
  names: Readonly<Record<Code, string>>;
  /** None for any. */
  chosen: readonly Code[];
  /** Called with the codes with commas between them. */
  onChange: (value: string) => void;
  hint: string;
}

/** A filter of which several values can be chosen. */
function SeveralFilter<Code extends string>({
  label,
  codes,
  names,
  chosen,
  onChange,
  hint,
}: SeveralFilterProps<Code>) {
  const set = (code: Code, isChosen: boolean) =>
    onChange(codes.filter((one) => (one === code ? isChosen : chosen.includes(one))).join(','));
  return (
    <fieldset className="col-span-full">
      <legend className="pb-1 font-medium text-label">{label}</legend>
      <div className="flex flex-wrap gap-x-5">
        {codes.map((code) => (
          <CheckBox
            key={code}
            isChecked={chosen.includes(code)}
            onChange={(isChecked) => set(code, isChecked)}
          >
            {names[code]}
          </CheckBox>
        ))}
      </div>
      <p className="text-fg-3 text-label">{hint}</p>
    </fieldset>
  );
}

const GRADE_POINTS = {
  placeholder: '0 to 4',
  inputMode: 'decimal',
  isValid: isGradePoints,
  errorText: '0 to 4 with at most two decimals.',
} as const;

interface FiltersButtonProps {
  isOpen: boolean;
  onToggle: () => void;
  panelId: string;
  /** Active filters. */
  count: number;
}

const FILTERS_BUTTON_ID = 'students-filters';

export const focusFiltersButton = () => document.getElementById(FILTERS_BUTTON_ID)?.focus();

/** Opens the filters. Small screens show the icon only. */
export function FiltersButton({ isOpen, onToggle, panelId, count }: FiltersButtonProps) {
  return (
    <Button
      id={FILTERS_BUTTON_ID}
      aria-expanded={isOpen}
      aria-controls={isOpen ? panelId : undefined}
      onClick={onToggle}
      className="relative pointer-coarse:min-h-11 aria-expanded:bg-hover max-md:min-h-11 max-md:min-w-11"
    >
      <ListFilter className="max-md:!ms-0" />
      <span className="max-md:sr-only">Filters</span>
      {count > 0 && (
        <span className="rounded-chip bg-ink px-1.25 text-caption text-on-ink">
          {count}
          <span className="sr-only"> on</span>
        </span>
      )}
    </Button>
  );
}
