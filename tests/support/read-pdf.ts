import { createCanvas } from '@napi-rs/canvas';
import jsqr from 'jsqr';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A PDF as another program than the one that made it reads it. */
export interface ReadPdf {
  title: string | undefined;
  language: string | null;
  isTagged: boolean;
  /** The text of each page, its pieces separated by blanks. */
  pages: string[];
  /** The size of each page, in points. */
  sizes: { width: number; height: number }[];
  /** Headings and other entries of the outline. */
  outline: string[];
}

const open = (pdf: Uint8Array) =>
  getDocument({ data: new Uint8Array(pdf), verbosity: 0, useSystemFonts: false }).promise;

export async function readPdf(pdf: Uint8Array): Promise<ReadPdf> {
  const document = await open(pdf);
  const [{ info }, mark, outline] = await Promise.all([
    document.getMetadata(),
    document.getMarkInfo(),
    document.getOutline(),
  ]);
  const { Title, Language } = info as { Title?: string; Language?: string };
  const pages: string[] = [];
  const sizes: ReadPdf['sizes'] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const texts = items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? item.str.trim() : []));
    pages.push(texts.join(' '));
    const { width, height } = page.getViewport({ scale: 1 });
    sizes.push({ width: Math.round(width), height: Math.round(height) });
  }
  await document.destroy();
  return {
    title: Title,
    language: Language ?? null,
    isTagged: mark?.Marked === true,
    pages,
    sizes,
    outline: outline?.map((entry) => entry.title) ?? [],
  };
}

/** A piece of text where it stands, in points from the bottom left of its page. */
interface TextBox {
  text: string;
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/** From the base line down, and up to the top of capitals. */
const BELOW = 0.16;
const ABOVE = 0.66;

function toBox(text: string, width: number, [a = 0, b = 0, , , x = 0, y = 0]: readonly number[]): TextBox {
  const size = Math.hypot(a, b);
  // Turned by 90 degrees: it runs up the page.
  return Math.abs(b) > Math.abs(a)
    ? { text, left: x - ABOVE * size, right: x + BELOW * size, bottom: y, top: y + width }
    : { text, left: x, right: x + width, bottom: y - BELOW * size, top: y + ABOVE * size };
}

/** The pieces of text of each page, with what they cover. */
export async function readTextBoxes(pdf: Uint8Array): Promise<TextBox[][]> {
  const document = await open(pdf);
  const pages: TextBox[][] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(
      items.flatMap((item) =>
        'str' in item && item.str.trim() !== '' ? toBox(item.str, item.width, item.transform) : [],
      ),
    );
  }
  await document.destroy();
  return pages;
}

/** Pairs of texts that cover the same place, and texts beyond the edge of a page of this size. */
export function findOverlaps(
  boxes: readonly TextBox[],
  { width, height }: { width: number; height: number },
): string[] {
  const beyond = boxes.filter(
    ({ left, right, bottom, top }) => left < 0 || bottom < 0 || right > width || top > height,
  );
  const pairs = boxes.flatMap((one, i) =>
    boxes
      .slice(i + 1)
      .filter(
        (other) =>
          Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.4 &&
          Math.min(one.top, other.top) - Math.max(one.bottom, other.bottom) > 0.4,
      )
      .map((other) => `${one.text} | ${other.text}`),
  );
  return [...beyond.map(({ text }) => `${text} is beyond the page`), ...pairs];
}

/** The text of the QR code at the foot of a page, drawn as a printer with 300 dpi would; undefined without one. */
export async function readQrCode(pdf: Uint8Array, pageNumber: number): Promise<string | undefined> {
  const document = await open(pdf);
  const page = await document.getPage(pageNumber);
  const viewport = page.getViewport({ scale: 300 / 72 });
  const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height));
  const context = canvas.getContext('2d');
  await page.render({ canvas: canvas as never, canvasContext: context as never, viewport }).promise;
  // A scanner is held over the code; the whole page has many corners that look like those of a code.
  const [left, top] = [Math.floor(canvas.width * 0.56), Math.floor(canvas.height * 0.8)];
  const room = Math.floor(canvas.height * 0.15);
  const { data, width, height } = context.getImageData(left, top, room, room);
  await document.destroy();
  return jsqr.default(data, width, height)?.data;
}
