import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { User } from '../../contract/accounts.ts';
import { type CurrentUser, useCurrentUser } from '../session.ts';
import { LoadProblem } from '../shell/load-problem.tsx';
import { usePageQuery } from '../shell/use-page-query.ts';
import { Facts } from '../ui/facts.tsx';
import { Page, PageHead } from '../ui/page.tsx';
import { Skeleton } from '../ui/small-parts.tsx';
import { AccountAccess } from './account-access.tsx';
import { ProfileEdit } from './profile-edit.tsx';
import { useOwnRow } from './profile-own-row.ts';
import { ChangePasswordLink, ProfilePanel, SectionLink } from './profile-panel.tsx';
import { ProfilePassword } from './profile-password.tsx';
import { ProfilePicture } from './profile-picture.tsx';
import { type ProfileSection, shownSection, useProfileSection } from './profile-section.ts';
import { ProfileToggle } from './profile-toggle.tsx';
import { SessionsList } from './sessions-list.tsx';
import { UsersList } from './users-list.tsx';
import { usersQuery } from './users-query.ts';
import { roleLabel } from './users-roles.ts';

/** Draws pictures for phones, which few visits need. */
const SecondFactorPanel = lazy(async () => ({
  default: (await import('./second-factor-panel.tsx')).SecondFactorPanel,
}));

/** One's own account, and everybody who has one. */
export function ProfilePage() {
  const user = useCurrentUser();
  const users = usePageQuery({ ...usersQuery, loading: 'users' });
  const { section: named, go } = useProfileSection();
  // What was kept from an earlier visit may be older than the session.
  useOwnRow(users.isFetchedAfterMount ? users.data : undefined, user);
  // Signing out renders once more before the page is left.
  if (user === null) return null;
  const isAdmin = user.role === 'admin';
  const userIds = (users.data ?? []).map(({ id }) => id);
  const section = shownSection(named, { own: user.id, isAdmin, userIds });
  const other = section.name === 'edit' ? users.data?.find(({ id }) => id === section.userId) : undefined;
  return (
    <Page>
      <PageHead
        back={{ to: '/', label: 'Home' }}
        title={other === undefined ? 'Your Profile' : `Account of ${other.name}`}
        actions={<ProfileToggle section={section.name} onSection={go} />}
      />
      <div
        className={`mb-7 grid gap-x-12 gap-y-8 border-line border-b pb-9 ${other === undefined ? 'lg:grid-cols-[232px_minmax(0,1fr)]' : ''}`}
      >
        {/* Beside another person's name one's own picture and sessions would be taken for theirs. */}
        {other === undefined && <ProfilePicture userId={user.id} />}
        <Section user={user} users={users.data ?? []} section={section} onDone={() => go('details')} />
      </div>
      {other === undefined && <SessionsList />}
      <LoadProblem query={users} />
      {users.data && <UsersList users={users.data} ownId={user.id} isAdmin={isAdmin} />}
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
  // After a save the form starts over from what is stored now.
  const [saves, setSaves] = useState(0);
  const key = `${JSON.stringify(section)} ${saves}`;

  if (section.name === 'password') {
    return (
      <ProfilePanel key={key} title="Password" isChange={isChange}>
        <ProfilePassword userId={user.id} onSaved={onDone} />
      </ProfilePanel>
    );
  }
  if (section.name === 'second-factor') {
    return (
      <ProfilePanel key={key} title="Second factor" isChange={isChange}>
        <Suspense fallback={<Skeleton width={260} />}>
          <SecondFactorPanel />
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
        <ProfileEdit
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
      <Facts
        items={[
          { title: 'Name', value: user.name },
          { title: 'Email', value: user.email },
          { title: 'Role', value: roleLabel(user.role) },
        ]}
      />
      <p className="mt-5 flex flex-wrap gap-x-5 gap-y-1">
        <ChangePasswordLink />
        <SectionLink section="second-factor">Second factor</SectionLink>
      </p>
    </ProfilePanel>
  );
}
