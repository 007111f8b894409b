import { outsideCredits } from '../../../domain/documents/figures.ts';
import { plural } from '../../../domain/format-count.ts';
import type { DocumentContent } from '../content/content.ts';
import { COLOURS, type PdfCanvas, type StructureNode, type TextBlock } from './canvas.ts';
import { CONTENT_WIDTH, PAGE } from './frame.ts';

/** The section of a transcript on credits from elsewhere. Without any its height is 0. */
export interface ElsewhereBlock {
  lines: TextBlock[];
  sum: TextBlock | undefined;
  height: number;
}

const HEADING = 'Credits from elsewhere';
const HEADING_HEIGHT = 14;
const GAP = 2;

export function layOutElsewhere(canvas: PdfCanvas, { figures }: DocumentContent): ElsewhereBlock {
  const { outside = [], credits_earned } = figures;
  if (outside.length === 0) return { lines: [], sum: undefined, height: 0 };
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
  const height = [...lines, sum].reduce((total, block) => total + block.height + GAP, HEADING_HEIGHT);
  return { lines, sum, height: height + 8 };
}

export function drawElsewhere(
  canvas: PdfCanvas,
  { lines, sum }: ElsewhereBlock,
  top: number,
  root: StructureNode | undefined,
): void {
  if (sum === undefined) return;
  const { margin } = PAGE;
  canvas.element(root, 'H2', () => canvas.text(HEADING, margin, top, { size: 8, weight: 'semibold' }));
  let y = top + HEADING_HEIGHT;
  for (const block of [...lines, sum]) {
    const at = y;
    canvas.element(root, 'P', () => canvas.draw(block, margin, at, CONTENT_WIDTH));
    y += block.height + GAP;
  }
}
