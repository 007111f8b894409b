import { setImmediate } from 'node:timers/promises';
import type { ImportKind } from '../../contract/imports.ts';
import { leftOutRow, leftOutText } from '../../domain/columns/left-out-rows.ts';
import { withPauses } from '../chunks.ts';
import type { Db } from '../db/schema.ts';
import { type CompleteChoices, toReadingChoices } from './choices.ts';
import { type ImportRecord, parseFile } from './imports.ts';
import type {
  CheckedRecords,
  ImportedKind,
  ImportOptions,
  ReadRow,
  RecordRows,
  Source,
} from './kinds/kind.ts';
import { refusedRow } from './kinds/outcomes.ts';
import type { ImportRowCells } from './reading/import-file.ts';
import { getFieldRules } from './reading/layouts.ts';
import { readValues } from './reading/read-values.ts';
import { findRows, readRows } from './stored-rows.ts';

type ReadCells = (cells: ImportRowCells) => ReadRow;

/**
 * Reads the values of rows as the choices of a preview say, with its corrections.
 *
 * @param fields only these
 */
export function rowReader(
  row: Pick<ImportRecord, 'kind' | 'file'>,
  choices: CompleteChoices,
  fields?: readonly string[],
): ReadCells {
  const file = parseFile(row);
  const { columns } = file;
  const reading = toReadingChoices(choices, file);
  const fixes = fixesByLine(choices);
  const rules = getFieldRules(row.kind, choices.layout, columns, choices.mapping).filter(
    ({ field }) => fields === undefined || fields.includes(field),
  );
  const isMarks = row.kind === 'marks';
  return (cells) => {
    // A row that somebody corrects is a record's.
    const leftOut =
      fixes.has(cells.line) || (isMarks && fields !== undefined) ? undefined : whyLeftOut(cells, row.kind);
    if (leftOut !== undefined && !isMarks) return { line: cells.line, values: {}, errors: {}, leftOut };
    const { values, errors } = readValues(rules, cells, reading, fixes.get(cells.line));
    return { line: cells.line, values, errors, leftOut };
  };
}

const RECORD_NAMES = {
  students: 'student',
  results: 'student',
  marks: 'student',
  courses: 'course',
  scheme: 'row of the scheme',
} as const satisfies Record<ImportKind, string>;

/** Why a row is no record's, such as one of totals; undefined for all others. */
function whyLeftOut({ cells }: ImportRowCells, kind: ImportKind): string | undefined {
  const texts = cells.map(({ text }) => text);
  const why = leftOutRow(texts);
  return why && leftOutText(texts, why, RECORD_NAMES[kind]);
}

const isLeftOut = (row: ReadRow): boolean => row.leftOut !== undefined;
const hasRows = ({ rows }: RecordRows): boolean => rows.length > 0;

/** The corrected values by line and field. */
export function fixesByLine({
  fixes,
}: Pick<CompleteChoices, 'fixes'>): ReadonlyMap<number, Readonly<Record<string, string>>> {
  const byLine = new Map<number, Record<string, string>>();
  for (const { line, field, value } of fixes) byLine.set(line, { ...byLine.get(line), [field]: value });
  return byLine;
}

/** The lines of one record. Most records have one, and there may be as many records as rows. */
type RecordLines = number | number[];

/** The lines of each record, and those whose record can't be told. */
async function findRecords(db: Db, importId: number, read: ReadCells, kind: ImportedKind) {
  const linesByRecord = new Map<string, RecordLines>();
  const unreadable: number[] = [];
  for await (const page of readRows(db, importId)) {
    for (const cells of page) {
      const key = kind.recordKey(read(cells).values);
      const known = key === null ? undefined : linesByRecord.get(key);
      if (key === null) unreadable.push(cells.line);
      else if (Array.isArray(known)) known.push(cells.line);
      else linesByRecord.set(key, known === undefined ? cells.line : [known, cells.line]);
    }
    await setImmediate();
  }
  return { linesByRecord, unreadable };
}

/** Records in the order of their first rows, a batch at a time; then those whose key can't be read. */
function* recordBatches(
  { linesByRecord, unreadable }: Awaited<ReturnType<typeof findRecords>>,
  size: number,
) {
  let batch: { key: string | null; lines: readonly number[] }[] = [];
  const add = function* (key: string | null, lines: RecordLines) {
    batch.push({ key, lines: Array.isArray(lines) ? lines : [lines] });
    if (batch.length < size) return;
    yield batch;
    batch = [];
  };
  for (const [key, lines] of linesByRecord) yield* add(key, lines);
  for (const line of unreadable) yield* add(null, line);
  if (batch.length > 0) yield batch;
}

/**
 * Checks all rows of an import against the records, a batch of records at a time. Lets other calls run between batches.
 *
 * @param db where the rows are read, which never change
 * @param source where the records are read
 */
export async function* checkRows(
  db: Db,
  source: Source,
  {
    kind,
    row,
    choices,
    role,
  }: { kind: ImportedKind; row: ImportRecord; choices: CompleteChoices; role: ImportOptions['role'] },
): AsyncGenerator<CheckedRecords> {
  const read = rowReader(row, choices);
  const { mode, layout, absent } = choices;
  const options = {
    mode,
    layout,
    absent,
    role,
    courseId: row.course_id,
    schemeId: row.scheme_id,
    accepted: new Set(choices.accept),
  };
  const records = await findRecords(db, row.id, rowReader(row, choices, kind.keyFields), kind);
  for (const batch of recordBatches(records, kind.batchSize)) {
    await setImmediate();
    const cells = await findRows(
      db,
      row.id,
      batch.flatMap(({ lines }) => lines),
    );
    const rows = new Map<number, ReadRow>();
    for await (const one of withPauses(cells)) rows.set(one.line, read(one));
    const summaries = row.kind === 'marks' ? [] : [...rows.values()].filter(isLeftOut);
    const recordRows = batch.map(({ key, lines }) => ({
      key,
      rows: lines.flatMap((line) => rows.get(line) ?? []).filter((one) => !summaries.includes(one)),
    }));
    const checked = await kind.check(source, recordRows.filter(hasRows), options);
    const refused = summaries.map((one) =>
      refusedRow(one, null, { row: [`${one.leftOut}. Take it out of the file, or leave out refused rows.`] }),
    );
    yield {
      ...checked,
      outcomes: [...checked.outcomes, ...refused],
      ...(checked.unaccepted && { unaccepted: [...checked.unaccepted, ...refused] }),
    };
  }
}
