import { registrationCalls } from '../../../contract/accounts/registration.ts';
import type { App, Deps } from '../../app-types.ts';
import { AppError } from '../../errors.ts';
import { transact } from '../../history/transaction.ts';
import { bindCalls } from '../../http/handle.ts';
import { transactAccountsAs } from '../../http/transact-as.ts';
import { confirmPassword } from '../credentials/confirm-password.ts';
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

/** Registration and the verification of its email; need no sign-in. */
export function registrationRoutes(app: App, deps: Deps): void {
  const { db, settings, mailer } = deps;
  const handle = bindCalls(app, registrationCalls);

  handle('POST /api/register', async ({ body, request, reply }) => {
    const registrant = await prepareRegistration(db.write, settings, request.ip, body);
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
      reply.code(202);
      return { waiting_for, message: PENDING_TEXTS[waiting_for] };
    }
    const token = await startSession(db.write, user.id, settings.session, getOrigin(request));
    request.log.info({ userId: user.id, ip: request.ip }, 'registered');
    return { token, user, message: 'The account has been created.' };
  });

  handle('POST /api/verify-email', async ({ body: { token: link, password }, request }) => {
    const { user, attempt } = await checkVerification(deps, { token: link, password, address: request.ip });
    const waiting_for = await transact(db.write, (tx) => verifyEmail(tx, settings.registration, user, link));
    await attempt.succeeded();
    if (waiting_for !== null) throw accountPending(waiting_for);
    const token = await transact(db.write, (tx) =>
      signIn(tx, { ...user, withCode: false }, settings.session, getOrigin(request)),
    );
    if (token === undefined) throw new AppError('wrong-password', 'Incorrect password entered');
    request.log.info({ userId: user.id, ip: request.ip }, 'address verified, signed in');
    return { token, user, message: 'Your address is verified.' };
  });

  handle('POST /api/resend-verification', ({ body, request }) => {
    if (mailer !== undefined) {
      // Not awaited: its duration would reveal whether the account exists.
      resendVerificationLink(db.write, mailer, body.email, request.ip).catch((err: unknown) =>
        request.log.error({ err }, 'verification mail not sent'),
      );
    }
    return { message: 'If an account with this address is to be verified, a link will be sent to it.' };
  });
}

/** Administrators decide about pending accounts. */
export function approvalRoutes(app: App, deps: Deps): void {
  const { db } = deps;
  const handle = bindCalls(app, registrationCalls);

  handle('POST /api/users/:id/approve', async ({ params, body, actor }) => {
    await confirmPassword(deps, actor, body.password);
    await transactAccountsAs(db.write, actor, (tx, author) => approveAccount(tx, author, params.id));
    return { message: 'The account has been approved.' };
  });

  handle('POST /api/users/:id/reject', async ({ params, body, actor }) => {
    await confirmPassword(deps, actor, body.password);
    const waitedFor = await transactAccountsAs(db.write, actor, (tx, author) =>
      rejectAccount(tx, author, params.id),
    );
    return {
      message:
        waitedFor === 'invitation'
          ? 'The invitation has been withdrawn.'
          : 'The account has been rejected and deleted.',
    };
  });
}
