import { isAbsence, isNumberLike } from './cells.ts';
import { CellScanner } from './csv-cells.ts';
import { assessmentName, type HeadingRole, headingRole } from './heading-role.ts';
import { type LeftOutRow, leftOutRow } from './left-out-rows.ts';

type Table = readonly (readonly string[])[];

/** A pasted table, divided into marks and what belongs to them. */
export interface PastedTable {
  /** Rows of marks, each with its position in the table. */
  rows: readonly { row: number; cells: readonly string[] }[];
  /** The cells of a first row of headings. */
  headings: readonly string[] | undefined;
  /** The column with the IDs of students. */
  idColumn: number | undefined;
  /** Columns with names of the students, whose cells together are one name. */
  nameColumns: readonly number[];
  /** Columns with marks, each with the position of the component that its heading names. */
  markColumns: readonly { column: number; component: number | undefined }[];
  /** Columns that are not read, and why. */
  leftOutColumns: readonly { column: number; heading: string; why: LeftOutColumn }[];
  /** Rows that are no student's, and why. */
  leftOutRows: readonly { row: number; cells: readonly string[]; why: LeftOutRow }[];
}

export type LeftOutColumn = 'serial' | 'name' | 'full' | 'percentage' | 'total' | 'other' | 'unnamed';

/** Known names: those of the students by ID, and of the components in their order. */
export interface Known {
  studentIds: ReadonlySet<string>;
  components: readonly string[];
  /** The highest mark that any component takes. */
  highest: number;
}

/** IDs are compared without case, and without the `.0` that some programs write after whole numbers. */
export const foldId = (id: string): string =>
  // Most cells of a paste are looked at, and have nothing to fold.
  /^[\w-]*$/.test(id) ? id.toUpperCase() : normalizeId(id);

const normalizeId = (id: string): string =>
  id
    .normalize('NFKC')
    .replaceAll(/[\s\u200b-\u200f\u00ad\ufeff]+/g, '')
    .replace(/^(\d+)\.0+$/, '$1')
    .toUpperCase();

/**
 * The cells of copied text. Tabs separate them, otherwise semicolons that are in every line, or commas beside a known ID. Cells
 * in quotation marks may have tabs and line breaks. Empty lines at the end are no rows.
 */
export function readPastedText(text: string, studentIds: ReadonlySet<string>): string[][] {
  const own = text.replace(/(?:\r\n|\r|\n)+$/, '');
  const byTab = splitCells(own, '\t');
  if (byTab.some((row) => row.length > 1)) return byTab;
  const bySemicolon = splitCells(own, ';');
  if (bySemicolon.every((row) => row.length > 1)) return bySemicolon;
  const byComma = splitCells(own, ',');
  return findIdColumn(byComma, studentIds) === undefined ? byTab : byComma;
}

