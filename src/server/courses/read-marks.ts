import { parseMarks } from '../../domain/marks.ts';
import { type MarksTally, tallyMarks } from '../../domain/statistics.ts';

/** Marks of one piece of the table: a quarter of a megabyte or so, written in well under a few milliseconds. */
const PIECE = 50_000;

export type ReadMarks =
  | { kind: 'marks'; tally: MarksTally; pieces: string[] }
  | { kind: 'refused' /** What follows "The marks " or "The file ". */; text: string };

const refused = (text: string): ReadMarks => ({ kind: 'refused', text });

/** Reads an upload: decodes a file, parses, counts, and cuts the marks into the pieces that are stored. */
export function readMarks(upload: string | Uint8Array): ReadMarks {
  const text = typeof upload === 'string' ? upload : decode(upload);
  if (text === undefined) return refused('must be text in UTF-8, or in UTF-16 with a byte order mark.');
  const { marks, faults, faultCount } = parseMarks(text);
  if (faultCount > 0) {
    const named = faults.map(({ line, cell, value }) => `line ${line}, cell ${cell}: "${value}"`).join('; ');
    const rest = faultCount > faults.length ? `; and ${faultCount - faults.length} more` : '';
    return refused(`must be numbers from 0 to 100. Not one: ${named}${rest}.`);
  }
  if (marks.length === 0) return refused('field is required.');
  const pieces: string[] = [];
  for (let start = 0; start < marks.length; start += PIECE) {
    pieces.push(JSON.stringify(marks.slice(start, start + PIECE)));
  }
  return { kind: 'marks', tally: tallyMarks(marks), pieces };
}

/** UTF-8 with or without a byte order mark, UTF-16 with one; undefined for anything else, a spreadsheet's archive included. */
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
