/**
 * Control characters (C0, DEL and C1). Terminals interpret some of them, so a text with one could change what an
 * administrator sees.
 */
const CONTROL = /\p{Cc}/u;
/** Without tab, line feed and carriage return, which are allowed in a text of several lines. */
const CONTROL_IN_LINES = /(?![\t\n\r])\p{Cc}/u;

export const hasControlCharacters = (text: string): boolean => CONTROL.test(text);
export const hasControlCharactersInLines = (text: string): boolean => CONTROL_IN_LINES.test(text);

/** Characters that are not seen: white space, soft hyphens, zero-width ones, the blank of Braille and the like. */
const UNSEEN = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether nothing of a text is seen. */
export function isBlankText(text: string): boolean {
  const first = text.charCodeAt(0);
  // Most texts begin with a letter or digit of ASCII, and every field of every row is looked at.
  return !(first > 0x20 && first < 0x7f) && UNSEEN.test(text);
}

/**
 * Control characters, line and paragraph separators, and characters that change the direction of the text after them
 * (embeddings, overrides, isolates), which would reorder the rest of a line on a terminal.
 */
const UNSAFE = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** A text as one line that is safe to print: unsafe characters become escapes such as `\u001b`, which JSON decodes. */
export const escapeUnsafeCharacters = (text: string): string =>
  text.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
