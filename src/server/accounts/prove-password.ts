import type { Deps } from '../app-types.ts';
import { AppError } from '../errors.ts';
import type { Actor } from './actor.ts';
import { countAttempt } from './attempts.ts';
import { isPasswordOf } from './passwords.ts';
import { emailKey, findUser } from './queries.ts';

interface ProofOptions {
  refusal?: () => AppError;
  /** Refuses by throwing what else has to be proved; that counts as a failure, too. */
  further?: () => Promise<void>;
}

/** Proves the actor's own password, counted like a sign-in. */
export async function requirePassword(
  { db, settings }: Deps,
  actor: Actor,
  address: string,
  password: string,
  {
    refusal = () => new AppError('wrong-password', 'Incorrect password entered'),
    further,
  }: ProofOptions = {},
): Promise<void> {
  const attempt = await countAttempt(db.write, emailKey(actor.email), address, settings.loginLimit);
  if (!(await isPasswordOf(await findUser(db.read, actor.id), password))) throw refusal();
  await further?.();
  await attempt.succeeded();
}
