import type { StudentListed } from '../../contract/student-list.ts';
import { searchText } from '../../domain/search-text.ts';

/** Where a search has found a student, if not in what the row shows anyway. */
export interface FoundIn {
  label: string;
  text: string;
}

/** What the row has to add, so that it is plain why the student is in the list. */
export function foundIn(student: StudentListed, words: readonly string[]): FoundIn[] {
  if (words.length === 0) return [];
  const [id = '', name = '', father = '', phone = '', fatherPhone = ''] = searchText(student).split('\n');
  const isIn = (line: string) => (word: string) => line.includes(` ${word}`);
  const unseen = words.filter((word) => !isIn(id)(word) && !isIn(name)(word));
  if (unseen.length === 0) return [];
  return [
    { label: 'Father', text: student.father_name, line: father },
    { label: 'Phone', text: student.phone_number, line: phone },
    { label: 'Father’s phone', text: student.father_phone, line: fatherPhone },
  ].flatMap(({ label, text, line }) => (text !== null && unseen.some(isIn(line)) ? [{ label, text }] : []));
}
