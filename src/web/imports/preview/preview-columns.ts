import type { Import, ImportRow, OTHER_PERSON as ImportWarning } from '../../../contract/imports.ts';
import { displayErrorText } from '../../forms/messages/error-texts.ts';
import { formatDate } from '../../lib/format.ts';

/** A column of the preview: a field that is read from the file, or that has one value for all rows. */
export interface PreviewColumn {
  field: string;
  label: string;
  isDate: boolean;
  /** The field with those that it gives. */
  covers: readonly string[];
  /** Labels of the fields that it gives. */
  givenLabels: ReadonlyMap<string, string>;
  /** Column of the file; null for one value for all rows. */
  index: number | null;
  /** The value for all rows. */
  value: string;
}

/** The fields that are read, in the order of the template, then the columns of courses. */
export function previewColumns({ fields, columns, choices }: Pick<Import, 'fields' | 'columns' | 'choices'>) {
  const { mapping = {}, values = {} } = choices ?? {};
  const labels = new Map(fields.map(({ field, label }) => [field, label]));
  const read = fields.flatMap(({ field, label, is_date, gives }): PreviewColumn[] => {
    const index = mapping[field] ?? null;
    const value = values[field] ?? '';
    if (index === null && value === '') return [];
    const givenLabels = new Map(gives.map((one) => [one, labels.get(one) ?? one]));
    return [{ field, label, isDate: is_date, covers: [field, ...gives], givenLabels, index, value }];
  });
  const known = new Set(fields.map(({ field }) => field));
  const courses = Object.entries(mapping)
    .filter(([field]) => !known.has(field))
    .map(([field, index]) => ({
      field,
      label: columns[index]?.heading ?? field,
      isDate: false,
      covers: [field],
      givenLabels: new Map<string, string>(),
      index,
      value: '',
    }));
  return [...read, ...courses];
}

/** Columns with the ID of a student, beside which the name stands. */
const ID_FIELDS: readonly string[] = ['id', 'student_id'];
export const hasStudentId = ({ field }: Pick<PreviewColumn, 'field'>) => ID_FIELDS.includes(field);

const OTHER_PERSON: typeof ImportWarning = 'other-person';

/** Whom a row names, where that is another person than the record of its ID. */
export const otherPersonTexts = ({ warnings }: Pick<ImportRow, 'warnings'>): readonly string[] =>
  warnings[OTHER_PERSON] ?? [];

/** Whether a row shows what it changes: also one that waits for somebody to accept the person whom it names. */
export const showsChanges = (row: Pick<ImportRow, 'state' | 'changes' | 'warnings'>): boolean =>
  row.changes.length > 0 &&
  (row.state === 'update' || (row.state === 'refused' && otherPersonTexts(row).length > 0));

/** One cell of the preview. */
export interface PreviewCell {
  /** The text of the file, or its correction. */
  text: string;
  errors: readonly string[];
  warnings: readonly string[];
  /** Old and new values; of a field other than the column's with its name. */
  changes: readonly { field: string; before: string | null; after: string | null }[];
}

export function previewCell(
  item: Pick<Import, 'choices'>,
  row: ImportRow,
  column: PreviewColumn,
): PreviewCell {
  const { covers, index, field } = column;
  const texts = (of: ImportRow['errors']) =>
    covers.flatMap((one) => (of[one] ?? []).map((text) => displayErrorText(one, text)));
  const fix = item.choices?.fixes.findLast((one) => one.line === row.line && one.field === field);
  return {
    text: fix?.value ?? (index === null ? column.value : (row.cells[index] ?? '')),
    errors: texts(row.errors),
    warnings: [...texts(row.warnings), ...(hasStudentId(column) ? otherPersonTexts(row) : [])],
    changes: row.changes.filter((change) => covers.includes(change.field)),
  };
}

/** Errors and warnings of fields that the preview has no column for. */
export function rowTexts(
  row: ImportRow,
  columns: readonly PreviewColumn[],
  labels: ReadonlyMap<string, string>,
) {
  const covered = new Set(columns.flatMap(({ covers }) => covers));
  const texts = (of: ImportRow['errors']) =>
    Object.entries(of).flatMap(([field, [text]]) => {
      if (covered.has(field) || field === OTHER_PERSON || text === undefined) return [];
      const label = labels.get(field);
      const shown = displayErrorText(field, text);
      return [label === undefined ? shown : `${label}: ${shown}`];
    });
  // Their cells may be out of sight.
  const faults = Object.entries(row.errors).flatMap(([field, [text]]) =>
    covered.has(field) && text !== undefined
      ? [
          `${labels.get(field) ?? columns.find((column) => column.field === field)?.label ?? field}: ${displayErrorText(field, text)}`,
        ]
      : [],
  );
  return { errors: texts(row.errors), faults: inSight(faults), warnings: texts(row.warnings) };
}

/** Reasons that stand beside the state of a row. */
const MOST_IN_SIGHT = 2;

const inSight = (faults: readonly string[]): string[] =>
  faults.length <= MOST_IN_SIGHT + 1
    ? [...faults]
    : [...faults.slice(0, MOST_IN_SIGHT), `${faults.length - MOST_IN_SIGHT} more`];

/** A stored value as people read it. */
export const valueText = (value: string | null, isDate: boolean): string =>
  value === null || value === ''
    ? 'empty'
    : isDate && /^\d{4}-\d\d-\d\d$/.test(value)
      ? formatDate(value)
      : value;

/** The name of the record in a row, from its columns; its key without one. */
export function rowName(row: ImportRow, columns: readonly PreviewColumn[]): string {
  const getText = (field: string) => {
    const index = columns.find((column) => column.field === field)?.index ?? null;
    return index === null ? '' : (row.cells[index] ?? '').trim();
  };
  const name = [getText('full_name') || [getText('first_name'), getText('last_name')].join(' ').trim()];
  return [...name, getText('course_name'), getText('title'), row.key ?? ''].find((text) => text !== '') ?? '';
}
