import type { Selectable } from 'kysely';
import {
  nameSortKey,
  naturalSortKey,
  type SearchableStudent,
  searchText,
  textBits,
} from '../../../domain/search-text.ts';
import type { ColumnTypes } from '../../db/dialect/sql.ts';
import type { StudentsTable } from '../../db/schema.ts';

export type StudentRow = Selectable<StudentsTable>;

/** Columns by which the list is sorted and searched, with their types in SQL. They follow from base record and family. */
const TEXTS = {
  id_key: 'text',
  name_key: 'text',
  degree_key: 'text',
  search_text: 'text',
  word_bits: 'integer',
} as const satisfies Partial<ColumnTypes<keyof StudentRow>>;

/** Columns that follow from results, status and policy. */
const FIGURES = {
  cgpa: 'integer',
  cgpa_semester: 'integer',
  final_cgpa: 'integer',
  fall: 'integer',
  is_complete: 'integer',
  is_active: 'integer',
  policy_id: 'integer',
  standing: 'text',
} as const satisfies Partial<ColumnTypes<keyof StudentRow>>;
export type Figures = Pick<StudentRow, keyof typeof FIGURES>;

/** Columns of a student that are computed from the record, for sorting, filtering and searching the list. */
export const DERIVED_COLUMNS = { ...TEXTS, ...FIGURES };
export type DerivedColumns = Pick<StudentRow, keyof typeof DERIVED_COLUMNS>;

/** Computes the columns that follow from the base record and what else a student is searched by. */
export function deriveTexts(
  student: Pick<StudentRow, 'department' | 'degree' | 'syn'> & SearchableStudent,
): Pick<StudentRow, keyof typeof TEXTS> {
  const { id, first_name, last_name, department, degree, syn } = student;
  const text = searchText(student);
  return {
    id_key: naturalSortKey(id),
    name_key: nameSortKey(`${first_name} ${last_name}`),
    degree_key: naturalSortKey(`${department}-${degree}-${syn}`),
    search_text: text,
    word_bits: textBits(text),
  };
}
