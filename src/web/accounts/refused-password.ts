import { ApiError } from '../api.ts';
import { isSignedIn } from '../session.ts';

/** A wrong password as a refusal of its field; anything else as it is. The same status also says that the session is over. */
export function refusedPassword(error: unknown, field = 'password'): unknown {
  if (!(error instanceof ApiError) || error.status !== 401 || !isSignedIn()) return error;
  return new ApiError(422, error.message, { errors: { [field]: [error.error ?? error.message] } });
}
