/** The types and the size that the server accepts. Checked here only to save the upload. */
const TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp'];
const MAX_MIB = 5;

export const ACCEPTED_PICTURE_TYPES = TYPES.join(',');

/** @param subject what the picture is, e.g. `student portrait` */
export const pictureTooLargeText = (subject: string) => `The ${subject} must be at most ${MAX_MIB} MiB.`;

/** Why a file can't be sent as a picture, in the server's words; null if it can. */
export function validatePicture({ type, size }: Pick<File, 'type' | 'size'>, subject: string): string | null {
  if (!TYPES.includes(type)) {
    return `The ${subject} must be a JPEG, PNG or WebP picture of at most 40 megapixels.`;
  }
  return size > MAX_MIB * 1024 * 1024 ? pictureTooLargeText(subject) : null;
}
