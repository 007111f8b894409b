import type { FieldErrors } from '../forms/use-draft-form.ts';
import { ApiError } from '../lib/api.ts';
import { isSignedIn } from '../lib/session.ts';

const MISMATCH = 'The password confirmation does not match.';

/** The server reports a mismatch at the password, but it belongs at the confirmation. */
export function passwordErrors(errors: FieldErrors) {
  const isMismatch = errors.password === MISMATCH;
  return {
    password: isMismatch ? undefined : errors.password,
    confirmation: isMismatch ? MISMATCH : errors.password_confirmation,
    isMismatch,
  };
}

/** For `catch`: turns a 401 for a wrong password into a field error. Not when the session has ended, which is a 401 as well. */
export const refuseAt =
  (field: string) =>
  (error: unknown): never => {
    if (!(error instanceof ApiError) || error.status !== 401 || !isSignedIn()) throw error;
    throw new ApiError(422, error.message, { errors: { [field]: [error.error ?? error.message] } });
  };
