/** What the server takes as a picture; it has the last word, this saves the way there. */
const TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp'];
const MOST_MIB = 5;

export const PICTURE_TYPES = TYPES.join(',');

/** @param subject what the picture is, e.g. `student portrait` */
export const pictureTooLarge = (subject: string) => `The ${subject} must be at most ${MOST_MIB} MiB.`;

/** Why a file can't be sent as a picture, in the server's words; null when nothing speaks against it. */
export function pictureFault({ type, size }: Pick<File, 'type' | 'size'>, subject: string): string | null {
  if (!TYPES.includes(type)) {
    return `The ${subject} must be a JPEG, PNG or WebP picture of at most 40 megapixels.`;
  }
  return size > MOST_MIB * 1024 * 1024 ? pictureTooLarge(subject) : null;
}
