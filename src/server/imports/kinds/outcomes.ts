import { type ImportRow, OTHER_PERSON } from '../../../contract/imports.ts';
import type { FieldRule } from '../reading/fields.ts';
import type { FieldErrors, ImportOptions, ReadRow, RecordRows, RowOutcome } from './kind.ts';

type Texts = Record<string, string[]>;

/** A row that is not imported. */
export const refusedRow = (
  { line }: Pick<ReadRow, 'line'>,
  key: string | null,
  errors: FieldErrors,
  warnings: Texts = {},
): RowOutcome => ({ line, state: 'refused', key, changes: [], errors: copyTexts(errors), warnings });

/** A row that names another person than the record: refused until somebody accepts it. */
export const holdRow = (
  outcome: RowOutcome,
  text: string | undefined,
  { accepted }: Pick<ImportOptions, 'accepted'>,
): RowOutcome =>
  text === undefined
    ? outcome
    : {
        ...outcome,
        state: accepted.has(outcome.line) ? outcome.state : 'refused',
        warnings: { ...outcome.warnings, [OTHER_PERSON]: [text] },
      };

/** Whether a row is refused for nothing but the person whom it names. */
export const isHeld = ({ state, warnings }: RowOutcome): boolean =>
  state === 'refused' && OTHER_PERSON in warnings;

const copyTexts = (errors: FieldErrors): Texts =>
  Object.fromEntries(Object.entries(errors).map(([field, texts]) => [field, [...texts]]));

/** The fields in which two states of a record differ, as text. */
export function listChanges(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): ImportRow['changes'] {
  return Object.entries(after).flatMap(([field, value]) => {
    const [old, next] = [toText(before[field]), toText(value)];
    return old === next ? [] : [{ field, before: old, after: next }];
  });
}

const toText = (value: unknown): string | null =>
  value === null || value === undefined ? null : String(value);

/**
 * The errors of a row: of its cells, and of what the form's check says about the other fields. A field that an unreadable cell
 * would have given is not said to be missing.
 */
export function rowErrors(
  rules: readonly FieldRule[],
  { errors }: Pick<ReadRow, 'errors'>,
  checked: FieldErrors,
): FieldErrors {
  const unread = new Set(
    rules.flatMap(({ field, gives = [] }) => (field in errors ? [field, ...gives] : [])),
  );
  const others = Object.entries(checked).filter(([field]) => !unread.has(field));
  return { ...Object.fromEntries(others), ...errors };
}

/** The outcome of a row, and the plan that is stored of it; nothing where it is refused or changes nothing. */
export interface PlannedRow<Plan> {
  outcome: RowOutcome;
  plan?: Plan;
}

/**
 * Checks records that have one row each. Further rows of a record have to say the same as its first one.
 *
 * @param keyField the field of the key, with its name in messages
 */
export function checkSingleRows<Plan>(
  records: readonly RecordRows[],
  keyField: { field: string; name: string },
  checkRow: (row: ReadRow, key: string | null) => PlannedRow<Plan>,
): { outcomes: RowOutcome[]; plans: Plan[] } {
  const outcomes: RowOutcome[] = [];
  const plans: Plan[] = [];
  const { field, name } = keyField;
  for (const { key, rows } of records) {
    const [first, ...repeated] = rows;
    if (first === undefined) continue;
    const clash = key === null ? undefined : clashText(rows, name);
    if (clash !== undefined) {
      outcomes.push(...rows.map((row) => refusedRow(row, key, { ...row.errors, [field]: [clash] })));
      continue;
    }
    const { outcome, plan } = checkRow(first, key);
    outcomes.push(outcome);
    if (plan !== undefined) plans.push(plan);
    for (const row of repeated) {
      outcomes.push(
        outcome.state === 'refused' ? { ...outcome, line: row.line } : repeatedRow(row, outcome, field),
      );
    }
  }
  return { outcomes, plans };
}

/**
 * Several rows of one record that can have one row only: undefined if they say the same. The first of these counts.
 *
 * @param name of the key, as messages say it
 */
export function clashText(rows: readonly ReadRow[], name: string): string | undefined {
  const [first, ...others] = rows.map(({ values, errors }) => JSON.stringify([values, errors]));
  if (others.every((other) => other === first)) return undefined;
  const lines = rows.slice(0, 5).map(({ line }) => line);
  const more = rows.length > lines.length ? ' and more' : '';
  return `The ${name} is in lines ${lines.join(', ')}${more}, with different values. Keep one of them.`;
}

/** A row that says the same as the first one of its record, also whom it names. */
const repeatedRow = ({ line }: ReadRow, first: RowOutcome, field: string): RowOutcome => ({
  line,
  state: 'unchanged',
  key: first.key,
  changes: [],
  errors: {},
  warnings: {
    [field]: [`Line ${first.line} says the same.`],
    ...(OTHER_PERSON in first.warnings && { [OTHER_PERSON]: first.warnings[OTHER_PERSON] ?? [] }),
  },
});
