import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { countText } from './list-labels.ts';

interface ListOfferProps {
  chosen: number;
  /** All rows that are loaded are among the chosen. */
  choosesLoaded: boolean;
  total: number;
  totalIs: 'exact' | 'estimate' | 'minimum';
  onAll: () => void;
}

/**
 * After all loaded rows have been selected: the others that the list has only counted. Small screens have no head with
 * a box for all loaded rows, and are offered it from the first row on.
 */
export function ListOffer({ chosen, choosesLoaded, total, totalIs, onAll }: ListOfferProps) {
  const students = countText(chosen, 'exact');
  return (
    <p
      className={classNames(
        'mb-3 flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-control bg-ink-soft px-3 py-1.5 text-label',
        !choosesLoaded && 'md:hidden',
      )}
    >
      {choosesLoaded ? `The ${students} loaded so far are selected.` : `${students} selected.`}
      <Button size="sm" onClick={onAll}>
        Select all {countText(total, totalIs).replace(/ students?$/, '')} that match
      </Button>
    </p>
  );
}
