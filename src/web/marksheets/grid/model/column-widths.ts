import type { CSSProperties } from 'react';
import type { Column } from './shown-rows.ts';

/* In pixels of the usual text size, with which they grow. Columns have fixed widths, so that a mark that is typed moves no other one. */
const NUMBER = 40;
const TOTAL = 92;
const GRADE = 72;
const ID = { least: 84, most: 136 } as const;
/** The least is wide enough for a mark of five figures. */
const COMPONENT = { least: 78, most: 160 } as const;
/** The least width of the names. They get what the other columns leave. */
const NAME = 'clamp(8.25rem, 14cqi, 11.5rem)';
const PADDING = 20;
/** The width of a wide character of an ID or of a head, in pixels. */
const CHARACTER = 7.6;

const clamp = (value: number, { least, most }: { least: number; most: number }) =>
  Math.ceil(Math.min(most, Math.max(least, value)));

const rem = (pixels: number) => `${pixels / 16}rem`;

const longest = (texts: readonly string[]) => Math.max(0, ...texts.map(({ length }) => length));

/** A component is as wide as its marks, and at least as the longest word of its name. */
const componentWidth = ({ component: { name } }: Column) =>
  clamp(longest(name.split(/\s+/)) * CHARACTER + PADDING - 4, COMPONENT);

interface GridStyle extends CSSProperties {
  /** Where ID and name stay, and what they and the columns after the components cover. */
  '--marks-id': string;
  '--marks-name': string;
  '--marks-leading': string;
  '--marks-grade': string;
  '--marks-trailing': string;
}

export interface ColumnWidths {
  box: GridStyle;
  /** A narrower box scrolls. */
  table: string;
  number: string;
  id: string;
  components: readonly string[];
  total: string;
  grade: string;
}

/** Widths of the columns of a grid. Those of the components share what its box has beyond the least. */
export function columnWidths(columns: readonly Column[], ids: readonly string[]): ColumnWidths {
  const id = clamp(longest(ids) * CHARACTER + PADDING, ID);
  const trailing = TOTAL + GRADE;
  const others = `${rem(NUMBER + id + trailing)} - ${NAME}`;
  const least = columns.map(componentWidth);
  const share = `(100cqi - ${others}) / ${Math.max(1, columns.length)}`;
  return {
    box: {
      '--marks-id': rem(NUMBER),
      '--marks-name': rem(NUMBER + id),
      '--marks-leading': `calc(${rem(NUMBER + id)} + ${NAME})`,
      '--marks-grade': rem(GRADE),
      '--marks-trailing': rem(trailing),
    },
    table: `calc(${rem(NUMBER + id + trailing + least.reduce((sum, width) => sum + width, 0))} + ${NAME})`,
    number: rem(NUMBER),
    id: rem(id),
    total: rem(TOTAL),
    grade: rem(GRADE),
    components: least.map((width) => `clamp(${rem(width)}, ${share}, ${rem(COMPONENT.most)})`),
  };
}
