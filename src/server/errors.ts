/** Why a call is refused, in the product's own terms; only http/ turns these into status numbers. */
export type Refusal =
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
  readonly refusal: Refusal;
  /** Further members of the answer beside `message`. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Seconds after which another try makes sense. */
  readonly retryAfter: number | undefined;

  constructor(
    refusal: Refusal,
    message: string,
    { details = {}, retryAfter }: { details?: Record<string, unknown>; retryAfter?: number } = {},
  ) {
    super(message);
    this.refusal = refusal;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

/** Fields that can't be accepted, each with its texts. */
export class InvalidFields extends Error {
  readonly errors: Readonly<Record<string, readonly string[]>>;

  constructor(errors: Record<string, readonly string[]>) {
    super('Some fields need attention.');
    this.errors = errors;
  }
}

export const invalid = (field: string, text: string) => new InvalidFields({ [field]: [text] });

/** The text for an id that is already in use. */
export const TAKEN = (field: string) => `The ${field.replaceAll('_', ' ')} has already been taken.`;
