import { Field, type FieldProps } from './field.tsx';

interface TextFieldProps extends FieldProps {
  type?: 'text' | 'email' | 'tel' | 'search' | 'url';
  inputMode?: 'numeric' | undefined;
  maxLength?: number | undefined;
  spellCheck?: boolean | undefined;
}

export function TextField({
  type = 'text',
  value,
  onChange,
  inputMode,
  maxLength,
  spellCheck,
  ...field
}: TextFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          type={type}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          readOnly={field.readOnly}
          autoComplete={field.autoComplete ?? 'off'}
          placeholder={field.placeholder}
          inputMode={inputMode}
          maxLength={maxLength}
          spellCheck={spellCheck}
          className="control"
        />
      )}
    </Field>
  );
}

interface NumberFieldProps extends FieldProps {
  /** The unit inside the field, e.g. `/1100`. */
  suffix?: string | undefined;
  min?: number | undefined;
  max?: number | undefined;
  step?: number | 'any' | undefined;
}

export function NumberField({ suffix, value, onChange, min, max, step, ...field }: NumberFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <div className="relative flex">
          <input
            {...control}
            type="number"
            inputMode={step === 'any' || (step ?? 1) % 1 !== 0 ? 'decimal' : 'numeric'}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            min={min}
            max={max}
            step={step}
            readOnly={field.readOnly}
            autoComplete={field.autoComplete ?? 'off'}
            placeholder={field.placeholder}
            className={suffix === undefined ? 'control' : 'control pe-16'}
          />
          {suffix !== undefined && (
            <span className="pointer-events-none absolute inset-y-0 end-px flex items-center px-2.75 text-fg-3">
              {suffix}
            </span>
          )}
        </div>
      )}
    </Field>
  );
}

interface SelectFieldProps extends FieldProps {
  options: readonly { value: string; label: string }[];
}

/** `placeholder` is the option for no choice. */
export function SelectField({ value, onChange, options, placeholder, ...field }: SelectFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className="control"
        >
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface TextAreaFieldProps extends FieldProps {
  rows?: number | undefined;
}

export function TextAreaField({ value, onChange, rows, ...field }: TextAreaFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          rows={rows}
          readOnly={field.readOnly}
          placeholder={field.placeholder}
          className="control"
        />
      )}
    </Field>
  );
}
