import { signInCalls } from '../../../contract/accounts/sign-in.ts';
import type { App, Deps } from '../../app-types.ts';
import { invalidField } from '../../errors.ts';
import { bindCalls } from '../../http/handle.ts';
import { transactAccountsAs } from '../../http/transact-as.ts';
import { confirmPassword } from '../credentials/confirm-password.ts';
import { countConfirmation } from '../credentials/login-throttle.ts';
import { requireUser } from '../queries.ts';
import {
  beginSecondFactor,
  checkCode,
  confirmSecondFactor,
  findSecondFactor,
  removeSecondFactor,
  resetSecondFactor,
} from './two-factor.ts';

const wrongCode = () =>
  invalidField('code', 'The code is not valid. Each is good once, and for half a minute.');

/** They may be made before two-factor authentication is set up that the role requires. */
const TO_SET_UP = { config: { beforeSecondFactor: true } } as const;

/** Codes of an authenticator app, in addition to the password. */
export function secondFactorRoutes(app: App, deps: Deps): void {
  const { db, settings, secrets } = deps;
  const handle = bindCalls(app, signInCalls);

  handle('GET /api/sign-in-methods', TO_SET_UP, async ({ actor }) => ({
    second_factor: await findSecondFactor(db.read, actor.id),
  }));

  handle('POST /api/second-factor', TO_SET_UP, async ({ body, actor }) => {
    await confirmPassword(deps, actor, body.password);
    const setup = await transactAccountsAs(db.write, actor, (tx) => beginSecondFactor(tx, secrets, actor));
    return { ...setup, message: 'Enter a code of the app to finish.' };
  });

  handle('POST /api/second-factor/confirm', TO_SET_UP, async ({ body, actor }) => {
    const attempt = await countConfirmation(db.write, actor, settings.loginLimit);
    const codes = await transactAccountsAs(db.write, actor, (tx, author) =>
      confirmSecondFactor(tx, secrets, author, actor, body.code),
    );
    if (codes === undefined) throw wrongCode();
    await attempt.succeeded();
    return { recovery_codes: codes, message: 'From now on a code is asked for when you sign in.' };
  });

  handle('POST /api/second-factor/remove', async ({ body: { password, code }, actor, request }) => {
    await confirmPassword(deps, actor, password, {
      alsoConfirm: async () => {
        if (!(await checkCode(deps, request.log, actor, code))) throw wrongCode();
      },
    });
    await transactAccountsAs(db.write, actor, (tx, author) => removeSecondFactor(tx, author, actor.id));
    return { message: 'Two-factor authentication has been turned off.' };
  });

  handle('POST /api/users/:id/reset-second-factor', async ({ params: { id }, body, actor }) => {
    await confirmPassword(deps, actor, body.password);
    await requireUser(db.read, id);
    await transactAccountsAs(db.write, actor, (tx, author) => resetSecondFactor(tx, author, id));
    return { message: 'Two-factor authentication has been turned off.' };
  });
}
