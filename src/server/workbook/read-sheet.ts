import { Archive, MissingSheet, UnreadableWorkbook } from './archive.ts';
import { readCells, type SheetCell } from './read-cells.ts';
import { type ListedSheet, readWorkbookParts } from './workbook-parts.ts';

/** The part of a workbook that is read: the names of its sheets and the cells of one of them. */
export interface WorkbookSheet {
  /** The sheets that are not hidden, in the order of the workbook. */
  names: string[];
  /** The sheet that was read. */
  name: string;
  /** Rows from the first row of the sheet on; null for blank cells. */
  rows: (SheetCell | null)[][];
  /** Positions in `rows` of those that the workbook hides, as a filter does. */
  hidden: ReadonlySet<number>;
  /** Whether the workbook counts days from 1904 on, not from 1900. */
  is1904: boolean;
}

interface SheetChoice {
  /** The name of the sheet; without it, the first one that is not hidden and has rows. */
  name?: string | undefined;
  /** How many rows a sheet must have to be taken without being named. */
  minRows?: number;
}

/**
 * Reads one sheet of a workbook in the XLSX format.
 *
 * @throws UnreadableWorkbook
 */
export async function readSheet(
  bytes: Uint8Array,
  { name: wanted, minRows = 1 }: SheetChoice = {},
): Promise<WorkbookSheet> {
  const archive = new Archive(bytes);
  const workbook = await readWorkbookParts(archive);
  const shown = workbook.sheets.filter(({ isHidden }) => !isHidden);
  const names = shown.map(({ name }) => name);
  const listed = wanted === undefined ? shown : shown.filter(({ name }) => name === wanted);
  const [first, ...others] = listed;
  if (first === undefined) {
    throw wanted === undefined ? new UnreadableWorkbook('has no sheet.') : noSuchSheet(wanted, names);
  }
  const read = async ({ name, part }: ListedSheet) => ({
    names,
    name,
    is1904: workbook.is1904,
    ...(await readCells(archive.readText(part), workbook)),
  });
  const chosen = await read(first);
  if (wanted !== undefined || countRows(chosen) >= minRows) return chosen;
  for (const other of others) {
    const next = await read(other);
    if (countRows(next) >= minRows) return next;
  }
  return chosen;
}

/** Rows that are not blank. */
const countRows = ({ rows }: Pick<WorkbookSheet, 'rows'>) =>
  rows.filter((row) => row.some((cell) => cell !== null && cell.text.trim() !== '')).length;

const noSuchSheet = (wanted: string, names: readonly string[]) =>
  new MissingSheet(
    `has no sheet “${wanted}”. ${names.length === 0 ? 'It has none.' : `Its sheets are: ${names.map((name) => `“${name}”`).join(', ')}.`}`,
  );
