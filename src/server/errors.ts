/** Why a call is refused. Only the error handler in http/ knows the status codes. */
export type ErrorCode =
  | 'not-found'
  | 'forbidden'
  | 'wrong-password'
  | 'session-over'
  | 'conflict'
  | 'stale'
  | 'malformed'
  | 'too-many-attempts'
  | 'unavailable';

export class AppError extends Error {
  readonly refusal: ErrorCode;
  /** Members of the reply in addition to `message`. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined;

  constructor(
    refusal: ErrorCode,
    message: string,
    { details = {}, retryAfter }: { details?: Record<string, unknown>; retryAfter?: number } = {},
  ) {
    super(message);
    this.refusal = refusal;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

/** Invalid fields, each with its messages. */
export class ValidationError extends Error {
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Members of the reply in addition to `message` and `errors`. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(errors: Record<string, readonly string[]>, details: Record<string, unknown> = {}) {
    super('Some fields need attention.');
    this.errors = errors;
    this.details = details;
  }
}

export const invalidField = (field: string, text: string, details?: Record<string, unknown>) =>
  new ValidationError({ [field]: [text] }, details);

/** Message for a value that has to be unique. */
export const alreadyTaken = (field: string) => `The ${field.replaceAll('_', ' ')} has already been taken.`;

/** Refuses a change whose preview no longer holds, with the present one. */
export const stalePreview = (
  current: object,
  text = 'The records have changed since the preview. Look at it again.',
) => new AppError('stale', text, { details: { current } });

/**
 * A change that was previewed is made only as it was shown.
 *
 * @throws AppError stale, with the present preview, when it has another fingerprint
 */
export function requireSamePreview(
  current: { fingerprint: string },
  fingerprint: string,
  text?: string,
): void {
  if (current.fingerprint !== fingerprint) throw stalePreview(current, text);
}
