import type { Deps } from '../../app-types.ts';
import { AppError, invalidField } from '../../errors.ts';
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

/** Time after a sign-in in which it is as good as a password. */
const RECENT_MS = 10 * 60_000;

/**
 * Confirms that the actor is who signed in, by their own password or by having signed in lately: people who use single sign-on
 * know no password here.
 *
 * @throws AppError wrong-password, too-many-attempts; ValidationError when the password is missing
 */
export async function confirmRecently(deps: Deps, actor: Actor, password: string | null): Promise<void> {
  if (password !== null) return confirmPassword(deps, actor, password);
  const session = await deps.db.read
    .selectFrom('sessions')
    .select('created_at')
    .where('token_hash', '=', actor.tokenHash)
    .executeTakeFirst();
  const earliest = new Date(Date.now() - RECENT_MS).toISOString();
  if (session === undefined || session.created_at < earliest)
    throw invalidField('password', 'Enter your current password: you signed in more than ten minutes ago.');
}
