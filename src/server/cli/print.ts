import { escapeUnsafeCharacters } from '../../domain/control-characters.ts';

/** Writes a line to standard output. It may contain user input, so terminal control characters are escaped. */
export function print(line: string): void {
  console.log(escapeUnsafeCharacters(line));
}

/** Escapes a text of several lines, such as a list of errors. */
export const escapeLines = (text: string): string => text.split('\n').map(escapeUnsafeCharacters).join('\n');
