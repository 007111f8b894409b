/** Crockford's alphabet: without I, L, O and U, which are mistaken for others or make words. Five bits a character. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Random bytes of a hand code: 120 bits. */
export const HAND_CODE_BYTES = 15;
/** Characters of a hand code: of new ones, and of those on documents that were issued by the first versions. */
const HAND_CODE_LENGTHS = [24, 16] as const;

/** The code that stands on a document to be typed by hand: 24 characters for 15 bytes. */
export function toHandCode(bytes: Uint8Array): string {
  let bits = 0;
  let pending = 0;
  let code = '';
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) code += ALPHABET[(pending >> (bits - 5)) & 31];
    pending &= (1 << bits) - 1;
  }
  return code;
}

/** A code in groups of four, as it is printed. */
export const groupHandCode = (code: string): string => code.match(/.{1,4}/g)?.join('-') ?? '';

/**
 * A typed code as it is stored: in capitals, without spaces and dashes, with the characters that look like those of the
 * alphabet replaced. Undefined if it can't be one.
 */
export function readHandCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  if (!HAND_CODE_LENGTHS.some((length) => length === code.length)) return undefined;
  return [...code].every((character) => ALPHABET.includes(character)) ? code : undefined;
}
