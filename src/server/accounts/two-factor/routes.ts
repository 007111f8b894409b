import {
  codeInput,
  passwordConfirmation,
  secondFactorConfirmedReply,
  secondFactorRemoval,
  secondFactorSetupReply,
  signInMethodsReply,
} from '../../../contract/accounts/sign-in.ts';
import { messageReply } from '../../../contract/errors.ts';
import type { App, Deps } from '../../app-types.ts';
import { invalidField } from '../../errors.ts';
import { requireActor, requireAdmin } from '../../http/actor.ts';
import { refusals } from '../../http/refusals.ts';
import { transactAccountsAs } from '../../http/transact-as.ts';
import { confirmPassword } from '../credentials/confirm-password.ts';
import { countConfirmation } from '../credentials/login-throttle.ts';
import { requireUser, userPath } from '../queries.ts';
import {
  beginSecondFactor,
  checkCode,
  confirmSecondFactor,
  findSecondFactor,
  removeSecondFactor,
  resetSecondFactor,
} from './two-factor.ts';

const tags = ['Accounts'];
const wrongCode = () =>
  invalidField('code', 'The code is not valid. Each is good once, and for half a minute.');

/** Codes of an authenticator app, in addition to the password. */
export function secondFactorRoutes(app: App, deps: Deps): void {
  const { db, settings, secrets } = deps;
  app.get(
    '/api/sign-in-methods',
    {
      config: { beforeSecondFactor: true },
      schema: { tags, summary: 'How you sign in', response: { 200: signInMethodsReply, ...refusals() } },
    },
    async (request) => ({ second_factor: await findSecondFactor(db.read, requireActor(request).id) }),
  );

  app.post(
    '/api/second-factor',
    {
      config: { ownAccount: true, beforeSecondFactor: true },
      schema: {
        tags,
        summary: 'Begin to set up two-step verification',
        body: passwordConfirmation,
        response: { 201: secondFactorSetupReply, ...refusals(409, 422, 429) },
      },
    },
    async (request, reply) => {
      const actor = requireActor(request);
      await confirmPassword(deps, actor, request.body.password);
      const setup = await transactAccountsAs(db.write, actor, (tx) => beginSecondFactor(tx, secrets, actor));
      return reply.code(201).send({ ...setup, message: 'Enter a code of the app to finish.' });
    },
  );

  app.post(
    '/api/second-factor/confirm',
    {
      config: { ownAccount: true, beforeSecondFactor: true },
      schema: {
        tags,
        summary: 'Finish setting up two-step verification, with a code',
        description: 'Ends your other sessions. The recovery codes are answered this once.',
        body: codeInput,
        response: { 200: secondFactorConfirmedReply, ...refusals(409, 422, 429) },
      },
    },
    async (request) => {
      const actor = requireActor(request);
      const attempt = await countConfirmation(db.write, actor, settings.loginLimit);
      const codes = await transactAccountsAs(db.write, actor, (tx, author) =>
        confirmSecondFactor(tx, secrets, author, actor, request.body.code),
      );
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
        summary: 'Turn off your two-step verification',
        body: secondFactorRemoval,
        response: { 200: messageReply, ...refusals(422, 429) },
      },
    },
    async (request) => {
      const actor = requireActor(request);
      const { password, code } = request.body;
      await confirmPassword(deps, actor, password, {
        alsoConfirm: async () => {
          if (!(await checkCode(deps, request.log, actor, code))) throw wrongCode();
        },
      });
      await transactAccountsAs(db.write, actor, (tx, author) => removeSecondFactor(tx, author, actor.id));
      return { message: 'Two-step verification has been turned off.' };
    },
  );

  app.post(
    '/api/users/:id/reset-second-factor',
    {
      schema: {
        tags,
        summary: 'Turn off two-step verification of a person who has lost their phone',
        description: 'For administrators, with their own current password. Ends that person’s sessions.',
        params: userPath,
        body: passwordConfirmation,
        response: { 200: messageReply, ...refusals(403, 404, 422, 429) },
      },
    },
    async (request) => {
      const actor = requireAdmin(request);
      const { id } = request.params;
      await confirmPassword(deps, actor, request.body.password);
      await requireUser(db.read, id);
      await transactAccountsAs(db.write, actor, (tx, author) => resetSecondFactor(tx, author, id));
      return { message: 'Two-step verification has been turned off.' };
    },
  );
}
