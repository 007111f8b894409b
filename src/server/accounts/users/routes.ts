import { userCalls } from '../../../contract/accounts/accounts.ts';
import type { App, Deps } from '../../app-types.ts';
import { invalidField } from '../../errors.ts';
import { etag, versionPart } from '../../http/etags.ts';
import { bindCalls } from '../../http/handle.ts';
import { transactAccountsAs } from '../../http/transact-as.ts';
import { confirmPassword } from '../credentials/confirm-password.ts';
import { findUser, listUsers, noSuchUser } from '../queries.ts';
import { listAccountStates, setLocked } from './admin-actions.ts';
import { requireMayEdit, updateUser } from './update-user.ts';

export function userRoutes(app: App, deps: Deps): void {
  const { db } = deps;
  const handle = bindCalls(app, userCalls);

  handle('GET /api/users', ({ actor }) => listUsers(db.read, { withPending: actor.role === 'admin' }));

  handle('GET /api/users/:id', async ({ params, actor, reply }) => {
    const user = await findUser(db.read, params.id);
    const isHidden = user?.waiting_for !== null && actor.role !== 'admin';
    if (user === undefined || isHidden) throw noSuchUser();
    reply.header('etag', etag(versionPart.user(user.version)));
    return user;
  });

  handle('PUT /api/users/:id', async ({ params, body, ifMatch, actor, reply }) => {
    const { id, password, ...changes } = body;
    requireMayEdit(actor, params.id);
    if (id !== null && id !== params.id) throw invalidField('id', 'The id must be that of the address.');
    await confirmPassword(deps, actor, password);
    const { user, version } = await transactAccountsAs(db.write, actor, (tx, author) =>
      updateUser(tx, author, params.id, changes, ifMatch),
    );
    reply.header('etag', etag(versionPart.user(version)));
    return { message: 'User details updated successfully', user };
  });

  handle('GET /api/account-states', () => listAccountStates(db.read));

  handle('PUT /api/users/:id/lock', async ({ params, body: { locked, password }, actor }) => {
    await confirmPassword(deps, actor, password);
    await transactAccountsAs(db.write, actor, (tx, author) => setLocked(tx, author, params.id, locked));
    return { message: locked ? 'The account has been locked.' : 'The account has been unlocked.' };
  });
}
