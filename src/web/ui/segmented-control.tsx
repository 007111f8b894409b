interface SegmentedControlProps<Value extends string> {
  /** The accessible name of the group. */
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** A group of toggle buttons, one of which is pressed. */
export function SegmentedControl<Value extends string>({
  label,
  options,
  value,
  onChange,
}: SegmentedControlProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form; these buttons switch a view.
    <div
      role="group"
      aria-label={label}
      className="screen-only inline-flex flex-wrap gap-0.5 rounded-[8px] bg-press p-0.75"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={`min-h-7.5 whitespace-nowrap rounded-control px-3.5 font-[540] text-label hover:text-fg pointer-coarse:min-h-10 ${option.value === value ? 'bg-paper text-fg shadow-[var(--sh-1),0_0_0_1px_var(--line)]' : 'text-fg-2'}`}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
