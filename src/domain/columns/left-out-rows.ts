import { foldText } from '../search-text.ts';

/** Rows of a sheet of marks that belong to no student, by what one of their cells says. */
const FULL_MARKS_TEXTS = new Set([
  ...[
    'points possible',
    'possible points',
    'max marks',
    'max. marks',
    'maximum marks',
    'full marks',
    'total marks',
  ],
  ...[
    'out of',
    'maximum',
    'maximum points',
    'max points',
    'max score',
    'maximum score',
    'total points',
    'marks out of',
  ],
]);
const SUMMARY_TEXTS = new Set([
  ...[
    'average',
    'class average',
    'overall average',
    'mean',
    'class mean',
    'median',
    'std dev',
    'std. dev.',
    'sd',
  ],
  ...[
    'standard deviation',
    'highest',
    'highest marks',
    'lowest',
    'lowest marks',
    'minimum',
    'total',
    'grand total',
  ],
]);
const TEST_STUDENT_TEXTS = new Set(['student, test', 'test student', 'student test']);
/** What Canvas writes below its headings. */
const NOTE_TEXTS = new Set(['(read only)', 'manual posting', 'muted']);

/** Why a row is left out. */
export type LeftOutRow = 'full-marks' | 'summary' | 'test-student' | 'notes';

const fold = (text: string) => foldText(text).trim().replaceAll(/\s+/g, ' ').replace(/\s*:$/, '');

/** No such text is longer; most cells of a file are numbers, and all are looked at. */
const MAX_TEXT_LENGTH = 40;

/**
 * Why a row below the headings is no student's; undefined for all others.
 *
 * @param cells the texts of the row
 */
export function leftOutRow(cells: readonly string[]): LeftOutRow | undefined {
  let isFirst = true;
  let before = '';
  let notes = 0;
  let others = 0;
  for (const cell of cells) {
    const text = cell.trim();
    if (text === '') continue;
    const folded = text.length > MAX_TEXT_LENGTH || /^\p{N}/u.test(text) ? '' : fold(text);
    if (FULL_MARKS_TEXTS.has(folded)) return 'full-marks';
    if (isFirst && SUMMARY_TEXTS.has(folded)) return 'summary';
    if (TEST_STUDENT_TEXTS.has(folded) || TEST_STUDENT_TEXTS.has(`${before} ${folded}`))
      return 'test-student';
    if (NOTE_TEXTS.has(folded)) notes += 1;
    else others += 1;
    before = folded;
    isFirst = false;
  }
  return notes > 0 && others === 0 ? 'notes' : undefined;
}

const NAMES: Readonly<Record<LeftOutRow, string>> = {
  'full-marks': 'full marks',
  summary: 'a summary',
  'test-student': 'a test account',
  notes: 'notes of the program that wrote the file',
};

/** "Points Possible: full marks, not a student". */
export function leftOutText(cells: readonly string[], why: LeftOutRow): string {
  const filled = cells.map((cell) => cell.trim()).filter(Boolean);
  const said = why === 'test-student' && !/test/i.test(filled[0] ?? '') ? 'Test student' : (filled[0] ?? '');
  return `${said.slice(0, MAX_TEXT_LENGTH).toWellFormed()}: ${NAMES[why]}, not a student`;
}
