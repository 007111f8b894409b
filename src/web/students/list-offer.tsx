import { Button } from '../ui/button.tsx';
import { countText } from './list-labels.ts';

interface ListOfferProps {
  loaded: number;
  total: number;
  totalIs: 'exact' | 'estimate' | 'minimum';
  onAll: () => void;
}

/** After all loaded rows have been selected: the others that the list has only counted. */
export function ListOffer({ loaded, total, totalIs, onAll }: ListOfferProps) {
  return (
    <p className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-control bg-ink-soft px-3 py-1.5 text-label">
      The {countText(loaded, 'exact')} loaded so far are selected.
      <Button size="sm" onClick={onAll}>
        Select all {countText(total, totalIs).replace(/ students?$/, '')} that match
      </Button>
    </p>
  );
}
