import { isDeepStrictEqual } from 'node:util';
import { schemeRowInput } from '../../../contract/schemes/schemes.ts';
import { countCredits, type Hours, MOST_HOURS, parseHours } from '../../../domain/schemes/hours.ts';
import {
  foldKey,
  makeRowKey,
  type Need,
  SCHEME_LIMITS,
  type SchemeRow,
} from '../../../domain/schemes/scheme.ts';
import { AppError } from '../../errors.ts';
import { parseState } from '../../history/fields.ts';
import { checkInput } from '../../http/validation.ts';
import type { SchemeTableRow } from '../../schemes/present-scheme.ts';
import { storeDraft } from '../../schemes/write-scheme.ts';
import { toStoredRows } from '../../students/audit/schemes.ts';
import { type Catalogue, findCatalogue } from './catalogue.ts';
import type {
  CheckedRecords,
  CheckedUndo,
  ImportedKind,
  ImportedRecord,
  ImportOptions,
  ReadRow,
  RecordRows,
  RowOutcome,
  Source,
} from './kind.ts';
import { refusedRow } from './outcomes.ts';

/** The rows of a draft of a scheme, a row each. They replace the rows that the draft has. */
export const scheme: ImportedKind = {
  keyFields: ['semester'],
  batchSize: 1,
  // All rows are of the draft of the import.
  recordKey: () => 'scheme',

  async check(
    source: Source,
    [record]: readonly RecordRows[],
    { schemeId, role }: ImportOptions,
  ): Promise<CheckedRecords> {
    requireAdministrator(role);
    const draft = await findDraft(source, schemeId);
    const key = schemeId === null ? null : String(schemeId);
    const rows = record?.rows ?? [];
    const fault = draftFault(draft);
    const catalogue = await findCatalogue(source, new Set(rows.flatMap(codesOf)));
    // As in the form, a key that is made keeps clear of those that later rows name.
    const keys: RowKeys = {
      taken: new Set(rows.map(({ values }) => foldKey(textOf(values.key)))),
      named: new Set(),
    };
    const read: SchemeRow[] = [];
    const outcomes = rows.map((row): RowOutcome => {
      const errors: Record<string, string[]> = Object.fromEntries(
        Object.entries(row.errors).map(([field, texts]) => [field, [...texts]]),
      );
      const found = readRow(row, catalogue, keys, errors);
      if (fault !== undefined) errors.semester = [fault];
      else if (read.length >= SCHEME_LIMITS.rows)
        errors.row = [`The rows must be at most ${SCHEME_LIMITS.rows}.`];
      if (found === undefined || Object.keys(errors).length > 0) return refusedRow(row, key, errors);
      read.push(found);
      const changes = [{ field: 'key', before: null, after: found.key }];
      return { line: row.line, state: 'create', key, changes, errors: {}, warnings: {} };
    });
    return {
      outcomes,
      basis: `${schemeId} ${draft?.version} ${catalogue.basis}`,
      store: async ({ tx, author, bulkId }) => {
        if (draft === undefined || read.length === 0) return;
        await storeDraft(tx, author, draft, { rows: toStoredRows(read) }, bulkId);
      },
    };
  },

  checkUndo,
};

/** The keys of the rows of a file, as they are compared. */
interface RowKeys {
  /** Those that no key that is made may be: of all rows that name one, and those made before. */
  taken: Set<string>;
  /** Those that rows before have named. */
  named: Set<string>;
}

/** @throws AppError forbidden */
function requireAdministrator(role: ImportOptions['role']): void {
  if (role !== 'admin') throw new AppError('forbidden', 'Only an administrator changes schemes.');
}

const findDraft = ({ db, lock }: Source, schemeId: number | null): Promise<SchemeTableRow | undefined> =>
  lock(
    db
      .selectFrom('schemes')
      .selectAll()
      .where('scheme_id', '=', schemeId ?? 0),
  ).executeTakeFirst();

