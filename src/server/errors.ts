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

  constructor(errors: Record<string, readonly string[]>) {
    super('Some fields need attention.');
    this.errors = errors;
  }
}

export const invalidField = (field: string, text: string) => new ValidationError({ [field]: [text] });

/** Message for a value that has to be unique. */
export const alreadyTaken = (field: string) => `The ${field.replaceAll('_', ' ')} has already been taken.`;
