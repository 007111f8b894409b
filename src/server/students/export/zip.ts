import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file of an archive, with its content in chunks. */
export interface ZipEntry {
  name: string;
  content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
}

/** A fixed time, the earliest that the format allows, so that equal contents make equal archives. */
const OPTIONS = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

/**
 * An archive, written while it is read: the next entry is requested once the last one is packed, and the next chunk once the
 * reader has consumed the packed ones. Compression runs in the thread pool.
 */
export async function* zip(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const archive = new ZipFile();
  const output = archive.outputStream.pipe(new PassThrough());
  let content: Readable | undefined;
  const add = async () => {
    for await (const entry of entries) {
      content = Readable.from(entry.content, { objectMode: false });
      archive.addReadStream(content, entry.name, OPTIONS);
      await finished(content);
    }
    archive.end();
  };
  const added = add().catch((error: Error) => {
    output.destroy(error);
  });
  try {
    yield* output;
  } finally {
    content?.destroy();
    await added;
  }
}