function draftFault(draft: SchemeTableRow | undefined): string | undefined {
  if (draft === undefined) return 'The draft of the scheme has been deleted.';
  return draft.number === null ? undefined : `Scheme ${draft.number} is published, so it is never changed.`;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Codes are separated by `/` or `;`. */
const splitCodes = (text: string): string[] =>
  text
    .split(/[/;]/)
    .map((code) => code.trim())
    .filter((code) => code !== '');

const BESIDE = /^beside\s+/i;

/** The codes that a row names. */
const codesOf = ({ values }: ReadRow): string[] => [
  ...splitCodes(textOf(values.code)),
  ...splitCodes(textOf(values.options)),
  ...splitCodes(textOf(values.needs)).map((code) => code.replace(BESIDE, '')),
];

/** Reads a row, which the check of the form then looks at; undefined where it has an error, which is added. */
function readRow(
  { values }: ReadRow,
  catalogue: Catalogue,
  { taken, named }: RowKeys,
  errors: Record<string, string[]>,
): SchemeRow | undefined {
  const refuse = (field: string, text: string) => {
    errors[field] ??= [text];
  };
  const findCourse = (code: string, field: string) => {
    const [course, ...others] = catalogue.byCode(code);
    if (course === undefined) refuse(field, `There is no course with the code ${code}.`);
    else if (others.length > 0) refuse(field, `Several courses have the code ${code}.`);
    return course;
  };
  const courses = [...splitCodes(textOf(values.code)), ...splitCodes(textOf(values.options))].flatMap(
    (code) => findCourse(code, 'options') ?? [],
  );
  const needs = splitCodes(textOf(values.needs)).flatMap((code): Need[] => {
    const course = findCourse(code.replace(BESIDE, ''), 'needs');
    return course === undefined
      ? []
      : [{ course_id: course.course_id, kind: BESIDE.test(code) ? 'beside' : 'before' }];
  });
  const hours = readHours(values, refuse);
  const credits = values.credits === undefined || values.credits === null ? null : Number(values.credits);
  if (hours !== undefined && credits !== null && credits !== countCredits(hours))
    refuse('credits', `The credits must be ${countCredits(hours)}, the sum of the hours.`);
  const [first] = courses;
  const checked = checkInput(schemeRowInput, {
    key: textOf(values.key),
    semester: values.semester,
    title: textOf(values.title),
    ...(hours ?? { theory: 0, lab: 0 }),
    options: [...new Set(courses.map(({ course_id }) => course_id))],
    needs: needs.filter((need, at) => needs.findIndex((one) => isDeepStrictEqual(one, need)) === at),
  });
  if ('errors' in checked)
    for (const [field, [text = '']] of Object.entries(checked.errors)) refuse(field, text);
  const asked = foldKey(textOf(values.key));
  if (asked !== '' && named.has(asked))
    refuse('key', 'The key must be another than those of the rows before.');
  if (first === undefined || 'errors' in checked || Object.keys(errors).length > 0) return undefined;
  if (asked !== '') named.add(asked);
  const { key = makeRowKey(first.course_code, taken), title, semester, theory, lab, ...row } = checked.input;
  // In the order in which the form stores them, so that saving the same there changes nothing.
  return {
    key,
    semester,
    title: title ?? first.course_name,
    theory,
    lab,
    options: row.options,
    needs: row.needs,
  };
}

function readHours(
  values: ReadRow['values'],
  refuse: (field: string, text: string) => void,
): Hours | undefined {
  const text = textOf(values.hours);
  if (text !== '') {
    const hours = parseHours(text);
    if (hours !== undefined && countCredits(hours) <= MOST_HOURS) return hours;
    refuse('hours', 'The hours must be whole hours of theory and lab such as 3+1, at most 6 together.');
    return undefined;
  }
  if (values.theory === undefined && values.lab === undefined) {
    refuse('hours', 'The hours field is required.');
    return undefined;
  }
  const hours = { theory: Number(values.theory ?? 0), lab: Number(values.lab ?? 0) };
  for (const name of ['theory', 'lab'] as const) {
    const value = hours[name];
    if (!Number.isInteger(value) || value < 0 || value > MOST_HOURS)
      refuse(name, `The ${name} must be a whole number from 0 to ${MOST_HOURS}.`);
  }
  if (countCredits(hours) > MOST_HOURS)
    refuse('theory', 'The theory must be at most 6 together with the lab.');
  return hours;
}

/** The rows that an import replaced come back, if the draft was not changed since. */
async function checkUndo(source: Source, records: readonly ImportedRecord[]): Promise<CheckedUndo> {
  const undone: string[] = [];
  const kept: CheckedUndo['kept'] = [];
  const changes: { draft: SchemeTableRow; rows: string }[] = [];
  let refused: string | undefined;
  for (const { id, entries } of records) {
    const [entry] = entries;
    const draft = await findDraft(source, Number(id));
    const { latest } = await source.db
      .selectFrom('history')
      .select((eb) => eb.fn.max('id').as('latest'))
      .where('entity', '=', 'scheme')
      .where('entity_id', '=', id)
      .executeTakeFirstOrThrow();
    if (draft !== undefined && draft.number !== null) refused = draftFault(draft);
    if (draft === undefined) kept.push({ key: id, reason: 'Deleted since.' });
    else if (entry === undefined || Number(latest) !== entry.id)
      kept.push({ key: id, reason: 'Changed since.' });
    else {
      undone.push(id);
      changes.push({ draft, rows: JSON.stringify(parseState(entry.before).rows ?? []) });
    }
  }
  return {
    undone,
    kept,
    refused,
    store: async ({ tx, author, bulkId }) => {
      for (const { draft, rows } of changes) await storeDraft(tx, author, draft, { rows }, bulkId);
    },
  };
}
