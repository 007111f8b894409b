import { outsideCredits } from '../../../domain/documents/figures.ts';
import { plural } from '../../../domain/format-count.ts';
import type { DocumentContent } from '../content/content.ts';
import { COLOURS, type PdfCanvas, type StructureNode, type TextBlock } from './canvas.ts';
import { CONTENT_WIDTH, PAGE } from './frame.ts';

const HEADING = 'Credits from elsewhere';
const HEADING_HEIGHT = 14;
const LINE_GAP = 2;
/** Below the section. */
const SECTION_GAP = 8;

/** The height of the section with these lines on a page; 0 without any. */
export const measureElsewhere = (lines: readonly TextBlock[]): number =>
  lines.length === 0
    ? 0
    : lines.reduce((sum, { height }) => sum + height + LINE_GAP, HEADING_HEIGHT + SECTION_GAP);

/** The lines of the section of a transcript on credits from elsewhere, the last of which is the sum; none without any. */
export function layOutElsewhere(canvas: PdfCanvas, { figures }: DocumentContent): TextBlock[] {
  const { outside = [], credits_earned } = figures;
  if (outside.length === 0) return [];
  const lines = outside.map(({ title, institution, grade, credits }) => {
    const parts = [
      title,
      institution,
      ...(grade === null ? [] : [`grade ${grade}`]),
      plural(credits, 'credit'),
    ];
    return canvas.wrap(parts.join(', '), CONTENT_WIDTH, { size: 7 });
  });
  const all = outsideCredits(figures);
  const sum = canvas.wrap(
    `${plural(credits_earned + all, 'credit')} in all: ${credits_earned} earned here and ${all} from elsewhere, which count in no average.`,
    CONTENT_WIDTH,
    { size: 7, colour: COLOURS.muted },
  );
  return [...lines, sum];
}

/** Draws those lines that are on a page. */
export function drawElsewhere(
  canvas: PdfCanvas,
  lines: readonly TextBlock[],
  top: number,
  root: StructureNode | undefined,
): void {
  if (lines.length === 0) return;
  const { margin } = PAGE;
  canvas.element(root, 'H2', () => canvas.text(HEADING, margin, top, { size: 8, weight: 'semibold' }));
  let y = top + HEADING_HEIGHT;
  for (const line of lines) {
    const at = y;
    canvas.element(root, 'P', () => canvas.draw(line, margin, at, CONTENT_WIDTH));
    y += line.height + LINE_GAP;
  }
}
