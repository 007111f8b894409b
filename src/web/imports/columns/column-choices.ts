import type {
  DateOrder,
  Import,
  ImportColumn,
  ImportField,
  ImportMode,
  ImportPreviewInput,
  NameSplit,
  ResultLayout,
} from '../../../contract/imports.ts';
import { DECIMAL_MARKS, type DecimalMark } from '../../../domain/columns/cells.ts';
import { ABSENT_RULES, type AbsentRule } from '../../../domain/marks.ts';
import { formatDate } from '../../lib/format.ts';
import { oneOf } from '../../lib/one-of.ts';

/** How the file is to be read, as chosen. */
export interface ColumnChoices {
  /** The field of each column; undefined for a column that is left out. */
  fields: readonly (string | undefined)[];
  /** The order of the dates, by column where it can't be told from the file. */
  dateOrders: Readonly<Record<number, DateOrder>>;
  /** One value for all rows, by field without a column. */
  values: Readonly<Record<string, string>>;
  mode: ImportMode;
  /** How full names are divided. Never guessed. */
  nameSplit: NameSplit | undefined;
  layout: ResultLayout;
  /** How decimals are written, where a comma may separate two marks. Never guessed. */
  decimal: DecimalMark | undefined;
  /** The rule for rows of absent students. */
  absent: AbsentRule;
}

const DATE_ORDERS = ['day-first', 'month-first'] as const satisfies readonly DateOrder[];
const MODES = ['create', 'update', 'both'] as const satisfies readonly ImportMode[];
const NAME_SPLITS = ['last-word', 'first-word'] as const satisfies readonly NameSplit[];
const LAYOUTS = ['row-per-subject', 'column-per-course'] as const satisfies readonly ResultLayout[];

type ReadFile = Pick<Import, 'columns' | 'fields' | 'course_columns' | 'choices'>;

const isDate = (file: Pick<Import, 'fields'>, field: string | undefined): boolean =>
  file.fields.some((one) => one.field === field && one.is_date);

const GRADE_FIELD = 'grade ';

/** The field of a column with the grades of one course, by its heading or the ID of the course. */
export const gradeField = (course: string) => `${GRADE_FIELD}${course}`;
/** The inverse of {@link gradeField}; undefined for other fields. */
export const courseOfField = (field: string): string | undefined =>
  field.startsWith(GRADE_FIELD) ? field.slice(GRADE_FIELD.length) : undefined;
/** Fields beside the grades, if there is a column per course. */
const SHARED_FIELDS: readonly string[] = ['student_id', 'semester'];

/** The fields that a column can be read as. */
export function fieldOptions(
  { fields }: Pick<Import, 'fields'>,
  layout: ResultLayout,
  { heading }: Pick<ImportColumn, 'heading'>,
): { field: string; label: string }[] {
  if (layout === 'row-per-subject') return fields;
  return [
    ...fields.filter(({ field }) => SHARED_FIELDS.includes(field)),
    ...(heading === '' ? [] : [{ field: gradeField(heading), label: `Grades of ${heading}` }]),
  ];
}

function recognisedFields(
  { columns, course_columns }: ReadFile,
  layout: ResultLayout,
): (string | undefined)[] {
  return columns.map(({ index, heading, field }) => {
    if (layout === 'row-per-subject') return field ?? undefined;
    if (field !== null && SHARED_FIELDS.includes(field)) return field;
    return course_columns.includes(index) ? gradeField(heading) : undefined;
  });
}

/** Without a column of grades, columns that look like courses have them. */
const recognisedLayout = ({ columns, course_columns }: ReadFile): ResultLayout =>
  course_columns.length > 0 && columns.every(({ field }) => field !== 'grade')
    ? 'column-per-course'
    : 'row-per-subject';

