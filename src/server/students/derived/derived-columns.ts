import type { Selectable } from 'kysely';
import { finalCgpa, latestCgpa } from '../../../domain/grading/gpa.ts';
import { answerStandings, latestStanding } from '../../../domain/grading/standing.ts';
import {
  nameSortKey,
  naturalSortKey,
  type SearchableStudent,
  searchText,
  textBits,
} from '../../../domain/search-text.ts';
import type { StudentsTable } from '../../db/schema.ts';
import type { AppliedPolicy } from '../grading/policies.ts';
import { type SemesterFacts, toFigures } from '../grading/standing-facts.ts';

export type StudentRow = Selectable<StudentsTable>;

/** Columns of a student that are computed from the record, for sorting, filtering and searching the list. */
export type DerivedColumns = Pick<
  StudentRow,
  | 'id_key'
  | 'name_key'
  | 'degree_key'
  | 'search_text'
  | 'word_bits'
  | 'cgpa'
  | 'cgpa_semester'
  | 'final_cgpa'
  | 'fall'
  | 'is_complete'
  | 'is_active'
  | 'policy_id'
  | 'standing'
>;

/** Their types in SQL. */
export const DERIVED_COLUMNS = {
  id_key: 'text',
  name_key: 'text',
  degree_key: 'text',
  search_text: 'text',
  word_bits: 'integer',
  cgpa: 'integer',
  cgpa_semester: 'integer',
  final_cgpa: 'integer',
  fall: 'integer',
  is_complete: 'integer',
  is_active: 'integer',
  policy_id: 'integer',
  standing: 'text',
} as const satisfies Record<keyof DerivedColumns, 'text' | 'integer'>;

type BaseFacts = Pick<StudentRow, 'department' | 'degree' | 'syn' | 'current_sem' | 'status'> &
  SearchableStudent;

/** The results of the current semester are not due yet. */
export const isComplete = (
  currentSemester: number,
  hasFamily: boolean,
  semesters: readonly unknown[],
): 0 | 1 => (hasFamily && semesters.length >= currentSemester - 1 ? 1 : 0);

/** The derived columns that follow from results and policy alone. */
export const FIGURES = ['cgpa', 'cgpa_semester', 'final_cgpa', 'fall', 'policy_id', 'standing'] as const;
export type Figures = Pick<DerivedColumns, (typeof FIGURES)[number]>;

/**
 * Computes the derived columns of a student.
 *
 * @param student base record, with the father's name and phone number where the family has been entered
 * @param semesters in order, with averages by the policy
 */
export function deriveColumns(
  student: BaseFacts,
  hasFamily: boolean,
  semesters: readonly SemesterFacts[],
  policy: AppliedPolicy,
): DerivedColumns {
  const { current_sem, status } = student;
  return {
    ...deriveTexts(student),
    is_complete: isComplete(current_sem, hasFamily, semesters),
    is_active: status === 'active' ? 1 : 0,
    ...deriveFigures(current_sem, semesters, policy),
  };
}

/** The derived columns that follow from the base record and what else a student is searched by. */
export function deriveTexts(student: Pick<StudentRow, 'department' | 'degree' | 'syn'> & SearchableStudent) {
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

/**
 * Computes the figures of a student.
 *
 * @param semesters in order, with averages by the policy
 */
export function deriveFigures(
  currentSemester: number,
  semesters: readonly SemesterFacts[],
  { policy_id, rules }: AppliedPolicy,
): Figures {
  const recorded = semesters.map((one) => ({ cgpa: one.cgpa, isGraded: one.graded > 0 }));
  const shown = latestCgpa(recorded, currentSemester);
  const [before, latest] = semesters.filter(({ graded }) => graded > 0).slice(-2);
  return {
    cgpa: shown?.cgpa ?? -1,
    cgpa_semester: shown?.semester ?? 0,
    final_cgpa: finalCgpa(recorded, currentSemester) ?? -1,
    fall: before === undefined || latest === undefined ? 0 : Math.max(0, before.sgpa - latest.sgpa),
    policy_id,
    standing: latestStanding(answerStandings(semesters.map(toFigures), { policy_id, rules })).standing ?? '',
  };
}
