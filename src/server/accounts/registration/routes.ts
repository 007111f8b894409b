import {
  pendingReply,
  registerInput,
  resendVerificationInput,
  signedInReply,
  signInRefusedReply,
  verifyEmailInput,
} from '../../../contract/accounts/accounts.ts';
import { passwordConfirmation } from '../../../contract/accounts/sign-in.ts';
import { errorReply, invalidReply, messageReply } from '../../../contract/errors.ts';
import type { App, Deps } from '../../app-types.ts';
import { AppError } from '../../errors.ts';
import { transact } from '../../history/transaction.ts';
import { requireAdmin } from '../../http/actor.ts';
import { refusals } from '../../http/refusals.ts';
import { transactAccountsAs } from '../../http/transact-as.ts';
import { confirmPassword } from '../credentials/confirm-password.ts';
import { userPath } from '../queries.ts';
import { startSession } from '../sessions/sessions.ts';
import { getOrigin, signIn } from '../sign-in/sign-in.ts';
import { accountPending, approveAccount, PENDING_TEXTS, rejectAccount } from '../users/approval.ts';
import { prepareRegistration, registerUser } from './register.ts';
import {
  checkVerification,
  mailVerificationLink,
  resendVerificationLink,
  verifyEmail,
} from './verification.ts';

const tags = ['Accounts'];

/** Registration and the verification of its email; need no sign-in. */
export function registrationRoutes(app: App, deps: Deps): void {
  const { db, settings, mailer } = deps;
  app.post(
    '/api/register',
    {
      schema: {
        tags,
        summary: 'Make an account and sign in',
        body: registerInput,
        description:
          'Signs nobody in where new accounts have to be verified or approved first: 202 names what the account waits for.',
        response: {
          201: signedInReply,
          202: pendingReply,
          403: errorReply,
          422: invalidReply,
          429: errorReply,
        },
      },
    },
    async (request, reply) => {
      const registrant = await prepareRegistration(db.write, settings, request.ip, request.body);
      const { user, waiting_for } = await transact(db.write, (tx) =>
        registerUser(tx, settings.registration, registrant),
      );
      if (waiting_for !== null) {
        if (waiting_for === 'verification' && mailer !== undefined) {
          mailVerificationLink(db.write, mailer, user.id).catch((err: unknown) =>
            request.log.error({ err }, 'verification mail not sent'),
          );
        }
        request.log.info({ userId: user.id, ip: request.ip, waiting_for }, 'registered');
        return reply.code(202).send({ waiting_for, message: PENDING_TEXTS[waiting_for] });
      }
      const token = await startSession(db.write, user.id, settings.session, getOrigin(request));
      request.log.info({ userId: user.id, ip: request.ip }, 'registered');
      return reply.code(201).send({ token, user, message: 'The account has been created.' });
    },
  );

  app.post(
    '/api/verify-email',
    {
      schema: {
        tags,
        summary: 'Verify the address of your account with a mailed link, and sign in',
        body: verifyEmailInput,
        response: { 200: signedInReply, ...refusals(422, 429), 403: signInRefusedReply },
      },
    },
    async (request) => {
      const { token: link, password } = request.body;
      const { user, attempt } = await checkVerification(deps, {
        token: link,
        password,
        address: request.ip,
      });
      const waiting_for = await transact(db.write, (tx) =>
        verifyEmail(tx, settings.registration, user, link),
      );
      await attempt.succeeded();
      if (waiting_for !== null) throw accountPending(waiting_for);
      const token = await transact(db.write, (tx) =>
        signIn(tx, { ...user, withCode: false }, settings.session, getOrigin(request)),
      );
      if (token === undefined) throw new AppError('wrong-password', 'Incorrect password entered');
      request.log.info({ userId: user.id, ip: request.ip }, 'address verified, signed in');
      return { token, user, message: 'Your address is verified.' };
    },
  );

  app.post(
    '/api/resend-verification',
    {
      schema: {
        tags,
        summary: 'Have the link that verifies your address mailed again',
        body: resendVerificationInput,
        response: { 202: messageReply, 422: invalidReply },
      },
    },
    async (request, reply) => {
      if (mailer !== undefined) {
        // Not awaited: its duration would reveal whether the account exists.
        resendVerificationLink(db.write, mailer, request.body.email, request.ip).catch((err: unknown) =>
          request.log.error({ err }, 'verification mail not sent'),
        );
      }
      return reply
        .code(202)
        .send({ message: 'If an account with this address is to be verified, a link will be sent to it.' });
    },
  );
}

/** Administrators decide about pending accounts. */
export function approvalRoutes(app: App, deps: Deps): void {
  const { db } = deps;
  const decisionSchema = (summary: string, description: string) => ({
    tags,
    summary,
    description: `For administrators, with their own current password. ${description}`,
    params: userPath,
    body: passwordConfirmation,
    response: { 200: messageReply, ...refusals(403, 404, 409, 422, 429) },
  });

  app.post(
    '/api/users/:id/approve',
    { schema: decisionSchema('Approve a new account', 'Its owner can sign in from then on.') },
    async (request) => {
      const actor = requireAdmin(request);
      await confirmPassword(deps, actor, request.body.password);
      await transactAccountsAs(db.write, actor, (tx, author) =>
        approveAccount(tx, author, request.params.id),
      );
      return { message: 'The account has been approved.' };
    },
  );

  app.post(
    '/api/users/:id/reject',
    {
      schema: decisionSchema(
        'Reject a new account, or withdraw an invitation',
        'The account is deleted. One that is in use can’t be rejected.',
      ),
    },
    async (request) => {
      const actor = requireAdmin(request);
      await confirmPassword(deps, actor, request.body.password);
      const waitedFor = await transactAccountsAs(db.write, actor, (tx, author) =>
        rejectAccount(tx, author, request.params.id),
      );
      return {
        message:
          waitedFor === 'invitation'
            ? 'The invitation has been withdrawn.'
            : 'The account has been rejected and deleted.',
      };
    },
  );
}
