import { Buffer } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

/** A file of an archive; its text comes in pieces. */
export interface ZipEntry {
  name: string;
  content: AsyncIterable<string> | Iterable<string>;
}

interface Packed {
  name: Buffer;
  crc: number;
  packed: number;
  size: number;
  offset: number;
}

const VERSION = 20;
/** Sizes follow the content; names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATE = 8;
/** 1 January 1980, the first day that the format knows: nothing in an archive asks when it was packed. */
const DATE = 0x0021;
const DESCRIPTOR = 16;
/** Beyond it the format needs fields that are not written here. */
const GREATEST = 0xffff_ffff;

/**
 * An archive written as it is packed: nothing but the piece in hand is in memory, and the packing is done beside the
 * event loop. Sizes stand after each content, since they are not known before.
 */
export async function* zip(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const directory: Packed[] = [];
  let offset = 0;
  for await (const { name, content } of entries) {
    const entry: Packed = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, offset };
    const head = localHeader(entry);
    yield head;
    const deflate = createDeflateRaw();
    // What goes wrong in the content ends the loop below.
    pipeline(Readable.from(measured(content, entry)), deflate, () => {});
    for await (const piece of deflate as AsyncIterable<Buffer>) {
      entry.packed += piece.length;
      yield piece;
    }
    offset += head.length + entry.packed + DESCRIPTOR;
    if (Math.max(offset, entry.size) > GREATEST) throw new Error('The archive has grown too large.');
    yield descriptor(entry);
    directory.push(entry);
  }
  const central = Buffer.concat(directory.map(centralHeader));
  yield Buffer.concat([central, end(directory.length, central.length, offset)]);
}

async function* measured(content: ZipEntry['content'], entry: Packed): AsyncGenerator<Buffer> {
  for await (const text of content) {
    const piece = Buffer.from(text);
    entry.crc = crc32(piece, entry.crc);
    entry.size += piece.length;
    yield piece;
  }
}

function localHeader({ name }: Packed): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x0403_4b50, 0);
  writeCommon(head, 4);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, name]);
}

function descriptor({ crc, packed, size }: Packed): Buffer {
  const sizes = Buffer.alloc(DESCRIPTOR);
  sizes.writeUInt32LE(0x0807_4b50, 0);
  writeSizes(sizes, 4, { crc, packed, size });
  return sizes;
}

function centralHeader({ name, offset, ...sizes }: Packed): Buffer {
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x0201_4b50, 0);
  head.writeUInt16LE(VERSION, 4);
  writeCommon(head, 6);
  writeSizes(head, 16, sizes);
  head.writeUInt16LE(name.length, 28);
  head.writeUInt32LE(offset, 42);
  return Buffer.concat([head, name]);
}

function end(entries: number, length: number, offset: number): Buffer {
  const tail = Buffer.alloc(22);
  tail.writeUInt32LE(0x0605_4b50, 0);
  tail.writeUInt16LE(entries, 8);
  tail.writeUInt16LE(entries, 10);
  tail.writeUInt32LE(length, 12);
  tail.writeUInt32LE(offset, 16);
  return tail;
}

/** Version, flags, method, time and date stand alike in both headers. */
function writeCommon(head: Buffer, at: number): void {
  head.writeUInt16LE(VERSION, at);
  head.writeUInt16LE(FLAGS, at + 2);
  head.writeUInt16LE(DEFLATE, at + 4);
  head.writeUInt16LE(DATE, at + 8);
}

function writeSizes(
  head: Buffer,
  at: number,
  { crc, packed, size }: Pick<Packed, 'crc' | 'packed' | 'size'>,
) {
  head.writeUInt32LE(crc, at);
  head.writeUInt32LE(packed, at + 4);
  head.writeUInt32LE(size, at + 8);
}
