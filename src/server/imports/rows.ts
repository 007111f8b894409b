import { setImmediate } from 'node:timers/promises';
import {
  IMPORT_ROW_STATES,
  type ImportRow,
  type ImportRowState,
  type ImportRows,
  type ImportRowsQuery,
  OTHER_PERSON,
} from '../../contract/imports.ts';
import { fullName } from '../../domain/student.ts';
import type { Db } from '../db/schema.ts';
import { AppError, invalidField } from '../errors.ts';
import { csvLine } from '../students/export/csv.ts';
import { fixesByLine, rowReader } from './check-rows.ts';
import { type ImportRecord, parseChoices, parseFile } from './imports.ts';
import { findStudentNames, ID_FIELDS } from './kinds/row-names.ts';
import { type CheckedRow, PAGE, readCheckedRows } from './stored-rows.ts';

/** Rows looked at per statement in a search: as many as take a few milliseconds. */
const SEARCHED = 1_000;

/** The rows of a page are read in parts: the refused ones first, or all in the order of the file. */
const PARTS: Record<ImportRowsQuery['order'], readonly (readonly ImportRowState[])[]> = {
  line: [IMPORT_ROW_STATES],
  'refused-first': [['refused'], ['create', 'update', 'unchanged']],
};

/**
 * A page of the rows of the latest preview.
 *
 * @throws AppError conflict before a preview; ValidationError for a cursor of another kind
 */
export async function listRows(
  db: Db,
  row: ImportRecord,
  { state, q, order, limit, cursor }: ImportRowsQuery,
): Promise<ImportRows> {
  requirePreview(row);
  const parts = state === undefined ? PARTS[order] : [[state]];
  const toRow = rowPresenter(row);
  const wanted = q?.toLowerCase();
  const matches = ({ cells }: PresentedRow) =>
    wanted === undefined || cells.some((cell) => cell.toLowerCase().includes(wanted));
  let { part, after } = readCursor(cursor);
  const rows: (readonly [PresentedRow, CheckedRow])[] = [];
  for (; part < parts.length; part += 1, after = 0) {
    for (;;) {
      const size = wanted === undefined ? limit - rows.length + 1 : SEARCHED;
      const found = await readCheckedRows(db, row.id, { after, states: parts[part], limit: size });
      for (const one of found) {
        const shown = toRow(one);
        if (!matches(shown)) {
          after = one.line;
          continue;
        }
        if (rows.length === limit)
          return { rows: await addNames(db, row, rows), next_cursor: `${part}.${after}` };
        rows.push([shown, one]);
        after = one.line;
      }
      if (found.length < size) break;
      await setImmediate();
    }
  }
  return { rows: await addNames(db, row, rows), next_cursor: null };
}

function readCursor(cursor: string | null | undefined): { part: number; after: number } {
  if (cursor === undefined || cursor === null) return { part: 0, after: 0 };
  const [, part, after] = /^([01])\.(\d{1,9})$/.exec(cursor) ?? [];
  if (part === undefined || after === undefined) {
    throw invalidField('cursor', 'The cursor must be the next_cursor of a page with the same filters.');
  }
  return { part: Number(part), after: Number(after) };
}

export function requirePreview({ counts }: ImportRecord): void {
  if (counts === null) throw new AppError('conflict', 'There is no complete preview of this import.');
}

type PresentedRow = Omit<ImportRow, 'name'>;

/** Beside an ID stands whose it is. */
async function addNames(
  db: Db,
  row: ImportRecord,
  shown: readonly (readonly [PresentedRow, CheckedRow])[],
): Promise<ImportRow[]> {
  const field = ID_FIELDS[row.kind];
  const choices = parseChoices(row);
  const read =
    field === null || choices === null
      ? undefined
      : rowReader(row, { ...choices, mapping: choices.mapping ?? {}, values: choices.values ?? {} }, [field]);
  const ids = shown.map(([, checked]) => (field === null ? undefined : read?.(checked).values[field]));
  const names = await findStudentNames(
    db,
    ids.filter((id) => typeof id === 'string'),
  );
  return shown.map(([one], at) => {
    const student = names.get(String(ids[at]));
    return { ...one, name: student === undefined ? null : fullName(student) };
  });
}

/** Presents rows with their corrections. */
function rowPresenter(row: ImportRecord): (checked: CheckedRow) => PresentedRow {
  const choices = parseChoices(row);
  const fixes = fixesByLine({ fixes: choices?.fixes ?? [] });
  const mapping = choices?.mapping ?? {};
  const { hidden_lines } = parseFile(row);
  const isHidden = (line: number) => hidden_lines.some(([first, last]) => first <= line && line <= last);
  return ({ line, cells, state, outcome }) => {
    const texts = cells.map(({ text }) => text);
    for (const [field, value] of Object.entries(fixes.get(line) ?? {})) {
      const column = mapping[field];
      if (column === undefined) continue;
      while (texts.length < column) texts.push('');
      texts[column] = value;
    }
    return {
      line,
      state: state ?? 'refused',
      key: outcome?.key ?? null,
      cells: texts,
      changes: outcome?.changes ?? [],
      errors: outcome?.errors ?? {},
      warnings: {
        ...outcome?.warnings,
        ...(isHidden(line) && { row: ['The row is hidden in the workbook.'] }),
      },
    };
  };
}

/** Why a row is refused. */
export const refusalTexts = ({ errors, warnings }: Pick<ImportRow, 'errors' | 'warnings'>): string[] => [
  ...Object.values(errors).flat(),
  ...(warnings[OTHER_PERSON] ?? []),
];

/** Excel reads a CSV as UTF-8 only if it begins with this. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The refused rows with all columns of the file, their lines and errors, as CSV that a spreadsheet reads as text. */
export async function* refusedCsv(db: Db, row: ImportRecord): AsyncGenerator<string> {
  const { columns } = parseFile(row);
  const toRow = rowPresenter(row);
  let text = BYTE_ORDER_MARK + csvLine([...columns.map(({ heading }) => heading), '_line', '_errors']);
  for (let after = 0; ; ) {
    const rows = await readCheckedRows(db, row.id, { after, states: ['refused'], limit: PAGE });
    for (const { line, cells, errors, warnings } of rows.map(toRow)) {
      const padded = columns.map((_, index) => cells[index] ?? '');
      text += csvLine([...padded, line, refusalTexts({ errors, warnings }).join(' ')]);
    }
    if (text !== '') yield text;
    text = '';
    const end = rows.at(-1);
    if (rows.length < PAGE || end === undefined) return;
    after = end.line;
    await setImmediate();
  }
}
