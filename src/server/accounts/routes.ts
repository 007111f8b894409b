import {
  forgotPasswordInput,
  loginInput,
  passwordChange,
  registerInput,
  resetPasswordInput,
  signedInReply,
  signedOutReply,
  userListReply,
  userReply,
  userUpdate,
  userUpdatedReply,
} from '../../contract/accounts.ts';
import { errorReply, invalidReply, messageReply, staleReply } from '../../contract/errors.ts';
import type { App, Deps } from '../app-types.ts';
import { AppError, invalid } from '../errors.ts';
import { actorOf } from '../http/authentication.ts';
import { etag, versionPart } from '../http/versions.ts';
import { countAttempt } from './attempts.ts';
import { changePassword } from './change-password.ts';
import { checkCode } from './check-code.ts';
import { originOf } from './origin.ts';
import { isPasswordOf } from './passwords.ts';
import { requirePassword } from './prove-password.ts';
import { emailKey, findUser, findUserByEmail, listUsers } from './queries.ts';
import { mailRecoveryLink, resetPassword } from './recovery.ts';
import { register } from './register.ts';
import { hasSecondFactor } from './second-factor.ts';
import { endSession, startSession } from './sessions.ts';
import { signIn } from './sign-in.ts';
import { noSuchUser, requireMayEdit, updateUser } from './update-user.ts';
import { userPath } from './user-path.ts';

const tags = ['Accounts'];
/** Says no more of a wrong code than of a wrong password. */
const wrongPair = () => new AppError('wrong-password', 'Invalid Creditentials.');

/** Calls that need no sign-in. */
export function publicAccountRoutes(app: App, deps: Deps): void {
  const { db, settings, mailer } = deps;
  app.post(
    '/api/register',
    {
      schema: {
        tags,
        summary: 'Make an account and sign in',
        body: registerInput,
        response: { 201: signedInReply, 403: errorReply, 422: invalidReply, 429: errorReply },
      },
    },
    async (request, reply) => {
      const user = await register(db.write, settings, request.ip, request.body);
      const token = await startSession(db.write, user.id, settings.session, originOf(request));
      request.log.info({ userId: user.id, ip: request.ip }, 'registered');
      return reply.code(201).send({ token, user, message: 'The account has been created.' });
    },
  );

  app.post(
    '/api/login',
    {
      schema: {
        tags,
        summary: 'Sign in',
        description:
          'Where a second factor is set up, a right password without its code is refused with 422 on `code`.',
        body: loginInput,
        response: { 200: signedInReply, 401: errorReply, 422: invalidReply, 429: errorReply },
      },
    },
    async (request) => {
      const { email, password, code } = request.body;
      const attempt = await countAttempt(db.write, emailKey(email), request.ip, settings.loginLimit);
      const user = await findUserByEmail(db.read, email);
      const isRight = await isPasswordOf(user, password);
      // A locked account is refused as any wrong password is, after as long: nobody learns of it by trying.
      if (!isRight || user === undefined || user.locked_at !== null) {
        request.log.warn({ userId: user?.id, ip: request.ip }, 'sign-in failed');
        throw wrongPair();
      }
      const withCode = await hasSecondFactor(db.read, user.id);
      if (withCode) {
        if (code === null) {
          await attempt.withdrawn();
          throw invalid('code', 'The code field is required.');
        }
        if (!(await checkCode(deps, request.log, user, code))) {
          request.log.warn({ userId: user.id, ip: request.ip }, 'sign-in failed: code');
          throw wrongPair();
        }
      }
      const token = await signIn(db.write, { ...user, withCode }, settings.session, originOf(request));
      if (token === undefined) throw wrongPair();
      await attempt.succeeded();
      request.log.info({ userId: user.id, ip: request.ip }, 'signed in');
      return { token, user, message: 'Signed in.' };
    },
  );

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
      const { email } = request.body;
      if (mailer !== undefined) {
        // Not waited for: how long it takes would tell whether there is such an account.
        mailRecoveryLink(db.write, mailer, email, request.ip).catch((err: unknown) =>
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
      await resetPassword(db.write, request.body.token, request.body.password);
      return { message: 'The password has been set. Sign in with it.' };
    },
  );
}

/** Calls of people who are signed in. */
export function accountRoutes(app: App, deps: Deps): void {
  const { db } = deps;

  app.post(
    '/api/logout',
    {
      config: { ownAccount: true },
      schema: { tags, summary: 'Sign out', response: { 200: signedOutReply, 401: errorReply } },
    },
    async (request) => {
      await endSession(db.write, actorOf(request).tokenHash);
      return { loggedOut: true, token: null, message: 'You have been logged out.' };
    },
  );

  app.get(
    '/api/users',
    { schema: { tags, summary: 'All users', response: { 200: userListReply, 401: errorReply } } },
    () => listUsers(db.read),
  );

  app.get(
    '/api/users/:id',
    {
      schema: {
        tags,
        summary: 'One user',
        params: userPath,
        response: { 200: userReply, 401: errorReply, 404: errorReply },
      },
    },
    async (request, reply) => {
      const user = await findUser(db.read, request.params.id);
      if (user === undefined) throw noSuchUser();
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
        response: {
          200: userUpdatedReply,
          401: errorReply,
          403: errorReply,
          404: errorReply,
          422: invalidReply,
          412: staleReply,
        },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const { id, password, ...changes } = request.body;
      requireMayEdit(actor, request.params.id);
      if (id !== null && id !== request.params.id) throw invalid('id', 'The id must be that of the address.');
      await requirePassword(deps, actor, request.ip, password);
      const ifMatch = request.headers['if-match'];
      const { user, version } = await updateUser(db.write, actor, request.params.id, changes, ifMatch);
      reply.header('etag', etag(versionPart.user(version)));
      return { message: 'User details updated successfully', user };
    },
  );

  app.put(
    '/api/users/:id/change-password',
    {
      config: { ownAccount: true },
      schema: {
        tags,
        summary: 'Change your own password',
        params: userPath,
        body: passwordChange,
        response: { 200: messageReply, 401: errorReply, 403: errorReply, 422: invalidReply },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { id, old_password, password } = request.body;
      if (request.params.id !== actor.id) {
        throw new AppError('forbidden', 'A password can be changed by its owner only.');
      }
      if (id !== null && id !== actor.id) throw invalid('id', 'The id must be that of the address.');
      const text = 'Incorrect current password.';
      await requirePassword(deps, actor, request.ip, old_password, {
        refusal: () => new AppError('wrong-password', text, { details: { error: text } }),
      });
      await changePassword(db.write, actor, password);
      return { message: 'Password updated successfully' };
    },
  );
}
