import { createInflateRaw } from 'node:zlib';

/** Signatures and fields of the ZIP format (APPNOTE.TXT, 4.3.12 and 4.3.16). */
const DIRECTORY_ENTRY = { signature: 0x02014b50, length: 46 } as const;
const DIRECTORY_END = { signature: 0x06054b50, length: 22 } as const;
const MAX_COMMENT_BYTES = 0xffff;
const LOCAL_HEADER_LENGTH = 30;
const STORED = 0;
const DEFLATED = 8;

/** Sizes of the parts together that are unpacked; a sheet of 100,000 rows and ten columns has about 60 MiB. */
const MAX_UNPACKED_BYTES = 128 * 1024 * 1024;
const MAX_ENTRIES = 10_000;

/** The parts with sheets, texts and cell formats; not drawings, comments, pictures, pivot tables or macros. */
const NEEDED =
  /^(?:_rels\/\.rels|xl\/(?:_rels\/)?(?:workbook|sharedStrings|styles)\d*\.xml(?:\.rels)?|xl\/worksheets\/[^/]+\.xml)$/i;

/** Why a file can't be read as a workbook, as the end of "The file …". */
export class UnreadableWorkbook extends Error {}
/** The workbook is in order, but has no sheet of the name that was asked for. */
export class MissingSheet extends UnreadableWorkbook {}

const NOT_A_WORKBOOK = 'must be a workbook in the XLSX format, without a password.';
export const tooLarge = () => new UnreadableWorkbook('is too large when it is unpacked.');
export const notAWorkbook = () => new UnreadableWorkbook(NOT_A_WORKBOOK);

export const isArchive = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;

/** Bytes that are unpacked at a time. */
const PIECE_BYTES = 64 * 1024;

/** A part of an archive. Its sizes are those of the directory. */
interface Entry {
  start: number;
  packed: number;
  unpacked: number;
  isDeflated: boolean;
}

/** The parts of a workbook. Only those are unpacked that are asked for, a piece at a time. */
export class Archive {
  readonly #bytes: Buffer;
  readonly #entries = new Map<string, Entry>();
  #left = MAX_UNPACKED_BYTES;

  /** @throws UnreadableWorkbook */
  constructor(archive: Uint8Array) {
    this.#bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
    const end = findEnd(this.#bytes);
    const count = this.#bytes.readUInt16LE(end + 10);
    if (count > MAX_ENTRIES) throw notAWorkbook();
    let at = this.#bytes.readUInt32LE(end + 16);
    for (let i = 0; i < count; i += 1) {
      const { name, length, entry } = readEntry(this.#bytes, at);
      at += length;
      if (!NEEDED.test(name)) continue;
      if (entry.unpacked > MAX_UNPACKED_BYTES) throw tooLarge();
      this.#entries.set(name, entry);
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * The text of a part, in pieces.
   *
   * @throws UnreadableWorkbook when there is no such part, when it is longer than it says, or when too much has been unpacked
   */
  async *readText(name: string): AsyncGenerator<string> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw notAWorkbook();
    const { unpacked } = entry;
    if (unpacked > this.#left) throw tooLarge();
    this.#left -= unpacked;
    const decoder = new TextDecoder();
    let length = 0;
    for await (const piece of this.#unpack(entry)) {
      length += piece.length;
      if (length > unpacked) throw notAWorkbook();
      yield decoder.decode(piece, { stream: true });
    }
    if (length < unpacked) throw notAWorkbook();
    yield decoder.decode();
  }

  async *#unpack({ start, packed, isDeflated }: Entry): AsyncGenerator<Buffer> {
    const data = this.#bytes.subarray(start, start + packed);
    if (!isDeflated) {
      yield data;
      return;
    }
    const inflate = createInflateRaw({ chunkSize: PIECE_BYTES });
    inflate.end(data);
    try {
      for await (const piece of inflate) yield piece;
    } catch (cause) {
      throw new UnreadableWorkbook(NOT_A_WORKBOOK, { cause });
    }
  }
}

function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - DIRECTORY_END.length - MAX_COMMENT_BYTES);
  for (let at = bytes.length - DIRECTORY_END.length; at >= first; at -= 1) {
    if (bytes.readUInt32LE(at) === DIRECTORY_END.signature) return at;
  }
  throw notAWorkbook();
}

/** @param at where the entry of the directory begins */
function readEntry(bytes: Buffer, at: number): { name: string; length: number; entry: Entry } {
  const { signature, length } = DIRECTORY_ENTRY;
  if (at + length > bytes.length || bytes.readUInt32LE(at) !== signature) throw notAWorkbook();
  const nameLength = bytes.readUInt16LE(at + 28);
  const end = at + length + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  if (end > bytes.length) throw notAWorkbook();
  const [packed, unpacked] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
  const header = bytes.readUInt32LE(at + 42);
  if (header + LOCAL_HEADER_LENGTH > bytes.length) throw notAWorkbook();
  const start =
    header + LOCAL_HEADER_LENGTH + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
  const method = bytes.readUInt16LE(at + 10);
  if (start + packed > bytes.length || (method !== STORED && method !== DEFLATED)) throw notAWorkbook();
  return {
    name: bytes.toString('utf8', at + length, at + length + nameLength),
    length: end - at,
    entry: { start, packed, unpacked, isDeflated: method === DEFLATED },
  };
}
