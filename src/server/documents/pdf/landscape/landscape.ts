import PDFDocument from 'pdfkit';
import type { Institution } from '../../../../contract/installation/institution.ts';
import { dayText } from '../../../../domain/documents/figures.ts';
import { COLOURS, collectPdf, lineHeight, PdfCanvas, type TextBlock } from '../canvas.ts';
import { drawSignatory, signatoryBlocks, UNNAMED_INSTITUTION } from '../frame.ts';

/** Pages in landscape that repeat their head, for documents on a class. */

export const PAGE = { width: 841.89, height: 595.28, margin: 36 } as const;
export const WIDTH = PAGE.width - 2 * PAGE.margin;
export const BOTTOM = PAGE.height - 46;

const { margin } = PAGE;
const TOP = 36;
/** The line below the head; a longer head moves it down. */
const HEAD_BOTTOM = 104;
const ASIDE_WIDTH = 300;

/** Makes a PDF of what `draw` draws. */
export async function writeLandscape(
  { title, day }: { title: string; day: string },
  draw: (canvas: PdfCanvas) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const date = new Date(`${day}T00:00:00Z`);
  const doc = new PDFDocument({
    autoFirstPage: false,
    font: '',
    pdfVersion: '1.7',
    lang: 'en-GB',
    displayTitle: true,
    info: { Title: title, CreationDate: date, ModDate: date },
  });
  const pdf = collectPdf(doc);
  draw(new PdfCanvas(doc, { isTagged: false }));
  doc.end();
  return pdf;
}

/**
 * The rows of each page, whose first begins at `top`.
 *
 * @returns the pages, at least one, and where the last row ends
 */
export function distributeRows<Row>(
  rows: readonly Row[],
  top: number,
  heightOf: (row: Row) => number,
): { pages: Row[][]; bottom: number } {
  const pages: Row[][] = [[]];
  let y = top;
  for (const row of rows) {
    const height = heightOf(row);
    if (y + height > BOTTOM) {
      pages.push([]);
      y = top;
    }
    pages.at(-1)?.push(row);
    y += height;
  }
  return { pages, bottom: y };
}

interface HeadContent {
  institution: Pick<Institution, 'name' | 'address'>;
  logo: Uint8Array | null;
  kind: string;
  /** Lines that say what the document is about. */
  lines: readonly string[];
  printedOn: string;
  foot: string;
}

/** Head and foot of each page. */
export interface LandscapeHead {
  /** Where the head ends. */
  bottom: number;
  draw(number: { page: number; of: number }): void;
}

export function layOutHead(canvas: PdfCanvas, content: HeadContent): LandscapeHead {
  const { institution, logo, kind, lines, printedOn, foot } = content;
  const left = margin + (logo === null ? 0 : 58);
  const room = WIDTH - ASIDE_WIDTH - (left - margin) - 16;
  const name = institution.name ?? UNNAMED_INSTITUTION;
  const large = { size: 16, weight: 'semibold', colour: COLOURS.ink } as const;
  const heading = canvas.wrap(
    name,
    room,
    canvas.measureWidth(name, large) <= room ? large : { ...large, size: 12 },
  );
  const small = { size: 7.5, colour: COLOURS.muted } as const;
  const address = canvas.wrap((institution.address ?? '').replaceAll('\n', ', '), room, small);
  const style = { size: 8, colour: COLOURS.muted, align: 'right' } as const;
  const about: TextBlock[] = [
    canvas.wrap(kind, ASIDE_WIDTH, { ...style, size: 12.5, weight: 'semibold', colour: COLOURS.text }),
    ...lines.map((line) => canvas.wrap(line, ASIDE_WIDTH, style)),
  ];
  const asideHeight = about.reduce((sum, { height }) => sum + height + 1, lineHeight(style.size));
  const top = TOP + 4;
  const bottom = Math.max(HEAD_BOTTOM, top + Math.max(asideHeight, heading.height + address.height + 6) + 6);
  return {
    bottom,
    draw({ page, of }) {
      if (logo !== null) canvas.doc.image(Buffer.from(logo), margin, top, { fit: [46, 46] });
      canvas.draw(heading, left, top + 4, room);
      canvas.draw(address, left, top + 6 + heading.height, room);
      const x = PAGE.width - margin - ASIDE_WIDTH;
      let y = top;
      for (const block of about) {
        canvas.draw(block, x, y, ASIDE_WIDTH);
        y += block.height + 1;
      }
      canvas.text(`Printed ${dayText(printedOn)}, page ${page} of ${of}`, x, y, {
        ...style,
        width: ASIDE_WIDTH,
      });
      canvas.line(margin, bottom, WIDTH, { weight: 0.8, colour: COLOURS.ink });
      canvas.line(margin, PAGE.height - 36, WIDTH);
      canvas.text(foot, margin, PAGE.height - 31, { size: 6.5, colour: COLOURS.muted });
    },
  };
}

const SIGNATURE_WIDTH = 170;
/** Free above a line to sign on. */
const SIGNING_ROOM = 34;
/** Below it: a name and a title of one line each. */
const NAMES_HEIGHT = 26;
/** Below these: name and date, written by hand. */
const HAND_LINES = 22;

/** Lines to sign on, at the foot of the last page. */
export interface Signatures {
  height: number;
  draw(): void;
}

/** @param options.isSignedByHand with lines for the name and the date, too */
export function layOutSignatures(
  canvas: PdfCanvas,
  signatories: Institution['signatories'],
  { isSignedByHand = false } = {},
): Signatures {
  const step = Math.min(200, WIDTH / signatories.length);
  const width = Math.min(SIGNATURE_WIDTH, step - 20);
  const names = signatoryBlocks(canvas, signatories, width);
  const namesHeight = Math.max(NAMES_HEIGHT, names.height);
  const below = namesHeight + (isSignedByHand ? HAND_LINES : 0);
  return {
    height: SIGNING_ROOM + below,
    draw() {
      const y = BOTTOM - below;
      names.blocks.forEach((block, i) => {
        const x = margin + i * step;
        canvas.line(x, y, width, { weight: 0.7, colour: COLOURS.text });
        drawSignatory(canvas, block, { x, y, width });
      });
      if (!isSignedByHand) return;
      signatories.forEach((_, i) => {
        const x = margin + i * step;
        for (const [row, label] of ['Name', 'Date'].entries()) {
          const top = y + namesHeight - 11 + row * 14;
          canvas.text(label, x, top, { size: 7.5, colour: COLOURS.muted });
          canvas.line(x + 28, top + 9, width - 28);
        }
      });
    },
  };
}
