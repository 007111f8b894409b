import type { StudentListItem } from '../../../../contract/students/student-list.ts';
import { matchesWord, searchText } from '../../../../domain/search-text.ts';

/** A field that matches the search and has no column. */
export interface SearchMatch {
  label: string;
  text: string;
}

/** The fields without a column that match the search, so that the row shows why it is in the list. */
export function searchMatches(student: StudentListItem, words: readonly string[]): SearchMatch[] {
  if (words.length === 0) return [];
  const [id = '', name = '', father = '', phone = '', fatherPhone = '', ...formerIds] =
    searchText(student).split('\n');
  const unexplained = words.filter((word) => !matchesWord(id, word) && !matchesWord(name, word));
  return [
    { label: 'Father:', text: student.father_name, line: father },
    { label: 'Phone:', text: student.phone_number, line: phone },
    { label: 'Father’s phone:', text: student.father_phone, line: fatherPhone },
    ...formerIds.map((line, i) => ({ label: 'Formerly', text: student.former_ids[i] ?? null, line })),
  ].flatMap(({ label, text, line }) =>
    text !== null && unexplained.some((word) => matchesWord(line, word)) ? [{ label, text }] : [],
  );
}
