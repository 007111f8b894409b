import type { FastifyBaseLogger } from 'fastify';
import type { Deps } from '../app-types.ts';
import type { Mail, Mailer } from '../mail.ts';
import { ALARMING_FAILURES, MOST_FAILURES, spendCode } from './second-factor.ts';

interface Owner {
  id: number;
  name: string;
  email: string;
}

/**
 * Whether a code is the account's, which is used up by this. Whoever is asked for one has proved the password, so the owner is written
 * to when wrong ones follow each other; nobody waits for that mail.
 */
export async function checkCode(
  { db, mailer }: Pick<Deps, 'db' | 'mailer'>,
  log: Pick<FastifyBaseLogger, 'error'>,
  owner: Owner,
  code: string,
): Promise<boolean> {
  const { isRight, failures } = await spendCode(db.write, owner, code);
  const isAlarming = failures === ALARMING_FAILURES || failures === MOST_FAILURES;
  if (!isRight && isAlarming && mailer !== undefined) {
    mailer
      .send(warning(owner, failures, mailer))
      .catch((err: unknown) => log.error({ err }, 'warning of wrong codes not sent'));
  }
  return isRight;
}

const warning = ({ email }: Owner, failures: number, { publicUrl }: Mailer): Mail => ({
  to: email,
  subject: 'Wrong codes for your account',
  text: `${failures} wrong codes in a row have been entered for your account in the Student Information Management System, by somebody who knows your password.${
    failures === MOST_FAILURES ? ' No code of your app is taken any more, only a recovery code.' : ''
  }\n\nIf that was not you, set another password on your profile:\n${new URL('/list-users#password', publicUrl)}\n`,
});
