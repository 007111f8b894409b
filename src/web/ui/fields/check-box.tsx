import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

interface CheckBoxProps {
  name?: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  /** Such as of the text. */
  className?: string;
  children: ReactNode;
}

/** A choice of yes or no with its text beside it. */
export function CheckBox({ name, isChecked, onChange, className, children }: CheckBoxProps) {
  return (
    <label className={classNames('flex min-h-8 items-center gap-2 pointer-coarse:min-h-11', className)}>
      <input
        type="checkbox"
        name={name}
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
        className="tick"
      />
      <span className="wrap-anywhere min-w-0">{children}</span>
    </label>
  );
}
