import { encode } from 'uqr';
import type { PdfCanvas } from './canvas.ts';

/** Width and height of a QR code in points. */
export const QR_SIZE = 76;

/**
 * Draws a text as a QR code. The dark modules of a row that touch are one rectangle: no hairlines between them, and a smaller
 * file.
 */
export function drawQrCode({ doc }: PdfCanvas, text: string, x: number, y: number): void {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const module = QR_SIZE / size;
  data.forEach((row, line) => {
    for (let start = 0; start < size; start += 1) {
      if (row[start] !== true) continue;
      let end = start;
      while (row[end] === true) end += 1;
      doc.rect(x + start * module, y + line * module, (end - start) * module, module * 1.01);
      start = end;
    }
  });
  doc.fillColor('#000000').fill();
}
