export type UnicodeEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** The encoding that the byte order mark of a text names; undefined without one. */
export function byteOrderMark([first, second, third]: Uint8Array): UnicodeEncoding | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  return undefined;
}

/** The text of these bytes, without the byte order mark; undefined for bytes that are no such text. */
export function decodeText(bytes: Uint8Array, encoding: UnicodeEncoding): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
