import type { MarksMode } from './use-send-marks.ts';

interface MarksModeFieldProps {
  /** How many marks the course has. */
  count: number;
  value: MarksMode;
  onChange: (mode: MarksMode) => void;
}

/** What becomes of the marks there are when new ones are sent. */
export function MarksModeField({ count, value, onChange }: MarksModeFieldProps) {
  const marks = count === 1 ? 'the one mark' : `the ${count.toLocaleString('en')} marks`;
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
