import { NoMatch } from '../ui/no-match.tsx';
import { filterCount } from './list-chips.tsx';
import type { StudentsAddress } from './students-address.ts';

/** In place of the rows, where a search or the filters leave nobody. */
export function NobodyFound({ address, onClear }: { address: StudentsAddress; onClear: () => void }) {
  if (filterCount(address) === 0) {
    return (
      <NoMatch
        title="No student matches the search"
        text="CMS IDs, names, father’s names and phone numbers are searched, each word from its beginning."
        onClear={onClear}
      />
    );
  }
  return (
    <NoMatch
      title={
        address.q === undefined
          ? 'No student matches the filters'
          : 'No student matches the search and the filters'
      }
      text="Take one of them off, or begin anew."
      action={address.q === undefined ? 'Clear filters' : 'Clear search and filters'}
      onClear={onClear}
    />
  );
}
