import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../button.tsx';
import { Field, type FieldProps } from './field.tsx';

/** `autoComplete` is the kind of password for password managers: `current-password` or `new-password`. */
export function PasswordField({ value, onChange, ...field }: FieldProps) {
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field {...field}>
      {(control) => (
        <div className="relative flex">
          <input
            {...control}
            type={isShown ? 'text' : 'password'}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            autoComplete={field.autoComplete}
            autoCapitalize="none"
            spellCheck={false}
            className="control pe-10 pointer-coarse:pe-12"
          />
          <IconButton
            label="Show password"
            aria-pressed={isShown}
            onClick={() => setIsShown(!isShown)}
            className="absolute inset-y-0 end-0.75 my-auto"
          >
            <Icon />
          </IconButton>
        </div>
      )}
    </Field>
  );
}
