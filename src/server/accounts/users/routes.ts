import {
  accountStatesReply,
  lockInput,
  userListReply,
  userReply,
  userUpdate,
  userUpdatedReply,
} from '../../../contract/accounts/accounts.ts';
import { messageReply } from '../../../contract/errors.ts';
import type { App, Deps } from '../../app-types.ts';
import { invalidField } from '../../errors.ts';
import { requireActor, requireAdmin } from '../../http/actor.ts';
import { etag, versionPart } from '../../http/etags.ts';
import { refusals } from '../../http/refusals.ts';
import { transactAccountsAs } from '../../http/transact-as.ts';
import { confirmPassword } from '../credentials/confirm-password.ts';
import { findUser, listUsers, noSuchUser, userPath } from '../queries.ts';
import { listAccountStates, setLocked } from './admin-actions.ts';
import { requireMayEdit, updateUser } from './update-user.ts';

const tags = ['Accounts'];

/** Accounts, for every signed-in person. */
export function accountRoutes(app: App, deps: Deps): void {
  const { db } = deps;

  app.get(
    '/api/users',
    { schema: { tags, summary: 'All users', response: { 200: userListReply, ...refusals() } } },
    (request) => listUsers(db.read, { withPending: requireActor(request).role === 'admin' }),
  );

  app.get(
    '/api/users/:id',
    {
      schema: {
        tags,
        summary: 'One user',
        params: userPath,
        response: { 200: userReply, ...refusals(404) },
      },
    },
    async (request, reply) => {
      const user = await findUser(db.read, request.params.id);
      const isHidden = user?.waiting_for !== null && requireActor(request).role !== 'admin';
      if (user === undefined || isHidden) throw noSuchUser();
      reply.header('etag', etag(versionPart.user(user.version)));
      return user;
    },
  );

  app.put(
    '/api/users/:id',
    {
      config: { ownAccount: true },
      schema: {
        tags,
        summary: 'Change an account',
        description:
          'A person changes their own account, an admin any; always with their own current password.',
        params: userPath,
        body: userUpdate,
        response: { 200: userUpdatedReply, ...refusals(403, 404, 412, 422) },
      },
    },
    async (request, reply) => {
      const actor = requireActor(request);
      const { id, password, ...changes } = request.body;
      requireMayEdit(actor, request.params.id);
      if (id !== null && id !== request.params.id)
        throw invalidField('id', 'The id must be that of the address.');
      await confirmPassword(deps, actor, password);
      const ifMatch = request.headers['if-match'];
      const { user, version } = await transactAccountsAs(db.write, actor, (tx, author) =>
        updateUser(tx, author, request.params.id, changes, ifMatch),
      );
      reply.header('etag', etag(versionPart.user(version)));
      return { message: 'User details updated successfully', user };
    },
  );
}

/** Administrators decide who can sign in. */
export function lockRoutes(app: App, deps: Deps): void {
  const { db } = deps;
  app.get(
    '/api/account-states',
    {
      schema: {
        tags,
        summary: 'Which accounts are locked',
        description: 'For administrators.',
        response: { 200: accountStatesReply, ...refusals(403) },
      },
    },
    (request) => {
      requireAdmin(request);
      return listAccountStates(db.read);
    },
  );

  app.put(
    '/api/users/:id/lock',
    {
      schema: {
        tags,
        summary: 'Lock an account, or unlock it',
        description:
          'For administrators, with their own current password. Nobody can sign in to a locked account, and its sessions end at once.',
        params: userPath,
        body: lockInput,
        response: { 200: messageReply, ...refusals(403, 404, 422, 429) },
      },
    },
    async (request) => {
      const actor = requireAdmin(request);
      const { locked, password } = request.body;
      await confirmPassword(deps, actor, password);
      await transactAccountsAs(db.write, actor, (tx, author) =>
        setLocked(tx, author, request.params.id, locked),
      );
      return { message: locked ? 'The account has been locked.' : 'The account has been unlocked.' };
    },
  );
}
