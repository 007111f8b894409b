import { type RawBuilder, sql } from 'kysely';
import type { Direction, StudentOrder, StudentSort } from '../../../contract/students/student-list.ts';
import type { NamedParameter } from '../../db/prepared-query.ts';
import { type Condition, countForms, type ListPart, type ParsedFilter, wordValues } from './filter.ts';

/** The position of a row in an order: its part, its sort key there, then its id among rows with equal keys. */
export type RowPosition = readonly [key: string | number, id: string, part: ListPart];

/** An order, and whether it is read from its last row on. */
export interface ReadOrder extends StudentOrder {
  isBackwards: boolean;
}

/** The column that each order sorts by. Each has an index on semester, department and this column. */
export const SORT_COLUMNS: Record<StudentSort, string> = {
  id: 'id_key',
  name: 'name_key',
  dob: 'dob',
  degree: 'degree_key',
  fsc_marks: 'fsc_marks',
  matric_marks: 'matric_marks',
  cgpa: 'cgpa',
};

export interface ListRange {
  filter: ParsedFilter;
  order: ReadOrder;
  /** The last row of the page before; undefined for the first page. */
  after: RowPosition | undefined;
  limit: number;
}

/** A range within one part of the order. */
export interface PartRange extends ListRange {
  part: ListPart;
}

/** Reads one part of the order after the other, until there are enough rows. */
export async function readParts(
  range: ListRange,
  readPart: (range: PartRange) => Promise<RowPosition[]>,
): Promise<RowPosition[]> {
  const found: RowPosition[] = [];
  for (const one of toPartRanges(range)) {
    found.push(...(await readPart({ ...one, limit: range.limit - found.length })));
    if (found.length >= range.limit) break;
  }
  return found;
}

/** The range in each part of the order that it reaches. */
export function toPartRanges(range: ListRange): PartRange[] {
  const { filter, order, after } = range;
  const parts = order.isBackwards ? filter.parts.toReversed() : filter.parts;
  return parts
    .slice(after && Math.max(0, parts.indexOf(after[2])))
    .map((part) => ({ ...range, part, after: after?.[2] === part ? after : undefined }));
}

export interface Shape {
  sort: StudentSort;
  /** The direction in which the rows are read. */
  direction: Direction;
  part: ListPart;
  conditions: readonly Condition[];
  isFirst: boolean;
  /** Only rows up to a position, the end. */
  hasEnd?: boolean;
  /** The number of forms of each. */
  words: readonly number[];
  /** Only students with a CGPA, or only those without; undefined for both. */
  hasCgpa?: boolean;
}

export const sortKey = (sort: StudentSort) => sql.ref(`s.${SORT_COLUMNS[sort]}`);
export const directionSql = ({ direction }: Pick<Shape, 'direction'>) =>
  sql.raw(direction === 'ascending' ? 'asc' : 'desc');

/**
 * The condition that a row is between the two positions. SQLite takes the first bound of a key on each side for the range of
 * an index, so the positions come before what limits the CGPA.
 */
export function isBetween(
  { isFirst, hasEnd, hasCgpa, sort, direction }: Shape,
  value: NamedParameter,
): RawBuilder<unknown> {
  const [beyond, upTo] = direction === 'ascending' ? [sql`>`, sql`<=`] : [sql`<`, sql`>=`];
  const position = sql`(${sortKey(sort)}, s.id)`;
  return sql.join(
    [
      isFirst ? sql`1 = 1` : sql`${position} ${beyond} (${value('after_key')}, ${value('after_id')})`,
      ...(hasEnd ? [sql`${position} ${upTo} (${value('end_key')}, ${value('end_id')})`] : []),
      ...(hasCgpa === undefined ? [] : [hasCgpa ? sql`s.cgpa >= 0` : sql`s.cgpa < 0`]),
    ],
    sql` and `,
  );
}

type Half = Pick<Shape, 'hasCgpa'>;
type ReadRows = (range: PartRange, half: Half) => Promise<KeyRow[]>;

export async function readInOrder(range: PartRange, readRows: ReadRows): Promise<RowPosition[]> {
  const found: KeyRow[] = [];
  for (const [one, half] of toHalfRanges(range)) {
    found.push(...(await readRows({ ...one, limit: range.limit - found.length }, half)));
    if (found.length >= range.limit) break;
  }
  return found.map(({ key, id }) => [key, id, range.part]);
}

/** Students without a CGPA (-1) come last in both directions, so in ascending order they are read in a query of their own. */
export function toHalfRanges(range: PartRange): [PartRange, Half][] {
  const { order, after } = range;
  if (order.sort !== 'cgpa' || order.direction === 'descending') return [[range, {}]];
  const halves = order.isBackwards ? [false, true] : [true, false];
  const begun = after && Number(after[0]) >= 0;
  return halves
    .slice(begun === undefined ? 0 : halves.indexOf(begun))
    .map((hasCgpa) => [{ ...range, after: hasCgpa === begun ? after : undefined }, { hasCgpa }]);
}

export function toParameters({ filter, after, limit }: PartRange): Record<string, string | number> {
  return {
    ...filter.values,
    ...wordValues(filter.words),
    ...(after && { after_key: after[0], after_id: after[1] }),
    limit,
  };
}

const OPPOSITE: Record<Direction, Direction> = { ascending: 'descending', descending: 'ascending' };

const readDirection = ({ direction, isBackwards }: ReadOrder) =>
  isBackwards ? OPPOSITE[direction] : direction;

export const toShape = ({ filter, order, part, after }: PartRange): Shape => ({
  sort: order.sort,
  direction: readDirection(order),
  part,
  conditions: filter.conditions,
  isFirst: after === undefined,
  words: countForms(filter.words),
});

export interface KeyRow {
  key: string | number;
  id: string;
}

export const inOrder = (shape: Pick<Shape, 'direction'>) =>
  sql`key ${directionSql(shape)}, id ${directionSql(shape)}`;

/** Compares rows of one part as both engines do: text byte by byte, students without a CGPA last. */
export function comparePositions(order: ReadOrder): (a: RowPosition, b: RowPosition) => number {
  const { sort, isBackwards } = order;
  const sign = readDirection(order) === 'ascending' ? 1 : -1;
  const last = isBackwards ? -1 : 1;
  const hasNoCgpa = ([key]: RowPosition) => (sort === 'cgpa' && Number(key) < 0 ? 1 : 0);
  return (a, b) =>
    last * (hasNoCgpa(a) - hasNoCgpa(b)) || sign * (compareKeys(a[0], b[0]) || compareKeys(a[1], b[1]));
}

function compareKeys(a: string | number, b: string | number): number {
  if (a === b) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
