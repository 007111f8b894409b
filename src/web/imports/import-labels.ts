import type { Import, ImportKind, ImportState, ImportSummary } from '../../contract/imports.ts';
import { formatCount, plural } from '../lib/format.ts';

/** The kinds of imports, in the order of the choice. */
export const IMPORT_KINDS = [
  'students',
  'results',
  'courses',
  'marks',
  'scheme',
] as const satisfies readonly ImportKind[];

export const KIND_NAMES: Readonly<Record<ImportKind, string>> = {
  students: 'Students with families',
  results: 'Semester results',
  courses: 'Courses',
  marks: 'Course marks',
  scheme: 'Rows of a scheme',
};

export const STATE_NAMES: Readonly<Record<ImportState, string>> = {
  uploaded: 'Not applied yet',
  previewed: 'Not applied yet',
  applying: 'Running',
  applied: 'Applied',
  undone: 'Undone',
  cancelled: 'Cancelled',
};

const RECORDS: Readonly<Record<ImportKind, string>> = {
  students: 'student',
  results: 'result',
  courses: 'course',
  marks: 'mark',
  scheme: 'scheme row',
};

/** `117 students`. */
export const recordsText = (kind: ImportKind, count: number): string => plural(count, RECORDS[kind]);

/** `128 rows`. */
export const rowsText = (count: number): string => plural(count, 'row');

/** The source of an import, such as `intake.xlsx, sheet Intake`. */
export function sourceText({ file_name, sheet }: Pick<ImportSummary, 'file_name' | 'sheet'>): string {
  const source = file_name ?? 'Pasted rows';
  return sheet === null ? source : `${source}, sheet ${sheet}`;
}

/** Whose import it is, as `You` for one's own. */
export function authorText(
  { created_by }: Pick<ImportSummary, 'created_by'>,
  userId: number | undefined,
): string {
  if (created_by === null) return 'A deleted account';
  return created_by.id === userId ? 'You' : created_by.name;
}

/** Records that an import writes, or would. */
export const writtenCount = ({ counts }: Pick<ImportSummary, 'counts'>): number =>
  counts === null ? 0 : counts.create + counts.update;

/** Stretches of lines that are named. */
const MOST_STRETCHES = 5;

/** Says which rows of the file are hidden in the workbook. */
export function hiddenRowsText(stretches: Import['hidden_lines']): string {
  const count = stretches.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const named = stretches
    .slice(0, MOST_STRETCHES)
    .map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
  const more = stretches.length > MOST_STRETCHES ? ' and others' : '';
  return count === 1
    ? `Row ${named.join()} is hidden in the workbook, and is imported as the others. If it should not be, delete it there.`
    : `${formatCount(count)} rows are hidden in the workbook (${named.join(', ')}${more}), and are imported as the others. If they should not be, delete them there.`;
}
