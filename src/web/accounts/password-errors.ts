import type { FieldErrors } from '../forms/use-draft-form.ts';

const MISMATCH = 'The password confirmation does not match.';

/** The mismatch comes with the password, but it is the confirmation that is to be typed again. */
export function passwordErrors(errors: FieldErrors) {
  const isMismatch = errors.password === MISMATCH;
  return {
    password: isMismatch ? undefined : errors.password,
    confirmation: isMismatch ? MISMATCH : errors.password_confirmation,
    isMismatch,
  };
}
