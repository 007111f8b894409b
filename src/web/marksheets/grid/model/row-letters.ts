import type { Sheet } from '../../../../contract/marksheets/sheets.ts';
import type { GradeLetter } from '../../../../domain/grading/gpa.ts';
import type { PolicyRules } from '../../../../domain/grading/policy.ts';
import { gradeClass } from '../../../../domain/marksheets/letters.ts';
import { type GradedSheet, sheetScheme } from '../../grading/scheme/scheme.ts';
import { type ShownRow, toGradable } from './shown-rows.ts';

/**
 * The letter of each row that has one, by its total as it is shown: by the stored boundaries, or until there are some those of
 * the method, which follow every mark. Rows of a sheet that is no draft have the letters that were submitted.
 *
 * @param rules of the policy of the sheet; undefined while they are read
 */
export function rowLetters(
  sheet: GradedSheet & Pick<Sheet, 'state' | 'rows'>,
  rows: readonly ShownRow[],
  rules: PolicyRules | undefined,
): ReadonlyMap<string, GradeLetter> {
  if (sheet.state !== 'draft') {
    return new Map(sheet.rows.flatMap(({ student_id, letter }) => (letter ? [[student_id, letter]] : [])));
  }
  if (rules === undefined) return new Map();
  const gradable = rows.map(toGradable);
  const { boundaries, method } = sheetScheme(sheet, gradable, rules);
  if (boundaries === null) return new Map();
  return gradeClass(gradable, boundaries, { ...rules, grading_method: method }).letters;
}
