import type { RegisterInput, User } from '../../contract/accounts.ts';
import { isUnfinished } from '../db/copy/state.ts';
import { holdTable } from '../db/dialect.ts';
import type { Db, Tx } from '../db/schema.ts';
import { transact } from '../db/transact.ts';
import { AppError, invalid, TAKEN } from '../errors.ts';
import { recordChange } from '../history/record-change.ts';
import type { Registration, Settings } from '../settings.ts';
import { countTaken, requireMayRegister } from './attempts.ts';
import { hashPassword, passwordFault } from './passwords.ts';
import { countUsers, emailKey, isEmailTaken } from './queries.ts';

const NOT_COMPLETE = 'The records are being restored or copied here. Try again when that is done.';

/**
 * Makes an account. The first one on an empty database is the admin's, whatever the setting; of several at the same
 * time exactly one becomes it, since the table is held while the role is decided.
 *
 * @param address where the registration comes from; how often it is told of other accounts is limited
 */
export async function register(
  db: Db,
  { registration, loginLimit }: Pick<Settings, 'registration' | 'loginLimit'>,
  address: string,
  input: RegisterInput,
): Promise<User> {
  refuseUnlessAllowed(registration, input.email, { isFirst: (await countUsers(db)) === 0 });
  await requireMayRegister(db, address, loginLimit);
  // Told before the costly hash; decided once more below.
  if (await isEmailTaken(db, input.email)) {
    await countTaken(db, address, loginLimit);
    throw invalid('email', TAKEN('email'));
  }
  const fault = await passwordFault(input.password, input);
  if (fault !== undefined) throw invalid('password', `The password ${fault}`);
  const password_hash = await hashPassword(input.password);

  return transact(db, (tx) => insertAccount(tx, registration, { ...input, password_hash }));
}

/** Makes an account; the first one is the admin's. */
export async function insertAccount(
  tx: Tx,
  registration: Registration,
  { name, email, password_hash }: { name: string; email: string; password_hash: string },
): Promise<User> {
  await holdTable(tx, 'users');
  const isFirst = (await countUsers(tx)) === 0;
  refuseUnlessAllowed(registration, email, { isFirst });
  // There are none yet, or none any more: those to come are somebody else's.
  if (isFirst && (await isUnfinished(tx))) {
    throw new AppError('unavailable', NOT_COMPLETE, { retryAfter: 60 });
  }
  if (await isEmailTaken(tx, email)) throw invalid('email', TAKEN('email'));
  const user = await tx
    .insertInto('users')
    .values({
      name,
      email,
      email_key: emailKey(email),
      role: isFirst ? 'admin' : 'staff',
      password_hash,
      version: 1,
      created_at: new Date().toISOString(),
    })
    .returning(['id', 'name', 'email', 'role'])
    .executeTakeFirstOrThrow();
  await recordChange(tx, user, { action: 'create', entity: 'user', entityId: user.id, after: user });
  return user;
}

/** The first account can always be made; others as the setting says. */
export function refuseUnlessAllowed(
  registration: Registration,
  email: string,
  { isFirst }: { isFirst: boolean },
): void {
  if (isFirst || registration.kind === 'open') return;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (registration.kind === 'domains' && registration.domains.includes(domain)) return;
  throw new AppError(
    'forbidden',
    registration.kind === 'closed'
      ? 'Registration is closed. Ask an administrator for an account.'
      : `Registration is open to addresses of ${registration.domains.join(', ')} only.`,
  );
}