/** The choices of the latest preview; before the first one, those recognised from the file. */
export function initialChoices(file: ReadFile): ColumnChoices {
  const { columns, choices } = file;
  const layout = choices?.layout ?? recognisedLayout(file);
  const mapped = new Map(Object.entries(choices?.mapping ?? {}).map(([field, index]) => [index, field]));
  const fields =
    choices?.mapping === undefined
      ? recognisedFields(file, layout)
      : columns.map((column) => mapped.get(column.index));
  return {
    fields,
    dateOrders: { ...proposedOrders(file, fields), ...choices?.date_orders },
    values: choices?.values ?? {},
    mode: choices?.mode ?? 'both',
    nameSplit: choices?.name_split,
    layout,
    decimal: choices?.decimal,
    absent: choices?.absent ?? 'refuse',
  };
}

export const columnsDraft = (importId: number) => `import-columns:${importId}`;

/** Choices that have not been sent, as the texts of a draft. */
export function toDraft({ fields, dateOrders, values, ...choices }: ColumnChoices) {
  const { mode, nameSplit, layout, decimal, absent } = choices;
  const entries = [
    ...fields.map((field, index) => [`field ${index}`, field ?? '']),
    ...Object.entries(dateOrders).map(([index, order]) => [`order ${index}`, order]),
    ...Object.entries(values).map(([field, text]) => [`value ${field}`, text]),
  ];
  const texts: Record<string, string> = Object.fromEntries(entries);
  return { ...texts, mode, nameSplit: nameSplit ?? '', layout, decimal: decimal ?? '', absent };
}

/** The choices of a draft. A column that it lacks is read as recognised; one whose field can't be is left out. */
export function fromDraft(file: ReadFile, draft: Readonly<Record<string, string>>): ColumnChoices {
  const first = initialChoices(file);
  const layout = oneOf(LAYOUTS, draft.layout) ?? first.layout;
  const start = layout === first.layout ? first : chooseLayout(file, first, layout);
  const chosen = file.columns.reduce((choices, column) => {
    const text = draft[`field ${column.index}`];
    if (text === undefined) return choices;
    const isOption =
      fieldOptions(file, layout, column).some(({ field }) => field === text) ||
      (layout === 'column-per-course' && courseOfField(text) !== undefined);
    return assignField(choices, column.index, isOption ? text : undefined);
  }, start);
  const orders = file.columns.flatMap(({ index }): [number, DateOrder][] => {
    const order = oneOf(DATE_ORDERS, draft[`order ${index}`]);
    return order === undefined ? [] : [[index, order]];
  });
  const values = file.fields.flatMap(({ field }) => {
    const text = draft[`value ${field}`];
    return text === undefined ? [] : [[field, text]];
  });
  return {
    ...chosen,
    dateOrders: { ...chosen.dateOrders, ...Object.fromEntries(orders) },
    values: Object.fromEntries(values),
    mode: oneOf(MODES, draft.mode) ?? chosen.mode,
    nameSplit: oneOf(NAME_SPLITS, draft.nameSplit),
    decimal: oneOf(DECIMAL_MARKS, draft.decimal),
    absent: oneOf(ABSENT_RULES, draft.absent) ?? chosen.absent,
  };
}

/** Another layout of results has other fields. */
export const chooseLayout = (
  file: ReadFile,
  choices: ColumnChoices,
  layout: ResultLayout,
): ColumnChoices => ({
  ...choices,
  layout,
  fields: recognisedFields(file, layout),
});

/** Columns whose dates can be read in both orders are proposed in the order that the other dates prove; day first without. */
function proposedOrders(file: ReadFile, fields: ColumnChoices['fields']): Record<number, DateOrder> {
  const proven = file.columns.filter(
    ({ index, date_order }) => date_order !== null && isDate(file, fields[index]),
  );
  const order = proven[0]?.date_order ?? 'day-first';
  return Object.fromEntries(
    file.columns.filter(({ ambiguous }) => ambiguous).map(({ index }) => [index, order]),
  );
}

