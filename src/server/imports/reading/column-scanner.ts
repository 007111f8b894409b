import type { DateOrder, ImportColumn, ImportKind } from '../../../contract/imports.ts';
import { isAbsence } from '../../../domain/columns/cells.ts';
import { readDateText } from './dates.ts';
import { recogniseFields, recogniseMarks } from './headings.ts';
import type { ImportRowCells } from './import-file.ts';

const MAX_SAMPLES = 3;
/** Cells by which it is told which column has marks. */
const MAX_SURVEYED = 50;
const MAX_SAMPLE_LENGTH = 100;

interface ColumnFigures {
  samples: string[];
  /** Words for absent students in the cells of an import of marks. */
  absent: Set<string>;
  /** Dates of which one part can only be the day: as the first part, and as the second. */
  dayFirst: number;
  monthFirst: number;
  /** Dates that can be read in both orders as different days. */
  either: number;
}

/** Finds out what the columns of a file have, from its headings and all its rows. */
export class ColumnScanner {
  readonly #kind: ImportKind;
  readonly #remembered: ReadonlyMap<string, string | null>;
  readonly #headings: readonly string[];
  readonly #fields: readonly (string | null)[];
  readonly #figures: readonly ColumnFigures[];

  /** @param remembered fields of earlier imports of this person, by normalized heading; null for a column that was not read */
  constructor(
    kind: ImportKind,
    headings: readonly string[],
    remembered: ReadonlyMap<string, string | null> = new Map(),
  ) {
    this.#kind = kind;
    this.#remembered = remembered;
    this.#headings = headings;
    this.#fields = recogniseFields(kind, headings, remembered);
    this.#figures = headings.map(() => ({
      samples: [],
      absent: new Set(),
      dayFirst: 0,
      monthFirst: 0,
      either: 0,
    }));
  }

  add(rows: readonly ImportRowCells[]): void {
    const maxSamples = this.#kind === 'marks' ? MAX_SURVEYED : MAX_SAMPLES;
    for (const { cells } of rows) {
      for (const [index, column] of this.#figures.entries()) {
        const cell = cells[index];
        if (cell === undefined || cell.text.trim() === '') continue;
        if (column.samples.length < maxSamples) {
          column.samples.push(cell.text.trim().slice(0, MAX_SAMPLE_LENGTH));
        }
        if (this.#kind === 'marks' && column.absent.size < MAX_SAMPLES && isAbsence(cell.text)) {
          column.absent.add(cell.text.trim());
        }
        if (cell.date === undefined) countDate(column, cell.text);
      }
    }
  }

  /** `date_order` and `ambiguous` are answered for every column with dates, whichever field it is read as. */
  columns(): ImportColumn[] {
    const { fields, candidates } = this.#recognised();
    return this.#figures.map((column, index) => ({
      index,
      heading: this.#headings[index] ?? '',
      samples: column.samples.slice(0, MAX_SAMPLES),
      field: fields[index] ?? null,
      may_have_marks: candidates.includes(index),
      absent: [...column.absent],
      date_order: decidedOrder(column),
      ambiguous: column.either > 0 && column.dayFirst === 0 && column.monthFirst === 0,
    }));
  }

  /** The fields of the columns. Which column has marks is told by its cells too. */
  #recognised(): { fields: readonly (string | null)[]; candidates: readonly number[] } {
    if (this.#kind !== 'marks') return { fields: this.#fields, candidates: [] };
    const columns = this.#figures.map(({ samples }, index) => ({
      heading: this.#headings[index] ?? '',
      samples,
    }));
    const found = recogniseMarks(columns, this.#remembered);
    if (found.kind !== 'one') return { fields: this.#fields, candidates: found.indexes };
    const fields = this.#fields.map((field, index) => (index === found.index ? 'marks' : field));
    return { fields, candidates: [] };
  }
}

function countDate(column: ColumnFigures, text: string): void {
  // Most cells are no dates, and all are looked at.
  if (!/^\s*\d/.test(text)) return;
  const read = readDateText(text, false);
  if (read.kind !== 'parts') return;
  if (read.first > 12) column.dayFirst += 1;
  else if (read.second > 12) column.monthFirst += 1;
  else if (read.first !== read.second) column.either += 1;
}

/** Null for contradictory dates as well: none of the column can be read then. */
function decidedOrder({ dayFirst, monthFirst }: ColumnFigures): DateOrder | null {
  if (dayFirst > 0 && monthFirst === 0) return 'day-first';
  return monthFirst > 0 && dayFirst === 0 ? 'month-first' : null;
}