function splitCells(text: string, separator: '\t' | ';' | ','): string[][] {
  const scanner = new CellScanner(text, separator);
  const rows: string[][] = [];
  let row: string[] = [];
  while (scanner.next()) {
    // Other programs do not put quotation marks around their cells: this one begins with such a mark.
    if (scanner.isBroken) return text.split(/\r\n|\r|\n/).map((line) => line.split(separator).map(trim));
    row.push(trim(scanner.value));
    if (!scanner.endsLine) continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

const trim = (cell: string) => cell.trim();

/** Finds out what a table has, before anything is decided about where its marks go. */
export function surveyPasted(table: Table, known: Known): PastedTable {
  const components = known.components.map(assessmentName);
  const idColumn = findIdColumn(table, known.studentIds);
  const headings = hasHeadings(table, idColumn, known) ? table[0] : undefined;
  const below = table
    .map((cells, row) => ({ row, cells }))
    .slice(headings === undefined ? 0 : 1)
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  // Blank cells between marks are marks that are emptied, unless there are IDs.
  const rows =
    idColumn === undefined ? table.map((cells, row) => ({ row, cells })).slice(headings ? 1 : 0) : below;
  const leftOutRows = below.flatMap(({ row, cells }) => {
    const why = cells.length > 1 ? leftOutRow(cells) : undefined;
    return why === undefined ? [] : [{ row, cells, why }];
  });
  const isLeftOut = new Set(leftOutRows.map(({ row }) => row));
  const own = rows.filter(({ row }) => !isLeftOut.has(row));
  const width = Math.max(0, ...table.map((cells) => cells.length));
  const columns = Array.from({ length: width }, (_, column): PastedColumn => {
    const cells = own.map((row) => row.cells[column] ?? '').filter((cell) => cell !== '');
    const heading = headings?.[column] ?? '';
    const marks = cells.filter(isMarkLike).length;
    return {
      column,
      heading,
      cells,
      role: heading === '' ? 'unknown' : headingRole(heading),
      component: heading === '' ? undefined : onlyIndex(components, assessmentName(heading)),
      hasMarks: marks > 0 && 2 * marks >= cells.length,
    };
  });
  const others = columns.filter(({ column }) => column !== idColumn);
  return { rows: own, headings, idColumn, leftOutRows, ...sortColumns(others, idColumn, known.highest) };
}

interface PastedColumn {
  column: number;
  heading: string;
  /** The cells that are not blank. */
  cells: readonly string[];
  role: HeadingRole;
  component: number | undefined;
  hasMarks: boolean;
}

type Sorted = Pick<PastedTable, 'nameColumns' | 'markColumns' | 'leftOutColumns'>;

function sortColumns(
  columns: readonly PastedColumn[],
  idColumn: number | undefined,
  highest: number,
): Sorted {
  const leftOut: { column: number; heading: string; why: LeftOutColumn }[] = [];
  const names: number[] = [];
  let marks: PastedColumn[] = [];
  for (const one of columns) {
    const why = neverMarks(one);
    if (one.cells.length === 0) continue;
    if (why === undefined) marks.push(one);
    else leftOut.push({ column: one.column, heading: one.heading, why });
    if (why === 'name' && (one.heading !== '' || names.length === 0)) names.push(one.column);
  }
  const leaveOut = (why: LeftOutColumn, isOut: (one: PastedColumn) => boolean) => {
    const kept = marks.filter((one) => !isOut(one));
    if (kept.length === 0) return;
    for (const one of marks.filter(isOut)) leftOut.push({ column: one.column, heading: one.heading, why });
    marks = kept;
  };
  leaveOut('serial', (one) => isSerial(one, idColumn));
  leaveOut(
    'other',
    ({ component, cells }) => component === undefined && cells.every((cell) => Number(cell) > highest),
  );
  if (marks.some(({ component }) => component !== undefined)) {
    leaveOut('unnamed', ({ component }) => component === undefined);
  }
  leaveOut('total', ({ component, role }) => component === undefined && role === 'total');
  return {
    nameColumns: names,
    markColumns: marks.map(({ column, component }) => ({ column, component })),
    leftOutColumns: leftOut.sort((a, b) => a.column - b.column),
  };
}

/** Why a column has no marks, by its heading or its cells. */
function neverMarks({ heading, role, component, hasMarks }: PastedColumn): LeftOutColumn | undefined {
  if (component !== undefined && hasMarks) return undefined;
  switch (role) {
    case 'serial':
    case 'name':
    case 'full':
    case 'percentage':
    case 'other':
      return role;
    case 'id':
      return 'other';
    default:
      if (hasMarks) return undefined;
      return heading === '' ? 'name' : 'other';
  }
}

/** Fewer consecutive numbers may be marks. */
const MIN_SERIALS = 3;

/** Whether an unheaded column counts its rows: 1, 2, 3 …, or any consecutive numbers left of the IDs. */
function isSerial(
  { column, heading, component, cells }: PastedColumn,
  idColumn: number | undefined,
): boolean {
  if (heading !== '' && component !== undefined) return false;
  const isBeforeIds = idColumn !== undefined && column < idColumn;
  const first = Number(cells[0]);
  if (!Number.isInteger(first) || (!isBeforeIds && (first !== 1 || cells.length < MIN_SERIALS))) return false;
  return cells.every((cell, at) => /^\d+\.?$/.test(cell) && Number.parseInt(cell, 10) === first + at);
}

/** A mark, or what stands in place of one. A heading with digits, such as "OHT 1", is none. */
const isMarkLike = (cell: string) =>
  (isNumberLike(cell) && !/\p{L}/u.test(cell)) || /^[AE]$/i.test(cell) || isAbsence(cell);

function hasHeadings(table: Table, idColumn: number | undefined, { studentIds, components }: Known): boolean {
  const [first = []] = table;
  const filled = first.filter((cell) => cell !== '');
  if (table.length < 2 || filled.length === 0) return false;
  if (filled.some((cell) => isMarkLike(cell) || studentIds.has(foldId(cell)))) return false;
  const id = idColumn === undefined ? '' : (first[idColumn] ?? '');
  if (!/\d/.test(id) || headingRole(id) === 'id') return true;
  // An ID of nobody on the sheet, without a mark beside it.
  const names = components.map(assessmentName);
  return first.some((cell, column) => column !== idColumn && names.includes(assessmentName(cell)));
}

/** The column in which most rows have a known ID, but for one row of headings. A single column has marks. */
function findIdColumn(table: Table, studentIds: ReadonlySet<string>): number | undefined {
  const width = Math.max(0, ...table.map((cells) => cells.length));
  if (width < 2) return undefined;
  const filled = table.filter((cells) => cells.some((cell) => cell !== '')).length;
  let best: number | undefined;
  let most = 0;
  for (let column = 0; column < width; column += 1) {
    const hits = table.filter((cells) => studentIds.has(foldId(cells[column] ?? ''))).length;
    if (hits > most && 2 * (hits + 1) >= filled) {
      best = column;
      most = hits;
    }
  }
  return best;
}

function onlyIndex(names: readonly string[], wanted: string): number | undefined {
  const index = names.indexOf(wanted);
  return index >= 0 && names.lastIndexOf(wanted) === index ? index : undefined;
}
