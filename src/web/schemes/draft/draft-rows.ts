import type { Scheme, SchemeUpdate } from '../../../contract/schemes/schemes.ts';
import { countCredits, MOST_HOURS, parseHours } from '../../../domain/schemes/hours.ts';
import {
  inSemesterOrder,
  makeRowKey,
  type Need,
  SCHEME_LIMITS,
  type SchemeRow,
} from '../../../domain/schemes/scheme.ts';
import type { Catalogue } from './catalogue.ts';

/** The cells of a row that are typed in. */
export const CELL_FIELDS = ['code', 'title', 'hours', 'needs'] as const;
export type CellField = (typeof CELL_FIELDS)[number];

/** A row of a draft, each cell as it was typed. */
export interface DraftRow extends Record<CellField, string> {
  /** Names the row on the screen. */
  id: number;
  /** Of a row that is stored; a new one gets one from its code. */
  key: string | undefined;
  semester: number;
}

export const isBlank = (row: DraftRow): boolean => CELL_FIELDS.every((field) => row[field].trim() === '');

let lastId = 0;

export const newRow = (semester: number): DraftRow => {
  lastId += 1;
  return { id: lastId, key: undefined, semester, code: '', title: '', hours: '', needs: '' };
};

/** The stored rows as they are typed. */
export const toDraftRows = (rows: Scheme['rows'], catalogue: Catalogue): DraftRow[] =>
  rows.map((row) => ({
    ...newRow(row.semester),
    key: row.key,
    code: row.options.map(catalogue.nameOf).join(' / '),
    title: row.title,
    hours: `${row.theory}+${row.lab}`,
    needs: row.needs
      .map(({ course_id, kind }) => `${kind === 'beside' ? 'beside ' : ''}${catalogue.nameOf(course_id)}`)
      .join(', '),
  }));

/** Texts that are shown in the cells of a row. */
export type CellFaults = Partial<Record<CellField, string>>;

/** A row that could be read, or why it could not. */
export type ReadRow = { row: Omit<SchemeRow, 'key'>; faults?: undefined } | { faults: CellFaults };

const splitNames = (text: string, by: RegExp) =>
  text
    .split(by)
    .map((part) => part.trim())
    .filter(Boolean);

/** Why a cell can't be read. */
class CellFault extends Error {}

const OPTIONS_BREAK = /[/;,]|\s+or\s+/i;
const NEEDS_BREAK = /[/;,]/;
const BESIDE = /^beside\s+/i;

/** Reads the courses that a cell names. @throws CellFault */
function readCourses(names: readonly string[], catalogue: Catalogue): number[] {
  const ids = names.map((name) => {
    const found = catalogue.find(name);
    if (found !== undefined) return found;
    const codes = catalogue.search(name).map(({ course_code }) => course_code);
    throw new CellFault(
      codes.length === 0 ? `There is no course ${name}.` : `Which one is ${name}: ${codes.join(', ')}?`,
    );
  });
  if (new Set(ids).size < ids.length) throw new CellFault('A course stands here twice.');
  return ids;
}

function readCell<Value>(read: () => Value): { value: Value; fault?: undefined } | { fault: string } {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof CellFault) return { fault: error.message };
    throw error;
  }
}

function readOptions(text: string, catalogue: Catalogue): number[] {
  const names = splitNames(text, OPTIONS_BREAK);
  if (names.length === 0) throw new CellFault('Type the code of a course.');
  if (names.length > SCHEME_LIMITS.options) throw new CellFault(`At most ${SCHEME_LIMITS.options} courses.`);
  return readCourses(names, catalogue);
}

function readNeeds(text: string, options: readonly number[], catalogue: Catalogue): Need[] {
  const names = splitNames(text, NEEDS_BREAK);
  if (names.length > SCHEME_LIMITS.needs) throw new CellFault(`At most ${SCHEME_LIMITS.needs} courses.`);
  const ids = readCourses(
    names.map((name) => name.replace(BESIDE, '')),
    catalogue,
  );
  const own = ids.findIndex((id) => options.includes(id));
  if (own !== -1) throw new CellFault(`${names[own]} fills the row itself.`);
  return ids.map((course_id, i) => ({ course_id, kind: BESIDE.test(names[i] ?? '') ? 'beside' : 'before' }));
}

function readHours(text: string) {
  const hours = parseHours(text);
  if (hours === undefined) throw new CellFault('Hours of theory and lab, as 3+1.');
  if (countCredits(hours) > MOST_HOURS) throw new CellFault(`At most ${MOST_HOURS} together.`);
  return hours;
}

