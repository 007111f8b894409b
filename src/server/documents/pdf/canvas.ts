/// <reference path="./fonts/pdfkit-fonts.d.ts" />
import type PDFDocument from 'pdfkit';
import { getFaces, toRuns, type Weight } from './fonts/fonts.ts';

type Doc = InstanceType<typeof PDFDocument>;
type Element = ReturnType<Doc['struct']>;

/** Ink of documents: dark enough for a light office printer. */
export const COLOURS = {
  text: '#000000',
  muted: '#333f41',
  ink: '#0c3b56',
  line: '#8a9493',
  watermark: '#f3dedd',
} as const;

export interface TextStyle {
  size: number;
  weight?: Weight;
  colour?: string;
  /** Alignment of the text within its width. */
  align?: 'left' | 'right' | 'center';
}

/** Lines of a text that fit a width. */
export interface TextBlock {
  lines: readonly string[];
  style: TextStyle;
  height: number;
}

const LINE_HEIGHT = 1.22;
/** Height of the letters above the base line, of the typeface. */
const ASCENT = 0.98;

/** The whole PDF, once the document that is drawn meanwhile has ended. Called before anything is drawn. */
export async function collectPdf(doc: Doc): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  await new Promise<void>((resolve, reject) => {
    doc.on('end', resolve);
    doc.on('error', reject);
  });
  return new Uint8Array(Buffer.concat(chunks));
}

export const lineHeight = (size: number): number => size * LINE_HEIGHT;

/**
 * A PDF that is being written: text with the right face for each character and from right to left where it has to be, lines, and
 * the structure that a screen reader follows. Coordinates are points from the top left of the page.
 */
export class PdfCanvas {
  readonly doc: Doc;
  /** Characters that no face has. */
  readonly missing = new Set<string>();
  readonly #isTagged: boolean;
  readonly #widths = new Map<string, number>();

  constructor(doc: Doc, { isTagged }: { isTagged: boolean }) {
    this.doc = doc;
    this.#isTagged = isTagged;
    for (const weight of ['regular', 'semibold'] as const) {
      for (const { name, font } of getFaces(weight)) doc.registerFont(name, font);
    }
  }

  measureWidth(text: string, { size, weight = 'regular' }: TextStyle): number {
    const key = `${weight}${text}`;
    let width = this.#widths.get(key);
    if (width === undefined) {
      width = 0;
      for (const run of toRuns(text, weight)) {
        const features = run.isRightToLeft ? { features: [] } : {};
        width += this.doc.font(run.face, 1_000).widthOfString(run.text, features);
      }
      if (this.#widths.size > 20_000) this.#widths.clear();
      this.#widths.set(key, width);
    }
    return (width * size) / 1_000;
  }

  /** A text in as many lines as it needs within a width. A word that is longer than a line is broken. */
  wrap(text: string, width: number, style: TextStyle): TextBlock {
    const lines: string[] = [];
    let line = '';
    const fits = (candidate: string) => this.measureWidth(candidate, style) <= width;
    for (const paragraph of text.split('\n')) {
      for (const word of paragraph.split(/\s+/)) {
        const longer = line === '' ? word : `${line} ${word}`;
        if (fits(longer)) {
          line = longer;
          continue;
        }
        if (line !== '') lines.push(line);
        line = '';
        for (const character of word) {
          if (line !== '' && !fits(line + character)) {
            lines.push(line);
            line = '';
          }
          line += character;
        }
      }
      lines.push(line);
      line = '';
    }
    return { lines, style, height: lines.length * lineHeight(style.size) };
  }

  /** Draws the lines of a block below each other. */
  draw({ lines, style }: TextBlock, x: number, y: number, width: number): void {
    lines.forEach((line, i) => {
      this.text(line, x, y + i * lineHeight(style.size), { ...style, width });
    });
  }

  /** Draws one line. With `width`, `align` is within it. */
  text(text: string, x: number, y: number, { width, ...style }: TextStyle & { width?: number }): void {
    const { size, weight = 'regular', colour = COLOURS.text, align = 'left' } = style;
    const room = width === undefined || align === 'left' ? 0 : width - this.measureWidth(text, style);
    let left = x + (align === 'center' ? room / 2 : room);
    const baseline = y + size * ASCENT;
    for (const run of toRuns(text, weight, (character) => this.missing.add(character))) {
      const features = run.isRightToLeft ? { features: [] } : {};
      this.doc.font(run.face, size).fillColor(colour);
      this.doc.text(run.text, left, baseline, { lineBreak: false, baseline: 'alphabetic', ...features });
      left += this.doc.widthOfString(run.text, features);
    }
  }

  line(x: number, y: number, width: number, { weight = 0.5, colour = COLOURS.line as string } = {}): void {
    this.doc
      .lineWidth(weight)
      .strokeColor(colour)
      .moveTo(x, y)
      .lineTo(x + width, y)
      .stroke();
  }

  /** Draws decoration, or a part that is repeated on each page: a screen reader passes over it. */
  artifact(draw: () => void): void {
    if (this.#isTagged) this.doc.markContent('Artifact', { type: 'Layout' });
    draw();
    if (this.#isTagged) this.doc.endMarkedContent();
  }

  /** An element of the structure with others in it, which `add` puts there. */
  group(parent: StructureNode | undefined, type: string, title?: string): StructureNode | undefined {
    if (!this.#isTagged) return undefined;
    const element = this.doc.struct(type, title === undefined ? {} : { title });
    if (parent === undefined) this.doc.addStructure(element);
    else parent.add(element);
    return element;
  }

  /** An element of the structure with content, which `draw` draws now. */
  element(parent: StructureNode | undefined, type: string, draw: () => void, alt?: string): void {
    if (!this.#isTagged) {
      draw();
      return;
    }
    const element = this.doc.struct(type, alt === undefined ? {} : { alt }, draw);
    if (parent === undefined) this.doc.addStructure(element);
    else parent.add(element);
  }
}

export type StructureNode = Element;
