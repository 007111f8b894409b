import { type AbsentRule, absentText, markFaultPlace, parseMarks } from '../../domain/marks.ts';
import { type MarksTally, tallyMarks } from '../../domain/statistics.ts';

/** Marks per row of `course_marks`: about a quarter of a megabyte, written in a few milliseconds. */
const PIECE_SIZE = 50_000;

export type ReadMarks =
  | { kind: 'marks'; tally: MarksTally; pieces: string[] }
  | { kind: 'refused' /** Continues "The marks …" or "The file …". */; text: string };

export interface MarksUpload {
  /** Text, or a file with text. */
  content: string | Uint8Array;
  absent?: AbsentRule;
  /** Whether lines and cells are rows and columns of a sheet. */
  isSheet?: boolean;
}

const refused = (text: string): ReadMarks => ({ kind: 'refused', text });

/** Decodes and parses an upload, computes its statistics and splits the marks into the pieces that are stored. */
export function readMarks({ content, absent: rule, isSheet = false }: MarksUpload): ReadMarks {
  const text = typeof content === 'string' ? content : decode(content);
  if (text === undefined) {
    return refused('must be a workbook (XLSX), or text in UTF-8 or in UTF-16 with a byte order mark.');
  }
  const { marks, faults, faultCount, absent } = parseMarks(text, rule);
  if (faultCount > 0) {
    const listed = faults.map((fault) => `${markFaultPlace(fault, isSheet)}: "${fault.value}"`).join('; ');
    const rest = faultCount > faults.length ? `; and ${faultCount - faults.length} more` : '';
    const leaveOut = absent.rows > 0 ? ` ${absentText(absent)}; these can be left out.` : '';
    return refused(`must be numbers from 0 to 100. Not one: ${listed}${rest}.${leaveOut}`);
  }
  if (marks.length === 0) return refused('field is required.');
  return { kind: 'marks', tally: tallyMarks(marks), pieces: toPieces(marks) };
}

/** Marks as they are stored. */
export function toPieces(marks: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < marks.length; start += PIECE_SIZE) {
    pieces.push(JSON.stringify(marks.slice(start, start + PIECE_SIZE)));
  }
  return pieces;
}

/** UTF-8 with or without a byte order mark, UTF-16 with one; undefined for anything else. */
function decode(bytes: Uint8Array): string | undefined {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
