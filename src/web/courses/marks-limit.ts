import { ApiError } from '../api.ts';

const MOST_MIB = 32;
const TOO_LARGE = `The file must be at most ${MOST_MIB} MiB.`;

/**
 * Before anything is sent: the server would refuse the marks only after it has stored the course.
 *
 * @throws ApiError at the field of the file
 */
export function requireSendable(file: Pick<File, 'size'> | null): void {
  if (file === null || file.size <= MOST_MIB * 1024 * 1024) return;
  throw new ApiError(422, TOO_LARGE, { errors: { file: [TOO_LARGE] } });
}
