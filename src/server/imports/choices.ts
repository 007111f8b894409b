import type { ImportColumn, ImportKind, ImportPreviewInput } from '../../contract/imports.ts';
import { decimalQuestionText, MAX_NAMED_COLUMNS } from '../courses/read-marks.ts';
import { invalidField, ValidationError } from '../errors.ts';
import type { ImportFile } from './imports.ts';
import type { FieldRule } from './reading/fields.ts';
import { getFieldRules, recognisedMapping } from './reading/layouts.ts';
import type { ReadingChoices } from './reading/read-values.ts';

/** The choices of a preview with all that was left out. */
export interface CompleteChoices extends ImportPreviewInput {
  mapping: Record<string, number>;
  values: Record<string, string>;
}

/**
 * Completes what somebody chose by what was recognised.
 *
 * @param keyFields the fields that an update of records needs
 * @throws ValidationError on the field of the choice that can't be; on `mapping` when a required field has neither a column
 * nor a value, and on `columns` when several may have the marks; on `date_orders` when the dates of a column can be read both
 * ways, on `decimal` when a comma can
 */
export function completeChoices(
  sent: ImportPreviewInput,
  {
    kind,
    file: { columns, decimal_sample, decimal },
    keyFields,
  }: { kind: ImportKind; file: ImportFile; keyFields: readonly string[] },
): CompleteChoices {
  const mapping = sent.mapping ?? recognisedMapping(kind, sent.layout, columns);
  const choices = {
    ...sent,
    mapping,
    values: sent.values ?? {},
    decimal: sent.decimal ?? decimal ?? undefined,
  };
  const rules = getFieldRules(kind, sent.layout, columns, mapping);
  requireKnownNames(choices, rules, columns);
  const unmapped_required = rules
    .filter(({ field, required }) => (sent.mode === 'update' ? keyFields.includes(field) : required))
    .filter((rule) => !isGiven(rule, choices, rules))
    .map(({ field }) => field);
  const ambiguous_columns = dateColumns(choices, rules)
    .filter((index) => columns[index]?.ambiguous === true && sent.date_orders?.[index] === undefined)
    .sort((a, b) => a - b);
  const candidates = unmapped_required.includes('marks')
    ? columns.filter(({ may_have_marks }) => may_have_marks)
    : [];
  if (unmapped_required.length > 0 || ambiguous_columns.length > 0) {
    const errors = {
      ...(unmapped_required.length > 0 && { mapping: [missingText(unmapped_required, rules)] }),
      ...(candidates.length > 0 && { columns: [candidatesText(candidates)] }),
      ...(ambiguous_columns.length > 0 && { date_orders: [ambiguousText(ambiguous_columns, columns)] }),
    };
    throw new ValidationError(errors, { unmapped_required, ambiguous_columns });
  }
  if (decimal_sample !== null && choices.decimal === undefined) {
    throw invalidField('decimal', decimalQuestionText(decimal_sample));
  }
  if (needsNameSplit(choices)) {
    throw invalidField('name_split', 'Choose which word of the full names is the last name.');
  }
  return choices;
}

export function toReadingChoices(
  { mapping, values, date_orders = {}, name_split, decimal }: CompleteChoices,
  { columns, is_1904, delimiter, decimal_sample }: ImportFile,
): ReadingChoices {
  const dateOrders = Object.fromEntries(
    columns.flatMap(({ index, date_order }) => {
      const order = date_orders[index] ?? date_order;
      return order === null ? [] : [[index, order]];
    }),
  );
  // Where commas separate the cells, a comma in a quoted cell may be anything.
  const takesComma =
    decimal === undefined ? decimal_sample === null && delimiter !== ',' : decimal === 'comma';
  return {
    columns: columns.length,
    mapping,
    values,
    dateOrders,
    nameSplit: name_split,
    takesComma,
    is1904: is_1904,
  };
}

/** The same text for the same choices, however they are written. */
export function canonicalChoices(choices: CompleteChoices): string {
  const { mapping, date_orders = {}, values, mode, name_split = null, layout, fixes } = choices;
  const { decimal = null, absent } = choices;
  const sorted = (entries: object) => Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1));
  const corrected = fixes.map(({ line, field, value }) => [line, field, value]);
  return JSON.stringify([
    ...[sorted(mapping), sorted(date_orders), sorted(values)],
    ...[mode, name_split, layout, corrected, decimal, absent],
  ]);
}

function requireKnownNames(
  { mapping, values, date_orders = {}, fixes }: CompleteChoices,
  rules: readonly FieldRule[],
  columns: readonly ImportColumn[],
): void {
  const fields = new Set(rules.map(({ field }) => field));
  const refuse = (choice: string, text: string) => {
    throw invalidField(choice, text);
  };
  for (const [field, index] of Object.entries(mapping)) {
    if (!fields.has(field)) refuse('mapping', `There is no field ${field}.`);
    if (columns[index] === undefined) refuse('mapping', `There is no column ${index}.`);
  }
  if (new Set(Object.values(mapping)).size < Object.keys(mapping).length)
    refuse('mapping', 'A column can be read as one field only.');
  for (const field of Object.keys(values)) {
    if (!fields.has(field)) refuse('values', `There is no field ${field}.`);
    if (field in mapping) refuse('values', `The field ${field} has a column already.`);
  }
  for (const index of Object.keys(date_orders)) {
    if (columns[Number(index)] === undefined) refuse('date_orders', `There is no column ${index}.`);
  }
  for (const { field } of fixes) if (!fields.has(field)) refuse('fixes', `There is no field ${field}.`);
}

/** Whether a field has a column or a value, or is given by another field that has one. */
const isGiven = ({ field }: FieldRule, { mapping, values }: CompleteChoices, rules: readonly FieldRule[]) =>
  [field, ...rules.filter(({ gives }) => gives?.includes(field)).map((other) => other.field)].some(
    (name) => name in mapping || (values[name] ?? '').trim() !== '',
  );

const dateColumns = ({ mapping }: CompleteChoices, rules: readonly FieldRule[]): number[] =>
  rules.flatMap(({ field, value }) => (value === 'date' ? (mapping[field] ?? []) : []));

/** Names are never divided by a guess. */
const needsNameSplit = ({ mapping, values, name_split }: CompleteChoices) =>
  name_split === undefined &&
  ('full_name' in mapping || 'full_name' in values) &&
  !('first_name' in mapping && 'last_name' in mapping);

const missingText = (fields: readonly string[], rules: readonly FieldRule[]) => {
  const labels = rules.filter(({ field }) => fields.includes(field)).map(({ label }) => label);
  const [are, columns] = labels.length === 1 ? ['is', 'a column'] : ['are', 'columns'];
  return `${labels.join(', ')} ${are} required: choose ${columns} for ${labels.length === 1 ? 'it' : 'them'}, or a value for all rows.`;
};

/** Columns from 0, as `mapping` names them. */
const candidatesText = (candidates: readonly ImportColumn[]) => {
  const named = candidates.slice(0, MAX_NAMED_COLUMNS).map(({ index, heading }) => `${index}, “${heading}”`);
  return `Choose which column has the marks: ${named.join('; ')}.`;
};

const ambiguousText = (indexes: readonly number[], columns: readonly ImportColumn[]) =>
  `Choose whether the day or the month comes first in ${indexes.map((index) => `"${columns[index]?.heading}"`).join(', ')}: each date can be read both ways.`;
