import { type DraftForm, formField } from '../forms/form-field.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/fields.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { ChangePasswordLink } from './profile-panel.tsx';
import { ROLE_OPTIONS } from './users-roles.ts';

/** What another person's save can differ in. */
export const DETAIL_LABELS = { name: 'Name', role: 'Role', email: 'Email' } as const;
export const LABELS = { ...DETAIL_LABELS, password: 'Current Password' } as const;
export type ProfileValues = Record<keyof typeof LABELS, string>;

interface ProfileFieldsProps {
  form: DraftForm<keyof ProfileValues>;
  isOwn: boolean;
  isAdmin: boolean;
  /** The password was wrong. */
  isRefused: boolean;
}

/** The fields of an account with the button that saves them. */
export function ProfileFields({ form, isOwn, isAdmin, isRefused }: ProfileFieldsProps) {
  return (
    <>
      <div className="form-grid">
        <TextField
          {...formField(form, 'name')}
          label={LABELS.name}
          required
          autoComplete={isOwn ? 'name' : 'off'}
          className="xs:col-span-6"
        />
        <SelectField
          {...formField(form, 'role')}
          label={LABELS.role}
          required
          options={ROLE_OPTIONS}
          hint={isAdmin ? undefined : 'Changed by an administrator only.'}
          className="xs:col-span-6"
        />
        <TextField
          {...formField(form, 'email')}
          label={LABELS.email}
          type="email"
          required
          autoComplete={isOwn ? 'email' : 'off'}
        />
        <PasswordField
          {...formField(form, 'password')}
          // A wrong password marks the field; the flash says why.
          error={form.errors.password ?? (isRefused ? '' : undefined)}
          label={isOwn ? LABELS.password : 'Your Current Password'}
          autoComplete="current-password"
        />
      </div>
      <div className="mt-5 flex flex-wrap items-center gap-4">
        <Button type="submit" variant="primary" processing={form.isProcessing}>
          Update Details
        </Button>
        {isOwn && <ChangePasswordLink />}
      </div>
    </>
  );
}
