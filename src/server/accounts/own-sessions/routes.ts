import { sessionCalls } from '../../../contract/accounts/sessions.ts';
import type { App, Deps } from '../../app-types.ts';
import { transact } from '../../history/transaction.ts';
import { bindCalls } from '../../http/handle.ts';
import { transactAccountsAs } from '../../http/transact-as.ts';
import { confirmRecently } from '../credentials/confirm-password.ts';
import { endOwnSession, listSessions, signOut, signOutElsewhere } from './own-sessions.ts';

/** A person's own sessions. */
export function sessionRoutes(app: App, deps: Deps): void {
  const { db, settings } = deps;
  const handle = bindCalls(app, sessionCalls);

  handle('POST /api/logout', { config: { beforeSecondFactor: true } }, async ({ actor }) => {
    await transact(db.write, (tx) => signOut(tx, actor));
    return { loggedOut: true, token: null, message: 'You have been logged out.' };
  });

  handle('GET /api/sessions', ({ actor }) => listSessions(db.read, actor, settings.session));

  handle('DELETE /api/sessions', async ({ body, actor }) => {
    await confirmRecently(deps, actor, body.password);
    await transactAccountsAs(db.write, actor, (tx, author) => signOutElsewhere(tx, author, actor));
    return { message: 'You have been signed out everywhere else.' };
  });

  handle('DELETE /api/sessions/:id', async ({ params, body, actor }) => {
    await confirmRecently(deps, actor, body.password);
    await transactAccountsAs(db.write, actor, (tx, author) =>
      endOwnSession(tx, author, actor, params.id, settings.session),
    );
    return { message: 'The session has been ended.' };
  });
}
