import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../../contract/accounts/accounts.ts';
import { EditConflictNotice } from '../../forms/conflicts/edit-conflict-notice.tsx';
import { useEditConflict } from '../../forms/conflicts/use-edit-conflict.ts';
import { Form } from '../../forms/form.tsx';
import { FormMessages } from '../../forms/messages/form-messages.tsx';
import { type DraftForm, fieldProps, useDraftForm } from '../../forms/use-draft-form.ts';
import { ApiError } from '../../lib/api.ts';
import { callWithVersion } from '../../lib/call.ts';
import { usePageQuery } from '../../lib/query-client.ts';
import { isSignedIn, updateCurrentUser } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/fields/input-fields.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { flash } from '../../ui/flash.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { editAccountQuery, ROLE_OPTIONS, usersQuery } from '../account-queries.ts';
import { ChangePasswordLink } from './profile-panel.tsx';

const SECRETS = ['password'] as const;

interface EditAccountFormProps {
  /** The account to edit. */
  userId: number;
  isOwn: boolean;
  /** Whether the signed-in user may change roles. */
  isAdmin: boolean;
  onSaved: () => void;
}

/** Edits an account; the signed-in user confirms with their own password. */
export function EditAccountForm(props: EditAccountFormProps) {
  const account = usePageQuery({ ...editAccountQuery(props.userId), loading: 'account' });
  if (account.data === undefined) return <LoadError query={account} />;
  return <AccountForm {...props} user={account.data.body} version={account.data.version} />;
}

interface AccountFormProps extends EditAccountFormProps {
  user: User;
  version: string | undefined;
}

const toValues = ({ name, email, role }: User, version = '') => ({
  name,
  email,
  role,
  password: '',
  version,
});

function AccountForm({ userId, user, version, isOwn, isAdmin, onSaved }: AccountFormProps) {
  const params = { id: userId };
  const queries = useQueryClient();
  const initial: Record<keyof AccountValues | 'version', string> = toValues(user, version);
  const form = useDraftForm({
    draftKey: isOwn ? 'profile-edit' : `user-edit:${userId}`,
    initial,
    secrets: SECRETS,
  });
  const edit = useEditConflict<keyof AccountValues>(form, {
    initial,
    readAgain: async () => {
      const now = await callWithVersion('GET /api/users/:id', { params });
      return toValues(now.body, now.version);
    },
  });
  const [isRefused, setIsRefused] = useState(false);

  const put = async (ifMatch: string | undefined) => {
    const { version: _, ...values } = form.values;
    const body = { id: userId, ...values };
    const saved = await callWithVersion('PUT /api/users/:id', { params, body, ifMatch });
    form.discardDraft();
    if (isOwn) updateCurrentUser(saved.body.user);
    // The form is remounted, so it need not wait for the refetch.
    const { queryKey } = editAccountQuery(userId);
    queries.setQueryData(queryKey, { body: saved.body.user, version: saved.version });
    await queries.invalidateQueries(usersQuery);
    flash(saved.body.message);
    onSaved();
  };
  const save = async () => {
    setIsRefused(false);
    try {
      await edit.save(put);
    } catch (error) {
      // A 401 also means that the session has ended; the user is then on the way to Login.
      if (error instanceof ApiError && error.status === 401 && isSignedIn()) {
        setIsRefused(true);
        flash('Incorrect password entered', 'warning');
      }
      throw error;
    }
  };
  const send = () => form.submit(save);

  return (
    <Form onSubmit={send}>
      <FormMessages<keyof AccountValues>
        // A wrong password is shown as a flash message.
        form={isRefused ? { ...form, failure: null } : form}
        labels={ACCOUNT_LABELS}
        initial={initial}
      />
      <EditConflictNotice<keyof typeof ACCOUNT_DETAIL_LABELS>
        form={form}
        labels={ACCOUNT_DETAIL_LABELS}
        stale={edit.stale}
      />
      <AccountFields form={form} isOwn={isOwn} isAdmin={isAdmin} isRefused={isRefused} />
    </Form>
  );
}

/** The fields that a concurrent edit can change. */
const ACCOUNT_DETAIL_LABELS = { name: 'Name', role: 'Role', email: 'Email' } as const;
const ACCOUNT_LABELS = { ...ACCOUNT_DETAIL_LABELS, password: 'Current Password' } as const;
type AccountValues = Record<keyof typeof ACCOUNT_LABELS, string>;

interface AccountFieldsProps {
  form: DraftForm<keyof AccountValues>;
  isOwn: boolean;
  isAdmin: boolean;
  /** Whether the password was wrong. */
  isRefused: boolean;
}

/** The fields of an account and the submit button. */
function AccountFields({ form, isOwn, isAdmin, isRefused }: AccountFieldsProps) {
  return (
    <>
      <div className="form-grid">
        <TextField
          {...fieldProps(form, 'name')}
          label={ACCOUNT_LABELS.name}
          required
          autoComplete={isOwn ? 'name' : 'off'}
          className="xs:col-span-6"
        />
        <SelectField
          {...fieldProps(form, 'role')}
          label={ACCOUNT_LABELS.role}
          required
          options={ROLE_OPTIONS}
          hint={isAdmin ? undefined : 'Changed by an administrator only.'}
          className="xs:col-span-6"
        />
        <TextField
          {...fieldProps(form, 'email')}
          label={ACCOUNT_LABELS.email}
          type="email"
          required
          autoComplete={isOwn ? 'email' : 'off'}
        />
        <PasswordField
          {...fieldProps(form, 'password')}
          // A wrong password only marks the field; the flash message has the text.
          error={form.errors.password ?? (isRefused ? '' : undefined)}
          label={isOwn ? ACCOUNT_LABELS.password : 'Your Current Password'}
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
