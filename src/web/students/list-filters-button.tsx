import { ListFilter } from 'lucide-react';
import { Button } from '../ui/button.tsx';

interface FiltersButtonProps {
  isOpen: boolean;
  onToggle: () => void;
  panelId: string;
  /** Filters that are on. */
  count: number;
}

/** Opens the filters; on small screens it is its icon alone. */
export function FiltersButton({ isOpen, onToggle, panelId, count }: FiltersButtonProps) {
  return (
    <Button
      aria-expanded={isOpen}
      aria-controls={isOpen ? panelId : undefined}
      onClick={onToggle}
      className="relative pointer-coarse:min-h-11 aria-expanded:bg-hover max-md:min-h-11 max-md:min-w-11"
    >
      <ListFilter strokeWidth={1.75} aria-hidden="true" className="max-md:!ms-0" />
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
