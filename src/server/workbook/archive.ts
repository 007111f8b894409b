/** Signatures and fields of the ZIP format (APPNOTE.TXT, 4.3.12 and 4.3.16). */
const DIRECTORY_ENTRY = { signature: 0x02014b50, length: 46 } as const;
const DIRECTORY_END = { signature: 0x06054b50, length: 22 } as const;
const MAX_COMMENT_BYTES = 0xffff;
const SIZES_FOLLOW_CONTENT = 8;

/** Sizes of the unpacked parts together; a sheet of 100,000 rows and ten columns has about 60 MiB. */
const MAX_UNPACKED_BYTES = 128 * 1024 * 1024;
const MAX_ENTRIES = 10_000;

/** The parts with sheets, texts and cell formats; not drawings, comments, pictures, pivot tables or macros. */
const NEEDED =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/(?:_rels\/)?(?:workbook|sharedStrings|styles)\d*\.xml(?:\.rels)?|xl\/worksheets\/[^/]+\.xml)$/i;

/** Why a file can't be read as a workbook, as the end of "The file …". */
export class UnreadableWorkbook extends Error {}
/** The workbook is in order, but has no sheet of the name that was asked for. */
export class MissingSheet extends UnreadableWorkbook {}

const notAWorkbook = () => new UnreadableWorkbook('must be a workbook in the XLSX format.');

export const isArchive = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;

/**
 * The same archive with a directory of the needed parts only. The sizes in the directory are what the reader of the archive
 * holds each part to, so that parts that unpack to gigabytes are refused before anything is unpacked.
 *
 * @throws UnreadableWorkbook
 */
export function keepNeededParts(archive: Uint8Array): Uint8Array {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > MAX_ENTRIES) throw notAWorkbook();
  const kept: Buffer[] = [];
  let unpacked = 0;
  let at = bytes.readUInt32LE(end + 16);
  for (let i = 0; i < count; i += 1) {
    const entry = readEntry(bytes, at);
    at += entry.bytes.length;
    if (!NEEDED.test(entry.name)) continue;
    unpacked += entry.unpacked;
    kept.push(entry.bytes);
  }
  if (unpacked > MAX_UNPACKED_BYTES) throw new UnreadableWorkbook('is too large when it is unpacked.');
  const directory = Buffer.concat(kept);
  return Buffer.concat([bytes, directory, directoryEnd(kept.length, directory.length, bytes.length)]);
}

function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - DIRECTORY_END.length - MAX_COMMENT_BYTES);
  for (let at = bytes.length - DIRECTORY_END.length; at >= first; at -= 1) {
    if (bytes.readUInt32LE(at) === DIRECTORY_END.signature) return at;
  }
  throw notAWorkbook();
}

function readEntry(bytes: Buffer, at: number) {
  const { signature, length } = DIRECTORY_ENTRY;
  if (at + length > bytes.length || bytes.readUInt32LE(at) !== signature) throw notAWorkbook();
  const nameLength = bytes.readUInt16LE(at + 28);
  const end = at + length + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  if (end > bytes.length) throw notAWorkbook();
  const name = bytes.toString('utf8', at + length, at + length + nameLength);
  const [packed, unpacked] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
  const hasSizes = packed > 0 || (bytes.readUInt16LE(at + 8) & SIZES_FOLLOW_CONTENT) === 0;
  // Without its sizes in the directory, a part could unpack to any size.
  if (NEEDED.test(name) && (!hasSizes || (packed > 0 && unpacked === 0))) throw notAWorkbook();
  return { name, unpacked, bytes: bytes.subarray(at, end) };
}

function directoryEnd(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(DIRECTORY_END.length);
  end.writeUInt32LE(DIRECTORY_END.signature, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
