import type { CSSProperties } from 'react';
import type { Column } from './shown-rows.ts';

/* In pixels. Columns have fixed widths, so that a mark that is typed moves no other one. */
const NUMBER = 40;
const TOTAL = 92;
const GRADE = 72;
const ID = { least: 84, most: 136 } as const;
/** The least is wide enough for a mark of five figures. */
const COMPONENT = { least: 78, most: 160 } as const;
/** The least width of the names. They get what the other columns leave. */
const NAME = 'clamp(132px, 14cqi, 184px)';
const PADDING = 20;
/** The width of a wide character of an ID or of a head, in pixels. */
const CHARACTER = 7.6;

const clamp = (value: number, { least, most }: { least: number; most: number }) =>
  Math.ceil(Math.min(most, Math.max(least, value)));

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
  number: number;
  id: number;
  components: readonly string[];
  total: number;
  grade: number;
}

/** Widths of the columns of a grid. Those of the components share what its box has beyond the least. */
export function columnWidths(columns: readonly Column[], ids: readonly string[]): ColumnWidths {
  const id = clamp(longest(ids) * CHARACTER + PADDING, ID);
  const trailing = TOTAL + GRADE;
  const others = `${NUMBER + id + trailing}px - ${NAME}`;
  const least = columns.map(componentWidth);
  const share = `(100cqi - ${others}) / ${Math.max(1, columns.length)}`;
  return {
    box: {
      '--marks-id': `${NUMBER}px`,
      '--marks-name': `${NUMBER + id}px`,
      '--marks-leading': `calc(${NUMBER + id}px + ${NAME})`,
      '--marks-grade': `${GRADE}px`,
      '--marks-trailing': `${trailing}px`,
    },
    table: `calc(${NUMBER + id + trailing + least.reduce((sum, width) => sum + width, 0)}px + ${NAME})`,
    number: NUMBER,
    id,
    total: TOTAL,
    grade: GRADE,
    components: least.map((width) => `clamp(${width}px, ${share}, ${COMPONENT.most}px)`),
  };
}
