import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { User } from '../../contract/accounts.ts';
import { ApiError, call } from '../api.ts';
import { useDraftForm } from '../forms/use-draft-form.ts';
import { type CurrentUser, isSignedIn, updateCurrentUser } from '../session.ts';
import { flash } from '../shell/flash.tsx';
import { formField } from '../students/form-field.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorSummary } from '../ui/error-summary.tsx';
import { SelectField, TextField } from '../ui/fields.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { ChangePasswordLink } from './profile-panel.tsx';
import { usersQuery } from './users-query.ts';
import { ROLE_OPTIONS } from './users-roles.ts';

const SECRETS = ['password'] as const;
const LABELS = { name: 'Name', role: 'Role', email: 'Email', password: 'Current Password' } as const;

interface ProfileEditProps {
  /** Whose account it is. */
  user: CurrentUser;
  isOwn: boolean;
  /** Whether the person at the screen may change roles. */
  isAdmin: boolean;
  onSaved: () => void;
}

/** Changes an account, which the person at the screen proves with their own password. */
export function ProfileEdit({ user, isOwn, isAdmin, onSaved }: ProfileEditProps) {
  const queries = useQueryClient();
  const form = useDraftForm({
    draftKey: isOwn ? 'profile-edit' : `user-edit:${user.id}`,
    initial: { name: user.name, email: user.email, role: user.role, password: '' },
    secrets: SECRETS,
  });
  const [isRefused, setIsRefused] = useState(false);

  const save = async () => {
    setIsRefused(false);
    try {
      const body = { id: user.id, ...form.values };
      const saved = await call<{ message: string; user: User }>('PUT', `/api/users/${user.id}`, { body });
      form.discardDraft();
      if (isOwn) updateCurrentUser(saved.user);
      await queries.invalidateQueries(usersQuery);
      flash(saved.message);
      onSaved();
    } catch (error) {
      // The same status says that the session is over; the person is then on the way to Login.
      if (error instanceof ApiError && error.status === 401 && isSignedIn()) {
        setIsRefused(true);
        flash('Incorrect password entered', 'warning');
      }
      throw error;
    }
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    void form.submit(save);
  };

  return (
    <form noValidate onSubmit={send}>
      <ErrorSummary errors={form.errors} labels={LABELS} />
      {form.failure !== null && !isRefused && <Alert className="mb-5">{form.failure}</Alert>}
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
    </form>
  );
}
