import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import type { User } from '../../../contract/accounts/accounts.ts';
import { plural } from '../../lib/format.ts';
import { IconLink } from '../../ui/button.tsx';
import { type Column, Table, TableContainer } from '../../ui/table.tsx';
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
  const columns: readonly Column<User>[] = [
    {
      head: 'ID',
      columnClass: 'md:w-22',
      className: 'max-md:row-span-2 max-md:text-fg-3 max-md:text-label',
      cell: ({ id }) => id,
    },
    {
      head: 'Name',
      className: 'strong wrap-anywhere max-md:text-section',
      cell: ({ id, name }) => {
        const waitingFor = waiting.get(id)?.waiting_for ?? null;
        return (
          <>
            {name} {id === ownId && <Tag>You</Tag>} {locked.has(id) && <Tag tone="warn">Locked</Tag>}{' '}
            {waitingFor !== null && (
              <Tag tone="warn">{waitingFor === 'invitation' ? 'Invited' : 'Waiting'}</Tag>
            )}
          </>
        );
      },
    },
    {
      head: 'Email',
      className:
        'wrap-anywhere max-md:col-span-2 max-md:col-start-2 max-md:row-start-2 max-md:text-fg-3 max-md:text-label',
      cell: ({ email }) => email,
    },
    {
      head: 'Role',
      className: 'max-md:col-start-3 max-md:row-start-1 max-md:text-label',
      cell: ({ role }) => roleLabel(role),
    },
    ...(isAdmin ? [editColumn(ownId)] : []),
  ];
  return (
    <section aria-labelledby="users-heading">
      <div className="mb-3 flex items-center justify-between gap-4">
        <h2 id="users-heading" tabIndex={-1} className="outline-none">
          Users
        </h2>
        <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
          <span className="text-fg-3 text-label">{plural(users.length, 'user')}</span>
          {isAdmin && <InviteUser />}
        </div>
      </div>
      {isAdmin && <WaitingUsers users={users} states={waiting} />}
      <TableContainer>
        <Table
          label={{ id: 'users-heading' }}
          columns={columns}
          rows={users}
          rowKey={({ id }) => id}
          rowClass={() =>
            'max-md:min-h-15 max-md:grid-cols-[minmax(36px,auto)_minmax(0,1fr)_auto_auto] max-md:items-center max-md:gap-x-1 max-md:py-2.5'
          }
          hasCards
        />
      </TableContainer>
    </section>
  );
}

const editColumn = (ownId: number): Column<User> => ({
  head: 'Change',
  isHeadHidden: true,
  columnClass: 'md:w-16',
  className: 'max-md:col-start-4 max-md:row-span-2 max-md:row-start-1',
  cell: ({ id, name }) =>
    id !== ownId && (
      <IconLink to="/list-users" hash={editHash(id)} hashScrollIntoView={false} label={`Edit ${name}`}>
        <Pencil />
      </IconLink>
    ),
});
