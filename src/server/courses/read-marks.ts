import { parseMarks } from '../../domain/marks.ts';
import { type MarksTally, tallyMarks } from '../../domain/statistics.ts';

/** Marks per row of `course_marks`: about a quarter of a megabyte, written in a few milliseconds. */
const PIECE_SIZE = 50_000;

export type ReadMarks =
  | { kind: 'marks'; tally: MarksTally; pieces: string[] }
  | { kind: 'refused' /** Continues "The marks …" or "The file …". */; text: string };

const refused = (text: string): ReadMarks => ({ kind: 'refused', text });

/** Decodes and parses an upload, computes its statistics and splits the marks into the pieces that are stored. */
export function readMarks(upload: string | Uint8Array): ReadMarks {
  const text = typeof upload === 'string' ? upload : decode(upload);
  if (text === undefined) return refused('must be text in UTF-8, or in UTF-16 with a byte order mark.');
  const { marks, faults, faultCount } = parseMarks(text);
  if (faultCount > 0) {
    const listed = faults.map(({ line, cell, value }) => `line ${line}, cell ${cell}: "${value}"`).join('; ');
    const rest = faultCount > faults.length ? `; and ${faultCount - faults.length} more` : '';
    return refused(`must be numbers from 0 to 100. Not one: ${listed}${rest}.`);
  }
  if (marks.length === 0) return refused('field is required.');
  const pieces: string[] = [];
  for (let start = 0; start < marks.length; start += PIECE_SIZE) {
    pieces.push(JSON.stringify(marks.slice(start, start + PIECE_SIZE)));
  }
  return { kind: 'marks', tally: tallyMarks(marks), pieces };
}

/** UTF-8 with or without a byte order mark, UTF-16 with one; undefined for anything else, such as the ZIP archive of a workbook. */
function decode(bytes: Uint8Array): string | undefined {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;
  if (isArchive) return undefined;
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
