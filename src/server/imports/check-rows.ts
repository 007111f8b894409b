import { setImmediate } from 'node:timers/promises';
import type { Db } from '../db/schema.ts';
import { batches } from '../students/bulk/change.ts';
import { type CompleteChoices, toReadingChoices } from './choices.ts';
import { fileOf, type ImportRecord } from './imports.ts';
import type { CheckedRecords, ImportedKind, ReadRow, Source } from './kinds/kind.ts';
import type { ImportRowCells } from './reading/import-file.ts';
import { rulesOf } from './reading/layouts.ts';
import { readValues } from './reading/read-values.ts';
import { findRows, readRows } from './stored-rows.ts';

type ReadCells = (cells: ImportRowCells) => ReadRow;

/**
 * Reads the values of rows as the choices of a preview say, with its corrections.
 *
 * @param fields only these
 */
function rowReader(
  row: Pick<ImportRecord, 'kind' | 'file'>,
  choices: CompleteChoices,
  fields?: readonly string[],
): ReadCells {
  const { columns, is_1904 } = fileOf(row);
  const reading = toReadingChoices(choices, { columns, is1904: is_1904 });
  const fixes = fixesByLine(choices);
  const rules = rulesOf(row.kind, choices.layout, columns).filter(
    ({ field }) => fields === undefined || fields.includes(field),
  );
  return (cells) => ({
    line: cells.line,
    ...readValues(rules, cells, reading, fixes.get(cells.line)),
  });
}

/** The corrected values by line and field. */
export function fixesByLine({
  fixes,
}: Pick<CompleteChoices, 'fixes'>): ReadonlyMap<number, Readonly<Record<string, string>>> {
  const byLine = new Map<number, Record<string, string>>();
  for (const { line, field, value } of fixes) byLine.set(line, { ...byLine.get(line), [field]: value });
  return byLine;
}

/** The lines of one record. */
interface RecordLines {
  key: string | null;
  lines: number[];
}

/** The records that the rows belong to, in the order of their first rows. */
async function findRecords(db: Db, importId: number, read: ReadCells, kind: ImportedKind) {
  const records: RecordLines[] = [];
  const byKey = new Map<string, RecordLines>();
  for await (const page of readRows(db, importId)) {
    for (const cells of page) {
      const key = kind.recordKey(read(cells).values);
      const known = key === null ? undefined : byKey.get(key);
      if (known !== undefined) {
        known.lines.push(cells.line);
        continue;
      }
      const record = { key, lines: [cells.line] };
      records.push(record);
      if (key !== null) byKey.set(key, record);
    }
    await setImmediate();
  }
  return records;
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
  { kind, row, choices }: { kind: ImportedKind; row: ImportRecord; choices: CompleteChoices },
): AsyncGenerator<CheckedRecords> {
  const read = rowReader(row, choices);
  const options = { mode: choices.mode, layout: choices.layout, courseId: row.course_id };
  const records = await findRecords(db, row.id, rowReader(row, choices, kind.keyFields), kind);
  for await (const batch of batches(records, kind.batchSize)) {
    const cells = await findRows(
      db,
      row.id,
      batch.flatMap(({ lines }) => lines),
    );
    const rows = new Map(cells.map((one) => [one.line, read(one)]));
    yield await kind.check(
      source,
      batch.map(({ key, lines }) => ({ key, rows: lines.flatMap((line) => rows.get(line) ?? []) })),
      options,
    );
  }
}
