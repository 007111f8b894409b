/** Pictures larger than this, in pixels, are refused before they are unpacked: a small file can hold a vast one. */
const MOST_PIXELS = 40_000_000;
/** Enough for a portrait printed at 35 × 45 mm and 500 dpi. */
const BOUNDS = { width: 700, height: 900 };

const ACCEPTED: readonly string[] = ['jpeg', 'png', 'webp'];

/**
 * Reads a JPEG, PNG or WebP picture and writes it anew as a JPEG without metadata, upright, at most 700 × 900.
 * Whatever else the file held (place, camera, a script behind the picture) is gone.
 *
 * @returns undefined when the bytes are no such picture or it is too large
 */
export async function reEncode(bytes: Buffer): Promise<Buffer | undefined> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  try {
    const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' });
    const { format } = await picture.metadata();
    if (!ACCEPTED.includes(format)) return undefined;
    return await picture
      .autoOrient()
      .resize({ ...BOUNDS, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 86, mozjpeg: true })
      .toBuffer();
  } catch {
    return undefined;
  }
}
