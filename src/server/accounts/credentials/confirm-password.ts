import type { Deps } from '../../app-types.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { findUser } from '../queries.ts';
import { verifyPassword } from './hash.ts';
import { countConfirmation } from './login-throttle.ts';

interface ConfirmOptions {
  refusal?: () => AppError;
  /** Runs after the password; what it throws counts as a failed attempt too. */
  alsoConfirm?: () => Promise<void>;
}

/**
 * Confirms the actor's own password. Failed attempts are limited per session.
 *
 * @throws AppError wrong-password (or `refusal`), too-many-attempts
 */
export async function confirmPassword(
  { db, settings }: Deps,
  actor: Actor,
  password: string,
  {
    refusal = () => new AppError('wrong-password', 'Incorrect password entered'),
    alsoConfirm,
  }: ConfirmOptions = {},
): Promise<void> {
  const attempt = await countConfirmation(db.write, actor, settings.loginLimit);
  if (!(await verifyPassword(await findUser(db.read, actor.id), password))) throw refusal();
  await alsoConfirm?.();
  await attempt.succeeded();
}
