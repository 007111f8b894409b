import { useQuery } from '@tanstack/react-query';
import { usersQuery } from '../accounts/users-query.ts';
import { Button } from '../ui/button.tsx';
import { DateField, SelectField } from '../ui/fields.tsx';
import { type HistoryAddress, KINDS } from './history-address.ts';

interface HistoryFiltersProps {
  address: HistoryAddress;
  /** Whether what it is about can be chosen too. */
  hasKinds?: boolean;
  onChange: (address: HistoryAddress) => void;
}

const kinds = Object.entries(KINDS).map(([value, { label }]) => ({ value, label }));

/** Whose changes, of which days, of what. */
export function HistoryFilters({ address, hasKinds = false, onChange }: HistoryFiltersProps) {
  const users = useQuery(usersQuery);
  const people = (users.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  const field = (name: keyof HistoryAddress) => ({
    name,
    value: address[name] ?? '',
    onChange: (value: string) => onChange({ ...address, [name]: value }),
  });
  return (
    <search aria-label="Narrow the history down" className="mb-7 flex flex-wrap items-end gap-x-4 gap-y-3">
      {hasKinds && (
        <div className="w-48 max-xs:flex-[1_1_140px]">
          <SelectField {...field('kind')} label="What" placeholder="Everything" options={kinds} />
        </div>
      )}
      <div className="w-48 max-xs:flex-[1_1_140px]">
        <SelectField {...field('user')} label="Person" placeholder="Everybody" options={people} />
      </div>
      <div className="w-40 max-xs:flex-[1_1_140px]">
        <DateField {...field('from')} label="From" max={address.to} />
      </div>
      <div className="w-40 max-xs:flex-[1_1_140px]">
        <DateField {...field('to')} label="To" min={address.from} />
      </div>
      {Object.keys(address).length > 0 && (
        <Button variant="quiet" onClick={() => onChange({})}>
          Clear all
        </Button>
      )}
    </search>
  );
}
