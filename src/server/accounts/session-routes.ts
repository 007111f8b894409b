import { errorReply, messageReply } from '../../contract/errors.ts';
import { sessionListReply, sessionPath } from '../../contract/sessions.ts';
import type { App, Deps } from '../app-types.ts';
import { actorOf } from '../http/authentication.ts';
import { endOwnSession, endSessionsElsewhere, listSessions } from './own-sessions.ts';

const tags = ['Accounts'];

/** Where a person is signed in. */
export function sessionRoutes(app: App, { db, settings }: Deps): void {
  app.get(
    '/api/sessions',
    {
      schema: {
        tags,
        summary: 'Where you are signed in',
        response: { 200: sessionListReply, 401: errorReply },
      },
    },
    (request) => listSessions(db.read, actorOf(request), settings.session),
  );

  app.delete(
    '/api/sessions',
    {
      config: { ownAccount: true },
      schema: {
        tags,
        summary: 'Sign out everywhere but here',
        response: { 200: messageReply, 401: errorReply },
      },
    },
    async (request) => {
      await endSessionsElsewhere(db.write, actorOf(request));
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
        params: sessionPath,
        response: { 200: messageReply, 401: errorReply, 404: errorReply },
      },
    },
    async (request) => {
      await endOwnSession(db.write, actorOf(request), request.params.id, settings.session);
      return { message: 'The session has been ended.' };
    },
  );
}
