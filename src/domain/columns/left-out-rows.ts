import { FULL, OBTAINED, SCORE, TOTAL, toWords, wordSet } from './heading-role.ts';

/** Why a row is left out. */
export type LeftOutRow = 'full-marks' | 'summary' | 'test-student' | 'notes' | 'nameless';

const POINTS = wordSet('points pts');
const SUMMARY = wordSet(
  'average avg mean median mode range std sd deviation variance highest top lowest min minimum count strength',
  'students weight weightage pass passed passing fail failed percent percentage',
);
/** Words that say nothing alone. */
const BESIDE = wordSet(
  'out of no nos number class section overall grand the in for standard s d dev student present absent # %',
);
const LABEL_WORDS = new Set([...FULL, ...TOTAL, ...SCORE, ...OBTAINED, ...SUMMARY, ...BESIDE]);
/** Alone they are the names of students, the first ones only beside their number or their last name. */
const SHORT_NAMES = new Set(['max', 'min']);
const NAMES_ALONE = wordSet('massimo maximo maxima');

const TEST_STUDENT_TEXTS = new Set(['student, test', 'test student', 'student test', 'test, student']);
/** Notes that Canvas writes below its headings. */
const NOTE_TEXTS = new Set(['(read only)', 'manual posting', 'muted']);

/** No such text is longer; all rows of a file are looked at. */
const MAX_TEXT_LENGTH = 40;
const FIRST_WORD = /\p{Lu}?\p{Ll}+|[\p{L}%]+/u;
const SERIAL = /^\p{N}+[.)]?$/u;

const fold = (text: string) =>
  text.length > MAX_TEXT_LENGTH ? '' : text.trim().toLowerCase().replaceAll(/\s+/g, ' ');

/**
 * Why a row below the headings is no student's; undefined for all others. Its first cell says so, or the one beside a serial number:
 * what stands in other cells, such as remarks, is about a student.
 *
 * @param cells the texts of the row
 */
export function leftOutRow(cells: readonly string[]): LeftOutRow | undefined {
  const at = nextFilled(cells, 0);
  const first = cells[at]?.trim();
  if (first === undefined) return undefined;
  const isSerial = SERIAL.test(first);
  const labelAt = isSerial ? nextFilled(cells, at + 1) : at;
  const label = isSerial ? cells[labelAt]?.trim() : first;
  if (label === undefined || label.length > MAX_TEXT_LENGTH) return undefined;
  // Most rows end here: their first word is none of these.
  const [word = ''] = FIRST_WORD.exec(label) ?? [];
  const lower = word.toLowerCase();
  if (lower === 'test' || lower === 'student') {
    const next = cells[nextFilled(cells, labelAt + 1)] ?? '';
    if (isTestStudent(label) || isTestStudent(`${label} ${next}`)) return 'test-student';
  }
  if (lower === 'read' || lower === 'manual' || lower === 'muted')
    return cells.every((cell) => cell.trim() === '' || NOTE_TEXTS.has(fold(cell))) ? 'notes' : undefined;
  if (!LABEL_WORDS.has(lower) && /^[a-z%]*$/.test(lower)) return undefined;
  const words = toWords(label);
  const [only = ''] = words;
  if (words.length === 1) {
    if (NAMES_ALONE.has(only)) return undefined;
    if (SHORT_NAMES.has(only) && (isSerial || hasWord(cells, labelAt + 1))) return undefined;
  }
  return labelKind(words);
}

/** The kind of row, full marks or a summary, where all words are about marks. */
function labelKind(words: readonly string[]): LeftOutRow | undefined {
  if (!words.every((word) => LABEL_WORDS.has(word) || /^\p{N}/u.test(word))) return undefined;
  const has = (set: ReadonlySet<string>) => words.some((word) => set.has(word));
  // S.D. has two words.
  if (has(SUMMARY) || SUMMARY.has(words.join(''))) return 'summary';
  const isOutOf = words.some((word, at) => word === 'out' && words[at + 1] === 'of');
  if (has(FULL) || isOutOf || has(POINTS) || (has(TOTAL) && has(SCORE))) return 'full-marks';
  return has(TOTAL) ? 'summary' : undefined;
}

const isTestStudent = (text: string) => TEST_STUDENT_TEXTS.has(fold(text));

function nextFilled(cells: readonly string[], from: number): number {
  let at = from;
  while (at < cells.length && cells[at]?.trim() === '') at += 1;
  return at;
}

/** Whether a row has nothing in any of these columns, which other rows fill: those of IDs and names. */
export const isNameless = (cells: readonly string[], columns: readonly number[]): boolean =>
  columns.length > 0 && columns.every((column) => (cells[column] ?? '').trim() === '');

const hasWord = (cells: readonly string[], from: number) =>
  cells.slice(from).some((cell) => /\p{L}/u.test(cell));

const NAMES: Readonly<Record<LeftOutRow, string>> = {
  'full-marks': 'full marks',
  summary: 'a summary',
  'test-student': 'a test account',
  notes: 'notes of the program that wrote the file',
  nameless: 'without the ID or name that other rows have',
};

/** "Points Possible: full marks, not a student". */
export function leftOutText(cells: readonly string[], why: LeftOutRow, record = 'student'): string {
  const filled = cells.map((cell) => cell.trim()).filter(Boolean);
  const label = filled.find((cell) => !SERIAL.test(cell)) ?? filled[0] ?? '';
  const said = why === 'test-student' && !/test/i.test(label) ? 'Test student' : label;
  return `${said.slice(0, MAX_TEXT_LENGTH).toWellFormed()}: ${NAMES[why]}, not a ${record}`;
}