/** Reads a column as a field. Another column that was read as it is left out. */
export function assignField(choices: ColumnChoices, index: number, field: string | undefined): ColumnChoices {
  const fields = choices.fields.map((own, at) =>
    at === index ? field : field !== undefined && own === field ? undefined : own,
  );
  return { ...choices, fields };
}

/** Required fields that have neither a column nor a value for all rows. An update needs only its key. */
export function missingFields({ fields }: Pick<Import, 'fields'>, choices: ColumnChoices): ImportField[] {
  if (choices.mode === 'update') return [];
  const given = givenFields(fields, choices);
  return fields.filter(({ field, required }) => required && !given.has(field) && !choices.values[field]);
}

/** Required fields without a column, for which one value for all rows can be given. */
export function fieldsWithoutColumn(
  { fields }: Pick<Import, 'fields'>,
  choices: ColumnChoices,
): ImportField[] {
  const given = givenFields(fields, choices);
  return fields.filter(
    ({ field, required }) => !given.has(field) && (required || choices.values[field] !== undefined),
  );
}

/** Fields that a column gives. */
function givenFields(fields: readonly ImportField[], choices: ColumnChoices): Set<string> {
  const read = fields.filter(({ field }) => choices.fields.includes(field));
  return new Set(read.flatMap(({ field, gives }) => [field, ...gives]));
}

/** Whether full names are read, and nobody has said how they are divided. */
export const needsNameSplit = ({ fields, nameSplit }: ColumnChoices): boolean =>
  fields.includes('full_name') && nameSplit === undefined;

/** Whether a comma may be a decimal comma, and nobody has said so. */
export const lacksDecimal = (
  { decimal_sample }: Pick<Import, 'decimal_sample'>,
  { decimal }: ColumnChoices,
): boolean => decimal_sample !== null && decimal === undefined;

/** Whether the order of a column's dates is asked for. */
export const asksForOrder = (
  file: Pick<Import, 'fields'>,
  choices: ColumnChoices,
  { index, ambiguous }: ImportColumn,
): boolean => ambiguous && isDate(file, choices.fields[index]);

export function toPreviewInput(
  file: ReadFile,
  { fields, dateOrders, values, mode, nameSplit, layout, decimal, absent }: ColumnChoices,
): ImportPreviewInput {
  const mapping = Object.fromEntries(
    fields.flatMap((field, index) => (field === undefined ? [] : [[field, index]])),
  );
  const isSplit = fields.includes('full_name');
  const filled = Object.entries(values).filter(([field, text]) => text !== '' && !(field in mapping));
  return {
    mapping,
    date_orders: Object.fromEntries(
      Object.entries(dateOrders).filter(([index]) => isDate(file, fields[Number(index)])),
    ),
    values: Object.fromEntries(filled),
    mode,
    ...(isSplit && nameSplit !== undefined && { name_split: nameSplit }),
    layout,
    ...(decimal !== undefined && { decimal }),
    absent,
    fixes: file.choices?.fixes ?? [],
    // Read otherwise, a row may name somebody else.
    accept: [],
  };
}

/** A date of the column read out in an order, such as `01/02/2027 is 1 February 2027`; null without one. */
export function dateExample(
  { samples }: Pick<ImportColumn, 'samples'>,
  order: DateOrder,
): [string, string] | null {
  const read = samples.flatMap((sample) => {
    const [, first, second, year] = /^\s*(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4})/.exec(sample) ?? [];
    if (first === undefined || second === undefined || year === undefined) return [];
    const [day, month] = order === 'day-first' ? [first, second] : [second, first];
    const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    // A date of the same day and month shows nothing.
    return Number.isNaN(Date.parse(date)) ? [] : [{ sample, date, tells: day !== month }];
  });
  const best = read.find(({ tells }) => tells) ?? read[0];
  return best === undefined ? null : [best.sample.trim(), formatDate(best.date)];
}

/** The letter of a column in a spreadsheet. */
export function columnLetter(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetter(Math.floor(index / 26) - 1) + letter;
}
