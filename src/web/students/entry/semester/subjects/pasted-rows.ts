import { gradeLetter } from '../../../../../domain/grading/gpa.ts';
import type { SubjectValues } from './subject-slots.ts';

/**
 * Parses subjects copied from a spreadsheet: one per line, with title, subject ID, credit hours and grade separated by
 * tabs. Undefined for ordinary text, which has one line and no tab.
 */
export function parsePastedRows(text: string): SubjectValues[] | undefined {
  const lines = text.replace(/[\r\n]+$/, '').split(/\r\n|\r|\n/);
  if (lines.length === 1 && !text.includes('\t')) return undefined;
  const rows = lines.map(toSubject).filter((row) => row.title !== '');
  const [first, ...rest] = rows;
  return first !== undefined && /^(subject )?title$/i.test(first.title) ? rest : rows;
}

function toSubject(line: string): SubjectValues {
  const [title = '', id = '', credit = '', grade = ''] = line.split('\t').map((cell) => cell.trim());
  return { title, id, credit, grade: toLetter(grade) };
}

/** A grade as its letter or its points: `b+` and `3.5` are both `B+`. Anything else stays, to be refused at its field. */
function toLetter(cell: string): string {
  const points = /^\d(\.\d+)?$/.test(cell) ? gradeLetter(Number(cell)) : undefined;
  return points ?? cell.toUpperCase();
}
