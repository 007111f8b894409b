import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { User } from '../../contract/accounts.ts';
import { ApiError, callVersioned } from '../api.ts';
import { FormMessages } from '../forms/form-messages.tsx';
import { StaleNotice } from '../forms/stale-notice.tsx';
import { useDraftForm } from '../forms/use-draft-form.ts';
import { useStaleEdit } from '../forms/use-stale-edit.ts';
import { isSignedIn, updateCurrentUser } from '../session.ts';
import { flash } from '../shell/flash.tsx';
import { LoadProblem } from '../shell/load-problem.tsx';
import { usePageQuery } from '../shell/use-page-query.ts';
import { accountToEditQuery, userPath } from './profile-edit-query.ts';
import { DETAIL_LABELS, LABELS, ProfileFields, type ProfileValues } from './profile-fields.tsx';
import { usersQuery } from './users-query.ts';

const SECRETS = ['password'] as const;

interface ProfileEditProps {
  /** Whose account it is. */
  userId: number;
  isOwn: boolean;
  /** Whether the person at the screen may change roles. */
  isAdmin: boolean;
  onSaved: () => void;
}

/** Changes an account, which the person at the screen proves with their own password. */
export function ProfileEdit(props: ProfileEditProps) {
  const account = usePageQuery({ ...accountToEditQuery(props.userId), loading: 'account' });
  if (account.data === undefined) return <LoadProblem query={account} />;
  return <ProfileForm {...props} user={account.data.body} version={account.data.version} />;
}

interface ProfileFormProps extends ProfileEditProps {
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

function ProfileForm({ userId, user, version, isOwn, isAdmin, onSaved }: ProfileFormProps) {
  const queries = useQueryClient();
  const initial: Record<keyof ProfileValues | 'version', string> = toValues(user, version);
  const form = useDraftForm({
    draftKey: isOwn ? 'profile-edit' : `user-edit:${userId}`,
    initial,
    secrets: SECRETS,
  });
  const edit = useStaleEdit<keyof ProfileValues>(form, {
    initial,
    readAgain: async () => {
      const now = await callVersioned<User>('GET', userPath(userId));
      return toValues(now.body, now.version);
    },
  });
  const [isRefused, setIsRefused] = useState(false);

  const put = async (ifMatch: string | undefined) => {
    const { version: _, ...values } = form.values;
    const body = { id: userId, ...values };
    const saved = await callVersioned<{ message: string; user: User }>('PUT', userPath(userId), {
      body,
      ifMatch,
    });
    form.discardDraft();
    if (isOwn) updateCurrentUser(saved.body.user);
    // The form that starts over has nothing to wait for.
    const { queryKey } = accountToEditQuery(userId);
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
      <FormMessages<keyof ProfileValues>
        // A wrong password is said by the flash.
        form={isRefused ? { ...form, failure: null } : form}
        labels={LABELS}
        initial={initial}
      />
      <StaleNotice<keyof typeof DETAIL_LABELS> form={form} labels={DETAIL_LABELS} stale={edit.stale} />
      <ProfileFields form={form} isOwn={isOwn} isAdmin={isAdmin} isRefused={isRefused} />
    </form>
  );
}
