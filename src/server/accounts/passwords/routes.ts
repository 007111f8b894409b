import {
  accountLinkReply,
  forgotPasswordInput,
  passwordChange,
  resetPasswordInput,
} from '../../../contract/accounts/accounts.ts';
import { passwordConfirmation } from '../../../contract/accounts/sign-in.ts';
import { invalidReply, messageReply } from '../../../contract/errors.ts';
import type { App, Deps } from '../../app-types.ts';
import { AppError, invalidField } from '../../errors.ts';
import { transact } from '../../history/transaction.ts';
import { requireActor, requireAdmin } from '../../http/actor.ts';
import { refusals } from '../../http/refusals.ts';
import { transactAccountsAs } from '../../http/transact-as.ts';
import { confirmPassword } from '../credentials/confirm-password.ts';
import { changePassword, hashNewPassword } from '../credentials/set-password.ts';
import { userPath } from '../queries.ts';
import {
  createHandedOverLink,
  handedOverPath,
  mailResetLink,
  requireResetLink,
  resetPasswordByLink,
} from './reset-links.ts';

const tags = ['Accounts'];

/** Password recovery; needs no sign-in. */
export function passwordRecoveryRoutes(app: App, { db, settings, mailer }: Deps): void {
  app.post(
    '/api/forgot-password',
    {
      schema: {
        tags,
        summary: 'Ask for a recovery link',
        body: forgotPasswordInput,
        response: { 202: messageReply, 422: invalidReply },
      },
    },
    async (request, reply) => {
      if (mailer !== undefined) {
        // Not awaited: its duration would reveal whether the account exists.
        mailResetLink(db.write, mailer, request.body.email, request.ip).catch((err: unknown) =>
          request.log.error({ err }, 'recovery mail not sent'),
        );
      }
      return reply
        .code(202)
        .send({ message: 'If there is an account with this address, a recovery link will be sent to it.' });
    },
  );

  app.post(
    '/api/reset-password',
    {
      schema: {
        tags,
        summary: 'Set a new password with a recovery link',
        body: resetPasswordInput,
        response: { 200: messageReply, 422: invalidReply },
      },
    },
    async (request) => {
      const { token, password } = request.body;
      const user = await requireResetLink(db.write, token);
      const passwordHash = await hashNewPassword(db.read, password, user);
      await transact(db.write, (tx) =>
        resetPasswordByLink(tx, settings.registration, { token, user }, passwordHash),
      );
      return { message: 'The password has been set. Sign in with it.' };
    },
  );
}

/** Administrators help somebody who has forgotten their password, without mail. */
export function resetLinkRoute(app: App, deps: Deps): void {
  app.post(
    '/api/users/:id/reset-link',
    {
      schema: {
        tags,
        summary: 'Make a link with which a user sets another password',
        description:
          'For administrators, with their own current password. Works once, for 24 hours, and ends the sessions of the user when it is used.',
        params: userPath,
        body: passwordConfirmation,
        response: { 200: accountLinkReply, ...refusals(403, 404, 409, 422, 429) },
      },
    },
    async (request) => {
      const actor = requireAdmin(request);
      await confirmPassword(deps, actor, request.body.password);
      const token = await transactAccountsAs(deps.db.write, actor, (tx, author) =>
        createHandedOverLink(tx, author, request.params.id),
      );
      return { message: 'The link has been made.', link: handedOverPath(token) };
    },
  );
}

export function changePasswordRoute(app: App, deps: Deps): void {
  app.put(
    '/api/users/:id/change-password',
    {
      config: { ownAccount: true },
      schema: {
        tags,
        summary: 'Change your own password',
        params: userPath,
        body: passwordChange,
        response: { 200: messageReply, ...refusals(403, 422) },
      },
    },
    async (request) => {
      const actor = requireActor(request);
      const { id, old_password, password } = request.body;
      if (request.params.id !== actor.id) {
        throw new AppError('forbidden', 'A password can be changed by its owner only.');
      }
      if (id !== null && id !== actor.id) throw invalidField('id', 'The id must be that of the address.');
      const text = 'Incorrect current password.';
      await confirmPassword(deps, actor, old_password, {
        refusal: () => new AppError('wrong-password', text, { details: { error: text } }),
      });
      const passwordHash = await hashNewPassword(deps.db.read, password, actor);
      await transactAccountsAs(deps.db.write, actor, (tx, author) =>
        changePassword(tx, author, actor, passwordHash),
      );
      return { message: 'Password updated successfully' };
    },
  );
}
