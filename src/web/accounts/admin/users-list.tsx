import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import type { PendingReason, User } from '../../../contract/accounts/accounts.ts';
import { CELL_ROLE, COLUMN_HEADER_ROLE, ROW_GROUP_ROLE, ROW_ROLE, TABLE_ROLE } from '../../ui/table.tsx';
import { Tag } from '../../ui/tag.tsx';
import { accountStatesQuery, roleLabel } from '../account-queries.ts';
import { editHash } from '../profile-section.ts';
import { InviteUser } from './invite-user.tsx';
import { WaitingUsers } from './waiting-users.tsx';

interface UsersListProps {
  users: readonly User[];
  /** The signed-in user. */
  ownId: number;
  /** Whether they may edit other accounts. */
  isAdmin: boolean;
}

/** All accounts. Below 768 px: the ID, then name over email, then the role. */
export function UsersList({ users, ownId, isAdmin }: UsersListProps) {
  const states = useQuery({ ...accountStatesQuery, enabled: isAdmin });
  const locked = new Set(states.data?.flatMap(({ id, locked }) => (locked ? [id] : [])));
  const waiting = new Map(
    states.data?.flatMap((state) => (state.waiting_for === null ? [] : [[state.id, state]])),
  );
  return (
    <section aria-labelledby="users-heading">
      <div className="mb-3 flex items-center justify-between gap-4">
        <h2 id="users-heading" tabIndex={-1} className="outline-none">
          Users
        </h2>
        <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
          <span className="text-fg-3 text-label">
            {users.length} {users.length === 1 ? 'user' : 'users'}
          </span>
          {isAdmin && <InviteUser />}
        </div>
      </div>
      {isAdmin && <WaitingUsers users={users} states={waiting} />}
      <div className="tbl-box">
        <table {...TABLE_ROLE} aria-labelledby="users-heading" className="tbl max-md:block">
          <thead {...ROW_GROUP_ROLE} className="max-md:sr-only">
            <tr {...ROW_ROLE}>
              <th {...COLUMN_HEADER_ROLE} scope="col" className="w-22">
                ID
              </th>
              <th {...COLUMN_HEADER_ROLE} scope="col">
                Name
              </th>
              <th {...COLUMN_HEADER_ROLE} scope="col">
                Email
              </th>
              <th {...COLUMN_HEADER_ROLE} scope="col">
                Role
              </th>
              {isAdmin && (
                <th {...COLUMN_HEADER_ROLE} scope="col" className="w-16">
                  <span className="sr-only">Change</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody {...ROW_GROUP_ROLE} className="max-md:block">
            {users.map((user) => (
              <UserRow
                key={user.id}
                user={user}
                isOwn={user.id === ownId}
                isLocked={locked.has(user.id)}
                waitingFor={waiting.get(user.id)?.waiting_for ?? null}
                isAdmin={isAdmin}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const cell = 'max-md:h-auto max-md:border-0 max-md:p-0 max-md:first:p-0 max-md:last:p-0';

interface UserRowProps {
  user: User;
  isOwn: boolean;
  isLocked: boolean;
  waitingFor: PendingReason | null;
  isAdmin: boolean;
}

function UserRow({ user, isOwn, isLocked, waitingFor, isAdmin }: UserRowProps) {
  return (
    <tr
      {...ROW_ROLE}
      className="max-md:grid max-md:min-h-15 max-md:grid-cols-[minmax(36px,auto)_minmax(0,1fr)_auto_auto] max-md:items-center max-md:gap-x-1 max-md:border-line max-md:border-b max-md:px-4 max-md:py-2.5 max-md:last:border-0"
    >
      <td {...CELL_ROLE} className={`${cell} max-md:row-span-2 max-md:text-fg-3 max-md:text-label`}>
        {user.id}
      </td>
      <td {...CELL_ROLE} className={`strong wrap-anywhere ${cell} max-md:text-section`}>
        {user.name} {isOwn && <Tag>You</Tag>} {isLocked && <Tag tone="warn">Locked</Tag>}{' '}
        {waitingFor !== null && <Tag tone="warn">{waitingFor === 'invitation' ? 'Invited' : 'Waiting'}</Tag>}
      </td>
      <td
        {...CELL_ROLE}
        className={`wrap-anywhere ${cell} max-md:col-span-2 max-md:col-start-2 max-md:row-start-2 max-md:text-fg-3 max-md:text-label`}
      >
        {user.email}
      </td>
      <td {...CELL_ROLE} className={`${cell} max-md:col-start-3 max-md:row-start-1 max-md:text-label`}>
        {roleLabel(user.role)}
      </td>
      {isAdmin && (
        <td {...CELL_ROLE} className={`${cell} max-md:col-start-4 max-md:row-span-2 max-md:row-start-1`}>
          {!isOwn && (
            <Link
              to="/list-users"
              hash={editHash(user.id)}
              hashScrollIntoView={false}
              aria-label={`Edit ${user.name}`}
              className="inline-grid size-8 place-items-center rounded-control text-fg-2 hover:bg-hover hover:text-fg pointer-coarse:size-10 [&_svg]:size-4"
            >
              <Pencil strokeWidth={1.75} aria-hidden="true" />
            </Link>
          )}
        </td>
      )}
    </tr>
  );
}
