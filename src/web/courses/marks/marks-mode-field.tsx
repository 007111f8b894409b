import { formatCount } from '../../lib/format.ts';
import type { MarksMode } from './use-upload-marks.ts';

interface MarksModeFieldProps {
  /** Number of stored marks. */
  count: number;
  value: MarksMode;
  onChange: (mode: MarksMode) => void;
}

/** How many marks there are, as `the 3 marks`. */
export const marksText = (count: number) =>
  count === 1 ? 'the one mark' : `the ${formatCount(count)} marks`;

/** Whether new marks replace the stored ones or are added to them. */
export function MarksModeField({ count, value, onChange }: MarksModeFieldProps) {
  const marks = marksText(count);
  const options = [
    { mode: 'replace', label: `Replace ${marks} there ${count === 1 ? 'is' : 'are'}` },
    { mode: 'append', label: `Add to ${marks} there ${count === 1 ? 'is' : 'are'}` },
  ] as const;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.25 font-[540] text-label">New marks</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-1">
        {options.map(({ mode, label }) => (
          <label key={mode} className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
            <input
              type="radio"
              name="mode"
              value={mode}
              checked={value === mode}
              onChange={() => onChange(mode)}
              className="size-4 accent-ink"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
