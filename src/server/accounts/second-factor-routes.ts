import { errorReply, invalidReply, messageReply } from '../../contract/errors.ts';
import {
  codeInput,
  passwordProof,
  secondFactorBegunReply,
  secondFactorRemoval,
  secondFactorSetReply,
  signInMethodsReply,
} from '../../contract/second-factor.ts';
import type { App, Deps } from '../app-types.ts';
import { invalid } from '../errors.ts';
import { actorOf, requireAdmin } from '../http/authentication.ts';
import { countAttempt } from './attempts.ts';
import { checkCode } from './check-code.ts';
import { requirePassword } from './prove-password.ts';
import { emailKey, findUser } from './queries.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  resetSecondFactor,
  secondFactorOf,
} from './second-factor.ts';
import { noSuchUser } from './update-user.ts';
import { userPath } from './user-path.ts';

const tags = ['Accounts'];
const refusals = { 401: errorReply, 422: invalidReply, 429: errorReply };
const wrongCode = () => invalid('code', 'The code is not valid. Each is good once, and for half a minute.');

/** Codes of an authenticator app, asked for beside the password. */
export function secondFactorRoutes(app: App, deps: Deps): void {
  const { db, settings } = deps;
  app.get(
    '/api/sign-in-methods',
    {
      schema: { tags, summary: 'How you sign in', response: { 200: signInMethodsReply, 401: errorReply } },
    },
    async (request) => ({ second_factor: await secondFactorOf(db.read, actorOf(request).id) }),
  );

  app.post(
    '/api/second-factor',
    {
      config: { ownAccount: true },
      schema: {
        tags,
        summary: 'Begin to set up a second factor',
        body: passwordProof,
        response: { 201: secondFactorBegunReply, 409: errorReply, ...refusals },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      await requirePassword(deps, actor, request.ip, request.body.password);
      const begun = await beginSecondFactor(db.write, actor);
      return reply.code(201).send({ ...begun, message: 'Enter a code of the app to finish.' });
    },
  );

  app.post(
    '/api/second-factor/confirm',
    {
      config: { ownAccount: true },
      schema: {
        tags,
        summary: 'Finish setting up a second factor, with a code of it',
        description: 'Ends your other sessions. The recovery codes are answered this once.',
        body: codeInput,
        response: { 200: secondFactorSetReply, 409: errorReply, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const attempt = await countAttempt(db.write, emailKey(actor.email), request.ip, settings.loginLimit);
      const codes = await confirmSecondFactor(db.write, actor, request.body.code);
      if (codes === undefined) throw wrongCode();
      await attempt.succeeded();
      return { recovery_codes: codes, message: 'From now on a code is asked for when you sign in.' };
    },
  );

  app.post(
    '/api/second-factor/remove',
    {
      config: { ownAccount: true },
      schema: {
        tags,
        summary: 'Remove your second factor',
        body: secondFactorRemoval,
        response: { 200: messageReply, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { password, code } = request.body;
      await requirePassword(deps, actor, request.ip, password, {
        further: async () => {
          if (!(await checkCode(deps, request.log, actor, code))) throw wrongCode();
        },
      });
      await removeSecondFactor(db.write, actor);
      return { message: 'The second factor has been removed.' };
    },
  );

  app.post(
    '/api/users/:id/reset-second-factor',
    {
      schema: {
        tags,
        summary: 'Remove the second factor of a person who has lost it',
        description: 'For administrators, with their own current password. Ends that person’s sessions.',
        params: userPath,
        body: passwordProof,
        response: { 200: messageReply, 403: errorReply, 404: errorReply, ...refusals },
      },
    },
    async (request) => {
      const actor = requireAdmin(request);
      const { id } = request.params;
      await requirePassword(deps, actor, request.ip, request.body.password);
      if ((await findUser(db.read, id)) === undefined) throw noSuchUser();
      await resetSecondFactor(db.write, actor, id);
      return { message: 'The second factor has been removed.' };
    },
  );
}
