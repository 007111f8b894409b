import { createHash } from 'node:crypto';
import type { Db, Tx } from '../db/schema.ts';
import { invalidField } from '../errors.ts';

/** Larger pictures are refused before decoding: a small file can decode to gigabytes. */
const MAX_PIXELS = 40_000_000;
/** Enough for a portrait printed at 35 × 45 mm and 500 dpi. */
const MAX_SIZE = { width: 700, height: 900 };

const ACCEPTED: readonly string[] = ['jpeg', 'png', 'webp'];

/**
 * Re-encodes a JPEG, PNG or WebP picture as an upright JPEG of at most 700 × 900 pixels. Drops everything else in the file:
 * metadata such as location and camera, or a script appended to the picture.
 *
 * @returns undefined when the bytes are no such picture or it is too large
 */
async function reEncode(bytes: Buffer): Promise<Buffer | undefined> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  try {
    const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
    const { format } = await picture.metadata();
    if (!ACCEPTED.includes(format)) return undefined;
    return await picture
      .autoOrient()
      .resize({ ...MAX_SIZE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 86, mozjpeg: true })
      .toBuffer();
  } catch {
    return undefined;
  }
}

/** Largest upload. */
export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;

const PATH = '/api/pictures/';
const URL_PATTERN = /^\/api\/pictures\/([0-9a-f]{64})$/;

/** The id in the URL of a stored picture; undefined for any other text. */
export const findPictureId = (text: string | null): string | undefined =>
  text === null ? undefined : URL_PATTERN.exec(text)?.[1];

/** A re-encoded picture, ready to be stored. */
export interface ReadyPicture {
  /** SHA-256 of its bytes: equal pictures are stored once, and what a URL shows never changes. */
  id: string;
  data: Buffer;
}

/** @throws ValidationError on the field of the form */
export async function readPicture(field: string, upload: Buffer): Promise<ReadyPicture> {
  const data = await reEncode(upload);
  if (data === undefined) {
    throw invalidField(field, `The ${field} must be a JPEG, PNG or WebP picture of at most 40 megapixels.`);
  }
  return { id: createHash('sha256').update(data).digest('hex'), data };
}

/** Stores a picture and returns its URL. Pictures are never removed, since the history refers to them. */
export async function storePicture(tx: Tx, { id, data }: ReadyPicture): Promise<string> {
  await tx
    .insertInto('pictures')
    .values({ id, data })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return `${PATH}${id}`;
}

/** Finds the texts that are URLs of stored pictures which do not exist. */
export async function findMissingPictures(db: Db, texts: readonly (string | null)[]): Promise<Set<string>> {
  const ids = new Set(texts.map(findPictureId).filter((id) => id !== undefined));
  if (ids.size === 0) return new Set();
  const rows = await db
    .selectFrom('pictures')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  for (const { id } of rows) ids.delete(id);
  return new Set([...ids].map((id) => `${PATH}${id}`));
}

export async function findPicture(db: Db, id: string): Promise<Buffer<ArrayBuffer> | undefined> {
  if (!/^[0-9a-f]{64}$/.test(id)) return undefined;
  const row = await db.selectFrom('pictures').select('data').where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : Buffer.from(row.data);
}
