import { GRADE_LETTERS, gradeLetter } from '../../domain/grade-scale.ts';
import type { SubjectValues } from './subject-slots.ts';

/**
 * Subjects from a copied piece of a spreadsheet: one a line, cells title, subject ID, credit hours and grade
 * between tabs. Undefined for anything that is just a text to be typed in (one line, no tab).
 */
export function pastedRows(text: string): SubjectValues[] | undefined {
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

/** `b+` and `3.5` both stand for `B+`; what stands for no grade is left to be chosen. */
function toLetter(cell: string): string {
  const letter = GRADE_LETTERS.find((candidate) => candidate === cell.toUpperCase());
  if (letter !== undefined) return letter;
  return /^\d(\.\d+)?$/.test(cell) ? (gradeLetter(Number(cell)) ?? '') : '';
}
