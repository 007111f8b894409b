import { lineHeight, type PdfCanvas, type TextBlock, type TextStyle } from '../canvas.ts';

/** The heads of narrow columns: upright, or turned by 90 degrees where a word is wider than its column. */
export interface ColumnHeads {
  isTurned: boolean;
  /** The height of the highest head. */
  height: number;
  /** Draws the head of a column, which stands on `bottom`. */
  draw(column: number, x: number, bottom: number): void;
}

/** The longest line of a head that is turned. */
const TURNED_LENGTH = 96;
/** Free at both sides of an upright head. */
const PADDING = 2;

/**
 * Lays out the heads of columns of equal width.
 *
 * @param most lines of an upright head
 */
export function layOutColumnHeads(
  canvas: PdfCanvas,
  names: readonly string[],
  { width, style, most }: { width: number; style: TextStyle; most: number },
): ColumnHeads {
  const room = width - 2 * PADDING;
  const upright = names.map((name) => canvas.wrap(name, room, style));
  const isTurned = names.some(
    (name, i) =>
      (upright[i]?.lines.length ?? 0) > most ||
      !name.split(/\s+/).every((word) => canvas.measureWidth(word, style) <= room),
  );
  if (!isTurned) {
    return {
      isTurned,
      height: Math.max(lineHeight(style.size), ...upright.map(({ height }) => height)),
      draw: (column, x, bottom) => {
        const name = upright[column];
        if (name !== undefined) {
          canvas.draw(
            { ...name, style: { ...style, align: 'center' } },
            x + PADDING,
            bottom - name.height,
            room,
          );
        }
      },
    };
  }
  const lines = Math.max(1, Math.floor(width / lineHeight(style.size)));
  const turned = names.map((name) => shorten(canvas.wrap(name, TURNED_LENGTH, style), lines));
  return {
    isTurned,
    height: Math.max(
      ...turned.flatMap((name) => name.lines.map((line) => canvas.measureWidth(line, style))),
      lineHeight(style.size),
    ),
    draw: (column, x, bottom) => {
      const name = turned[column];
      if (name === undefined) return;
      const { doc } = canvas;
      doc.save();
      doc.rotate(-90, { origin: [x, bottom] });
      canvas.draw(name, x, bottom + (width - name.height) / 2, TURNED_LENGTH);
      doc.restore();
    },
  };
}

/** A name of more lines than fit ends in an ellipsis. */
function shorten({ lines, style }: TextBlock, most: number): TextBlock {
  if (lines.length <= most) return { lines, style, height: lines.length * lineHeight(style.size) };
  const shown = lines.slice(0, most);
  const last = shown.pop() ?? '';
  return { lines: [...shown, `${last.slice(0, -1)}…`], style, height: most * lineHeight(style.size) };
}
