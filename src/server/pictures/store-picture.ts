import { createHash } from 'node:crypto';
import type { Db, Tx } from '../db/schema.ts';
import { invalid } from '../errors.ts';
import { reEncode } from './re-encode.ts';

/** Bytes of a picture as it is sent. */
export const PICTURE_BYTES = 5 * 1024 * 1024;

const PATH = '/api/pictures/';

/** A picture that is fit to be stored. */
export interface ReadyPicture {
  /** SHA-256 of its bytes: the same picture is stored once, and what an address shows never changes. */
  id: string;
  data: Buffer;
}

/** @throws InvalidFields on the field of the form */
export async function readPicture(field: string, upload: Buffer): Promise<ReadyPicture> {
  const data = await reEncode(upload);
  if (data === undefined) {
    throw invalid(field, `The ${field} must be a JPEG, PNG or WebP picture of at most 40 megapixels.`);
  }
  return { id: createHash('sha256').update(data).digest('hex'), data };
}

/** Stores the picture and answers its address. Pictures stay for good, as the history refers to them. */
export async function storePicture(tx: Tx, { id, data }: ReadyPicture): Promise<string> {
  await tx
    .insertInto('pictures')
    .values({ id, data })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return `${PATH}${id}`;
}

export async function findPicture(db: Db, id: string): Promise<Buffer<ArrayBuffer> | undefined> {
  if (!/^[0-9a-f]{64}$/.test(id)) return undefined;
  const row = await db.selectFrom('pictures').select('data').where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : Buffer.from(row.data);
}
