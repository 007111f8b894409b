import { accountStatesReply, lockInput } from '../../contract/account-states.ts';
import { errorReply, invalidReply, messageReply } from '../../contract/errors.ts';
import type { App, Deps } from '../app-types.ts';
import { requireAdmin } from '../http/authentication.ts';
import { accountStates, setLocked } from './lock.ts';
import { requirePassword } from './prove-password.ts';
import { userPath } from './user-path.ts';

const tags = ['Accounts'];

/** What administrators decide about who can sign in. */
export function lockRoutes(app: App, deps: Deps): void {
  const { db } = deps;
  app.get(
    '/api/account-states',
    {
      schema: {
        tags,
        summary: 'Which accounts are locked',
        description: 'For administrators.',
        response: { 200: accountStatesReply, 401: errorReply, 403: errorReply },
      },
    },
    (request) => {
      requireAdmin(request);
      return accountStates(db.read);
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
        response: {
          200: messageReply,
          401: errorReply,
          403: errorReply,
          404: errorReply,
          422: invalidReply,
          429: errorReply,
        },
      },
    },
    async (request) => {
      const actor = requireAdmin(request);
      const { locked, password } = request.body;
      await requirePassword(deps, actor, request.ip, password);
      await setLocked(db.write, actor, request.params.id, locked);
      return { message: locked ? 'The account has been locked.' : 'The account has been unlocked.' };
    },
  );
}
