import { passwordCalls } from '../../../contract/accounts/passwords.ts';
import type { App, Deps } from '../../app-types.ts';
import { AppError, invalidField } from '../../errors.ts';
import { transact } from '../../history/transaction.ts';
import { bindCalls } from '../../http/handle.ts';
import { transactAccountsAs } from '../../http/transact-as.ts';
import { confirmPassword } from '../credentials/confirm-password.ts';
import { changePassword, hashNewPassword } from '../credentials/set-password.ts';
import {
  adminLinkPath,
  createHandedOverLink,
  mailResetLink,
  requireResetLink,
  resetPasswordByLink,
} from './reset-links.ts';

/** Password recovery; needs no sign-in. */
export function passwordRecoveryRoutes(app: App, { db, settings, mailer }: Deps): void {
  const handle = bindCalls(app, passwordCalls);

  handle('POST /api/forgot-password', ({ body, request }) => {
    if (mailer !== undefined) {
      // Not awaited: its duration would reveal whether the account exists.
      mailResetLink(db.write, mailer, body.email, request.ip).catch((err: unknown) =>
        request.log.error({ err }, 'recovery mail not sent'),
      );
    }
    return { message: 'If there is an account with this address, a recovery link will be sent to it.' };
  });

  handle('POST /api/reset-password', async ({ body: { token, password } }) => {
    const user = await requireResetLink(db.write, token);
    const passwordHash = await hashNewPassword(db.read, password, user);
    await transact(db.write, (tx) =>
      resetPasswordByLink(tx, settings.registration, { token, user }, passwordHash),
    );
    return { message: 'The password has been set. Sign in with it.' };
  });
}

/** How people change their password, and administrators help those who have forgotten theirs, without mail. */
export function passwordRoutes(app: App, deps: Deps): void {
  const { db } = deps;
  const handle = bindCalls(app, passwordCalls);

  handle('POST /api/users/:id/reset-link', async ({ params, body, actor }) => {
    await confirmPassword(deps, actor, body.password);
    const token = await transactAccountsAs(db.write, actor, (tx, author) =>
      createHandedOverLink(tx, author, params.id),
    );
    return { message: 'The link has been made.', link: adminLinkPath(token) };
  });

  handle('PUT /api/users/:id/change-password', async ({ params, body, actor }) => {
    const { id, old_password, password } = body;
    if (params.id !== actor.id) {
      throw new AppError('forbidden', 'A password can be changed by its owner only.');
    }
    if (id !== null && id !== actor.id) throw invalidField('id', 'The id must be that of the address.');
    const text = 'Incorrect current password.';
    await confirmPassword(deps, actor, old_password, {
      refusal: () => new AppError('wrong-password', text, { details: { error: text } }),
    });
    const passwordHash = await hashNewPassword(db.read, password, actor);
    await transactAccountsAs(db.write, actor, (tx, author) =>
      changePassword(tx, author, actor, passwordHash),
    );
    return { message: 'Password updated successfully' };
  });
}
