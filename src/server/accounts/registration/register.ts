import type { PendingReason, RegisterInput, User } from '../../../contract/accounts/accounts.ts';
import { hasUnfinishedCopy } from '../../db/copy-marker.ts';
import { lockTable } from '../../db/dialect/locks.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { AppError, alreadyTaken, invalidField } from '../../errors.ts';
import type { Registration } from '../../settings/environment.ts';
import type { Settings } from '../../settings/settings.ts';
import { requireAcceptablePassword } from '../credentials/acceptable-password.ts';
import { hashPassword } from '../credentials/hash.ts';
import {
  countEmailTaken,
  countPendingRegistration,
  requireRegistrationAllowed,
} from '../credentials/login-throttle.ts';
import { hasUsers, isEmailTaken } from '../queries.ts';
import { insertUser } from '../users/create-user.ts';

/** An account to be registered, with its password checked and hashed. */
interface Registrant {
  name: string;
  email: string;
  password_hash: string;
  /** The email is known to belong to the person. */
  isVerified: boolean;
}

/**
 * Checks a registration and hashes its password, before the transaction. What may change until then is checked again by
 * {@link registerUser}.
 *
 * @param address of the client; limits how often it learns that an account exists
 * @throws AppError forbidden or too-many-attempts, ValidationError
 */
export async function prepareRegistration(
  db: Db,
  { registration, loginLimit }: Pick<Settings, 'registration' | 'loginLimit'>,
  address: string,
  input: RegisterInput,
): Promise<Registrant> {
  const isFirst = !(await hasUsers(db));
  requireRegistrationOpen(registration, input.email, { isFirst });
  await requireRegistrationAllowed(db, address, loginLimit);
  if (await isEmailTaken(db, input.email)) {
    await countEmailTaken(db, address, loginLimit);
    throw invalidField('email', alreadyTaken('email'));
  }
  await requireAcceptablePassword(db, input.password, input);
  if (getPendingReason(registration, { isFirst, isVerified: false }) !== null) {
    await countPendingRegistration(db, address, loginLimit);
  }
  const { name, email } = input;
  return { name, email, password_hash: await hashPassword(input.password), isVerified: false };
}

/**
 * Creates the account of a person who registers. The first one becomes an administrator, regardless of the setting; the lock of
 * the table makes that exactly one of several concurrent registrations.
 *
 * @returns the account, and what has to happen before its first sign-in
 * @throws AppError forbidden or unavailable, ValidationError
 */
export async function registerUser(
  tx: Tx,
  registration: Registration,
  { isVerified, ...account }: Registrant,
): Promise<{ user: User; waiting_for: PendingReason | null }> {
  await lockTable(tx, 'users');
  const isFirst = !(await hasUsers(tx));
  requireRegistrationOpen(registration, account.email, { isFirst });
  // During a copy the existing accounts may still be missing, so the first to register must not become administrator.
  if (isFirst && (await hasUnfinishedCopy(tx))) {
    throw new AppError(
      'unavailable',
      'The records are being restored or copied here. Try again when that is done.',
      { retryAfter: 60 },
    );
  }
  const waiting_for = getPendingReason(registration, { isFirst, isVerified });
  const role = isFirst ? 'admin' : 'staff';
  return { user: await insertUser(tx, undefined, { ...account, role, waiting_for }), waiting_for };
}

/** The first account is never pending: there is no administrator to approve it, and perhaps no mail server yet. */
function getPendingReason(
  { kind }: Registration,
  { isFirst, isVerified }: { isFirst: boolean; isVerified: boolean },
): PendingReason | null {
  if (isFirst) return null;
  if (kind === 'approval') return 'approval';
  return kind === 'domains' && !isVerified ? 'verification' : null;
}

/** The first account can always be registered, others as the setting allows. @throws AppError forbidden */
export function requireRegistrationOpen(
  registration: Registration,
  email: string,
  { isFirst }: { isFirst: boolean },
): void {
  if (isFirst || registration.kind === 'open' || registration.kind === 'approval') return;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (registration.kind === 'domains' && registration.domains.includes(domain)) return;
  throw new AppError(
    'forbidden',
    registration.kind === 'closed'
      ? 'Registration is closed. Ask an administrator for an account.'
      : `Registration is open to addresses of ${registration.domains.join(', ')} only.`,
  );
}
