import {
  sessionEndInput,
  sessionListReply,
  sessionPath,
  signedOutReply,
} from '../../../contract/accounts/accounts.ts';
import { messageReply } from '../../../contract/errors.ts';
import type { App, Deps } from '../../app-types.ts';
import { transact } from '../../history/transaction.ts';
import { requireActor } from '../../http/actor.ts';
import { refusals } from '../../http/refusals.ts';
import { transactAccountsAs } from '../../http/transact-as.ts';
import { confirmRecently } from '../credentials/confirm-password.ts';
import { endOwnSession, listSessions, signOut, signOutElsewhere } from './own-sessions.ts';

const tags = ['Accounts'];

const ENDING = 'With the current password, unless you signed in within the last ten minutes.';

/** A person's own sessions. */
export function sessionRoutes(app: App, deps: Deps): void {
  const { db, settings } = deps;
  app.post(
    '/api/logout',
    {
      config: { ownAccount: true, beforeSecondFactor: true },
      schema: { tags, summary: 'Sign out', response: { 200: signedOutReply, ...refusals() } },
    },
    async (request) => {
      const actor = requireActor(request);
      await transact(db.write, (tx) => signOut(tx, actor));
      return { loggedOut: true, token: null, message: 'You have been logged out.' };
    },
  );

  app.get(
    '/api/sessions',
    {
      schema: {
        tags,
        summary: 'Where you are signed in',
        response: { 200: sessionListReply, ...refusals() },
      },
    },
    (request) => listSessions(db.read, requireActor(request), settings.session),
  );

  app.delete(
    '/api/sessions',
    {
      config: { ownAccount: true },
      schema: {
        tags,
        summary: 'Sign out everywhere but here',
        description: ENDING,
        body: sessionEndInput,
        response: { 200: messageReply, ...refusals(422, 429) },
      },
    },
    async (request) => {
      const actor = requireActor(request);
      await confirmRecently(deps, actor, request.body.password);
      await transactAccountsAs(db.write, actor, (tx, author) => signOutElsewhere(tx, author, actor));
      return { message: 'You have been signed out everywhere else.' };
    },
  );

  app.delete(
    '/api/sessions/:id',
    {
      config: { ownAccount: true },
      schema: {
        tags,
        summary: 'End one of your sessions',
        description: ENDING,
        params: sessionPath,
        body: sessionEndInput,
        response: { 200: messageReply, ...refusals(404, 422, 429) },
      },
    },
    async (request) => {
      const actor = requireActor(request);
      await confirmRecently(deps, actor, request.body.password);
      await transactAccountsAs(db.write, actor, (tx, author) =>
        endOwnSession(tx, author, actor, request.params.id, settings.session),
      );
      return { message: 'The session has been ended.' };
    },
  );
}
