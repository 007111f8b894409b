import {
  absentText,
  columnText,
  type LeftOutLine,
  type MarksOptions,
  markFaultPlace,
  type ParsedMarks,
  parseMarks,
} from '../../domain/marks.ts';
import { type MarksTally, tallyMarks } from '../../domain/statistics.ts';
import { byteOrderMark, decodeText } from '../decode-text.ts';

/** Marks per row of `course_marks`: about a quarter of a megabyte, written in a few milliseconds. */
const PIECE_SIZE = 50_000;
/** Columns that are named; a sheet may have hundreds. */
export const MAX_NAMED_COLUMNS = 20;

export type ReadMarks =
  | { kind: 'marks'; tally: MarksTally; pieces: string[]; leftOut: LeftOutLine[] }
  | {
      kind: 'refused';
      /** Continues "The marks …" or "The file …". */
      text: string;
    }
  | AskedMarks;

/** It is not certain how the marks are read. */
interface AskedMarks {
  kind: 'asked';
  field: 'columns' | 'column' | 'decimal';
  text: string;
}

export interface MarksUpload extends MarksOptions {
  /** Text, or a file with text. */
  content: string | Uint8Array;
  /** Whether lines and cells are rows and columns of a sheet. */
  isSheet?: boolean;
}

const refused = (text: string): ReadMarks => ({ kind: 'refused', text });

/** Decodes and parses an upload, computes its statistics and splits the marks into the pieces that are stored. */
export function readMarks({ content, isSheet = false, ...options }: MarksUpload): ReadMarks {
  const text = typeof content === 'string' ? content : decodeText(content, byteOrderMark(content) ?? 'utf-8');
  if (text === undefined) {
    return refused('must be a workbook (XLSX), or text in UTF-8 or in UTF-16 with a byte order mark.');
  }
  const parsed = parseMarks(text, options);
  if (parsed.isAsking) return { kind: 'asked', ...toQuestion(parsed) };
  const { marks, faults, faultCount, absent, leftOut } = parsed;
  if (faultCount > 0) {
    const listed = faults.map((fault) => `${markFaultPlace(fault, isSheet)}: "${fault.value}"`).join('; ');
    const rest = faultCount > faults.length ? `; and ${faultCount - faults.length} more` : '';
    const leaveOut = absent.rows > 0 ? ` ${absentText(absent)}; these can be left out.` : '';
    return refused(`must be numbers from 0 to 100. Not a mark: ${listed}${rest}.${leaveOut}`);
  }
  if (marks.length === 0) return refused('field is required.');
  return { kind: 'marks', tally: tallyMarks(marks), pieces: toPieces(marks), leftOut };
}

/** The choice to be made, with the field of the call that it is about. */
function toQuestion({ columnChoice, decimalChoice }: ParsedMarks): Omit<AskedMarks, 'kind'> {
  if (columnChoice === null) {
    return { field: 'decimal', text: decimalQuestionText(decimalChoice?.text ?? '') };
  }
  const { candidates, isUnknown } = columnChoice;
  const named = candidates.slice(0, MAX_NAMED_COLUMNS).map(columnText).join('; ');
  if (isUnknown) return { field: 'column', text: `There is no such column. Choose one of these: ${named}.` };
  const found =
    candidates.length === 0
      ? 'No column says that it has marks.'
      : candidates.length === 1
        ? `No column says that it has marks, but ${named} has numbers.`
        : `Several columns may have the marks: ${named}.`;
  return { field: 'columns', text: `${found} Choose one as column, by its number or heading.` };
}

/** Asks about a text such as `67,5`. */
export const decimalQuestionText = (text: string): string =>
  `Is ${text} one mark or two? Choose how decimals are written.`;

/** Marks as they are stored. */
export function toPieces(marks: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < marks.length; start += PIECE_SIZE) {
    pieces.push(JSON.stringify(marks.slice(start, start + PIECE_SIZE)));
  }
  return pieces;
}
