import type { SheetCategory, SheetUpdate } from '../../../contract/marksheets/sheets.ts';
import { ValidationError } from '../../errors.ts';
import type { SheetColumns } from '../sheet.ts';

interface Stored {
  sheet: Pick<SheetColumns, 'title' | 'credits'>;
  categories: readonly SheetCategory[];
  /** Whether any cell of the sheet is filled. */
  hasMarks: boolean;
}

/**
 * Teachers arrange the components of their sheet. What the record will say is the office's, and so is how much counts how much
 * once there are marks.
 *
 * @throws ValidationError on the title, the credit hours, or the weight of each category that differs
 */
export function requireTeachersPart(input: SheetUpdate, { sheet, categories, hasMarks }: Stored): void {
  const errors: Record<string, string[]> = {};
  if (input.title !== sheet.title) errors.title = ['The title is set by the office.'];
  if (input.credits !== sheet.credits) errors.credits = ['The credits are set by the office.'];
  if (hasMarks) {
    for (const i of findOtherWeights(input.categories, categories)) {
      errors[`categories.${i}.weight`] = [
        'The weight and the number that counts stay as they are, since there are marks.',
      ];
    }
  }
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
}

/** The positions of categories that count otherwise than the stored ones. A category that is left out differs at the first position. */
function findOtherWeights(input: SheetUpdate['categories'], stored: readonly SheetCategory[]): number[] {
  const byId = new Map(stored.map((category) => [category.category_id, category]));
  const others = input.flatMap(({ category_id, weight, best_of }, i) => {
    const before = byId.get(category_id ?? 0);
    return before?.weight === weight && before.best_of === (best_of ?? null) ? [] : i;
  });
  const isOneMissing = stored.some((before) => input.every((one) => one.category_id !== before.category_id));
  return others.length === 0 && isOneMissing ? [0] : others;
}
