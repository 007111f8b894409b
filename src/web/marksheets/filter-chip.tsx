import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';

interface FilterChipProps {
  isOn: boolean;
  /** Something has to be mended. */
  isBad?: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** A button that shows some of the rows. */
export function FilterChip({ isOn, isBad = false, onClick, children }: FilterChipProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={classNames(
        'inline-flex min-h-8.5 items-center gap-1.5 rounded-control border px-2.75 font-medium text-label [&_svg]:size-3.5',
        isOn
          ? 'border-ink-line bg-ink-soft text-ink-text'
          : isBad
            ? 'border-danger-line bg-paper text-danger-text hover:bg-danger-soft'
            : 'border-line-2 bg-paper text-fg-2 hover:border-control hover:text-fg',
      )}
    >
      {isBad && <CircleAlert />}
      {children}
    </button>
  );
}
