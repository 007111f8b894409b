import { ApiError } from '../api.ts';

/** The server refuses every semester but the next one to record. */
export function isOtherSemester(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 422 && error.errors.semester !== undefined;
}
