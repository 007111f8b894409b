import { signInCalls } from '../../../contract/accounts/sign-in.ts';
import type { App, Deps } from '../../app-types.ts';
import { AppError, invalidField } from '../../errors.ts';
import { transact } from '../../history/transaction.ts';
import { bindCalls } from '../../http/handle.ts';
import { verifyPassword } from '../credentials/hash.ts';
import { countSignIn } from '../credentials/login-throttle.ts';
import { findUserByEmail, hasSecondFactor } from '../queries.ts';
import { checkCode } from '../two-factor/two-factor.ts';
import { accountPending } from '../users/approval.ts';
import { getOrigin, signIn } from './sign-in.ts';

/** The same for a wrong password and a wrong code, so that it does not reveal which of them was wrong. */
const wrongCredentials = () => new AppError('wrong-password', 'Invalid Creditentials.');

/** Needs no sign-in. */
export function loginRoute(app: App, deps: Deps): void {
  const { db, settings } = deps;
  bindCalls(app, signInCalls)('POST /api/login', async ({ body, request }) => {
    const { email, password, code } = body;
    const attempt = await countSignIn(db.write, email, request.ip, settings.loginLimit);
    const user = await findUserByEmail(db.read, email);
    const isRight = await verifyPassword(user, password);
    // A locked account is refused like a wrong password, after the same time, so that the reply does not reveal the lock.
    if (!isRight || user === undefined || user.locked_at !== null) {
      request.log.warn({ userId: user?.id, ip: request.ip }, 'sign-in failed');
      throw wrongCredentials();
    }
    if (user.waiting_for !== null) {
      await attempt.undo();
      throw accountPending(user.waiting_for);
    }
    const withCode = await hasSecondFactor(db.read, user.id);
    if (withCode) {
      if (code === null) {
        await attempt.undo();
        throw invalidField('code', 'The code field is required.');
      }
      if (!(await checkCode(deps, request.log, user, code))) {
        request.log.warn({ userId: user.id, ip: request.ip }, 'sign-in failed: code');
        throw wrongCredentials();
      }
    }
    const token = await transact(db.write, (tx) =>
      signIn(tx, { ...user, withCode }, settings.session, getOrigin(request)),
    );
    if (token === undefined) throw wrongCredentials();
    await attempt.succeeded();
    request.log.info({ userId: user.id, ip: request.ip }, 'signed in');
    return { token, user, message: 'Signed in.' };
  });
}
