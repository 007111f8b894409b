import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { User } from '../../../contract/accounts/accounts.ts';
import { type CurrentUser, updateCurrentUser, useCurrentUser } from '../../lib/session.ts';
import { DescriptionList } from '../../ui/page/facts.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { roleLabel, usersQuery } from '../account-queries.ts';
import { AccountAccess } from '../admin/account-access.tsx';
import { UsersList } from '../admin/users-list.tsx';
import { type ProfileSection, useProfileSection, visibleSection } from '../profile-section.ts';
import { ChangePasswordForm } from './change-password-form.tsx';
import { EditAccountForm } from './edit-account-form.tsx';
import { ChangePasswordLink, ProfilePanel, SectionLink } from './profile-panel.tsx';
import { ProfilePicture } from './profile-picture.tsx';
import { SessionsList } from './sessions-list.tsx';

/** Loaded on demand: it draws QR codes, which few visits need. */
const TwoFactorPanel = lazy(async () => ({
  default: (await import('../two-factor/two-factor-panel.tsx')).TwoFactorPanel,
}));

/** The user's own account and the list of all users. */
export function ProfilePage() {
  const user = useCurrentUser();
  const { section: named, go } = useProfileSection();
  // The forms of the own account don't wait for the list, and the overlay must not interrupt typing in them.
  const needsUsers = named.name === 'details' || (named.name === 'edit' && named.userId !== undefined);
  const users = useQuery({ ...usersQuery, meta: needsUsers ? { isPageRead: true, loading: 'users' } : {} });
  // Data cached on an earlier visit may be older than the session.
  useSyncCurrentUser(users.isFetchedAfterMount ? users.data : undefined, user);
  // Signing out renders once more before the navigation.
  if (user === null) return null;
  const isAdmin = user.role === 'admin';
  const userIds = (users.data ?? []).map(({ id }) => id);
  const section = visibleSection(named, { own: user.id, isAdmin, userIds });
  const other = section.name === 'edit' ? users.data?.find(({ id }) => id === section.userId) : undefined;
  return (
    <Page>
      <PageHeader
        back={other === undefined ? { to: '/', label: 'Home' } : { to: '/list-users', label: 'Users' }}
        title={other === undefined ? 'Your Profile' : `Account of ${other.name}`}
        actions={<ProfileSectionToggle section={section.name} onSection={go} />}
      />
      <div
        className={`mb-7 grid gap-x-12 gap-y-8 border-line border-b pb-9 ${other === undefined ? 'lg:grid-cols-[232px_minmax(0,1fr)]' : ''}`}
      >
        {/* Not next to another user's name, where they would be taken for that user's. */}
        {other === undefined && <ProfilePicture userId={user.id} />}
        <Section user={user} users={users.data ?? []} section={section} onDone={() => go('details')} />
      </div>
      <LoadError query={users} />
      {users.data && <UsersList users={users.data} ownId={user.id} isAdmin={isAdmin} />}
      {other === undefined && <SessionsList />}
    </Page>
  );
}

interface SectionProps {
  user: CurrentUser;
  users: readonly User[];
  section: ProfileSection;
  onDone: () => void;
}

function Section({ user, users, section, onDone }: SectionProps) {
  const isChange = useRef(false);
  useEffect(() => {
    isChange.current = true;
  }, []);
  // After a save the form restarts from the stored values.
  const [saves, setSaves] = useState(0);
  const key = `${JSON.stringify(section)} ${saves}`;

  if (section.name === 'password') {
    return (
      <ProfilePanel key={key} title="Password" isChange={isChange}>
        <ChangePasswordForm userId={user.id} onSaved={onDone} />
      </ProfilePanel>
    );
  }
  if (section.name === 'second-factor') {
    return (
      <ProfilePanel key={key} title="Two-factor authentication" isChange={isChange}>
        <Suspense fallback={<Skeleton width={260} />}>
          <TwoFactorPanel />
        </Suspense>
      </ProfilePanel>
    );
  }
  const others = section.name === 'edit' && section.userId !== undefined;
  const edited = others ? users.find(({ id }) => id === section.userId) : user;
  if (section.name === 'edit' && edited !== undefined) {
    return (
      <ProfilePanel
        key={key}
        title={others ? `Edit ${edited.name}` : 'Edit'}
        isChange={isChange}
        takesFocus={others}
      >
        <EditAccountForm
          userId={edited.id}
          isOwn={!others}
          isAdmin={user.role === 'admin'}
          onSaved={() => setSaves((count) => count + 1)}
        />
        {others && <AccountAccess user={edited} />}
      </ProfilePanel>
    );
  }
  return (
    <ProfilePanel key={key} title="Details" isChange={isChange}>
      <DescriptionList
        items={[
          { title: 'Name', value: user.name },
          { title: 'Email', value: user.email },
          { title: 'Role', value: roleLabel(user.role) },
        ]}
      />
      <p className="mt-5 flex flex-wrap gap-x-5 gap-y-1">
        <ChangePasswordLink />
        <SectionLink section="second-factor">Two-factor authentication</SectionLink>
      </p>
    </ProfilePanel>
  );
}

interface ProfileSectionToggleProps {
  section: ProfileSection['name'];
  onSection: (section: 'details' | 'edit') => void;
}

const OPTIONS = [
  { value: 'details', label: 'Details' },
  { value: 'edit', label: 'Edit' },
] as const;

/** Details or Edit; changing the password counts as editing. */
function ProfileSectionToggle({ section, onSection }: ProfileSectionToggleProps) {
  return (
    <SegmentedControl
      label="Profile section"
      options={OPTIONS}
      value={section === 'details' ? 'details' : 'edit'}
      onChange={onSection}
    />
  );
}

/** Updates the session when an admin has changed the user's own account. */
function useSyncCurrentUser(users: readonly User[] | undefined, user: CurrentUser | null): void {
  // Depends on the list alone: a changed session is newer than the list.
  const known = useRef(user);
  useEffect(() => {
    known.current = user;
  }, [user]);
  useEffect(() => {
    const before = known.current;
    const own = users?.find(({ id }) => id === before?.id);
    if (before === null || own === undefined) return;
    if (own.name !== before.name || own.email !== before.email || own.role !== before.role) {
      updateCurrentUser(own);
    }
  }, [users]);
}