function readRow(row: DraftRow, catalogue: Catalogue): ReadRow {
  const options = readCell(() => readOptions(row.code, catalogue));
  const hours = readCell(() => readHours(row.hours));
  const needs = readCell(() => readNeeds(row.needs, 'value' in options ? options.value : [], catalogue));
  if (!('value' in options) || !('value' in hours) || !('value' in needs)) {
    const { fault: code } = options;
    return {
      faults: {
        ...(code !== undefined && { code }),
        ...(hours.fault !== undefined && { hours: hours.fault }),
        ...(needs.fault !== undefined && { needs: needs.fault }),
      },
    };
  }
  const [first = 0] = options.value;
  const title = row.title.trim() || (catalogue.courses.get(first)?.course_name ?? '');
  return {
    row: { semester: row.semester, title, ...hours.value, options: options.value, needs: needs.value },
  };
}

export interface ReadDraft {
  /** The rows that could be read, in the order of the semesters, with the keys that they will have. */
  rows: { id: number; row: SchemeRow }[];
  /** Of the rows that could not be read. */
  faults: ReadonlyMap<number, CellFaults>;
}

/** Reads the rows. Blank ones are left out. */
export function readDraftRows(typed: readonly DraftRow[], catalogue: Catalogue): ReadDraft {
  const rows: ReadDraft['rows'] = [];
  const faults = new Map<number, CellFaults>();
  const taken = new Set(typed.flatMap(({ key }) => (key === undefined ? [] : key.toLowerCase())));
  for (const one of inSemesterOrder(typed.filter((row) => !isBlank(row)))) {
    const read = readRow(one, catalogue);
    if (read.faults !== undefined) {
      faults.set(one.id, read.faults);
      continue;
    }
    const code = catalogue.courses.get(read.row.options[0] ?? 0)?.course_code ?? '';
    rows.push({ id: one.id, row: { ...read.row, key: one.key ?? makeRowKey(code, taken) } });
  }
  return { rows, faults };
}

/** The rows as the call takes them. */
export const toRowsBody = ({ rows }: Pick<ReadDraft, 'rows'>): SchemeUpdate['rows'] =>
  rows.map(({ row: { key, semester, title, theory, lab, options, needs } }) => ({
    key,
    semester,
    title,
    theory,
    lab,
    options: [...options],
    needs: needs.map(({ course_id, kind }) => ({ course_id, kind })),
  }));

/** A cell as it stands once it is left: courses by their codes, hours with a plus. What can't be read stays. */
export function tidyCell(field: CellField, text: string, catalogue: Catalogue): string {
  const tidyName = (name: string) => {
    const id = catalogue.find(name);
    return id === undefined ? name : catalogue.nameOf(id);
  };
  if (field === 'code') return splitNames(text, OPTIONS_BREAK).map(tidyName).join(' / ');
  if (field === 'needs')
    return splitNames(text, NEEDS_BREAK)
      .map((name) => (BESIDE.test(name) ? `beside ${tidyName(name.replace(BESIDE, ''))}` : tidyName(name)))
      .join(', ');
  const hours = field === 'hours' ? parseHours(text) : undefined;
  return hours === undefined ? text.trim() : `${hours.theory}+${hours.lab}`;
}

/** The rows with the cells that follow from the course of a new code: the title and the hours that are empty or were those of the course before. */
export function followCode(
  row: DraftRow,
  code: string,
  catalogue: Catalogue,
): Pick<DraftRow, 'code' | 'title' | 'hours'> {
  const before = catalogue.findCourse(row.code);
  const after = catalogue.findCourse(code);
  const { title, hours } = row;
  if (after === undefined) return { code, title, hours };
  const follows = title.trim() === '' || title === before?.course_name;
  const credits = after.credits === null ? '' : `${after.credits}+0`;
  return {
    code,
    title: follows ? after.course_name : title,
    hours: hours.trim() === '' ? credits : hours,
  };
}

/** Moves a row by one place; past the first or last of its semester into the semester beside it. */
export function moveRow(rows: readonly DraftRow[], id: number, step: 1 | -1, last: number): DraftRow[] {
  const all = inSemesterOrder(rows);
  const from = all.findIndex((row) => row.id === id);
  const row = all[from];
  if (row === undefined) return all;
  const other = all[from + step];
  if (other?.semester === row.semester) return all.with(from, other).with(from + step, row);
  const semester = row.semester + step;
  if (semester < 1 || semester > last) return all;
  return inSemesterOrder(all.with(from, { ...row, semester }));
}
