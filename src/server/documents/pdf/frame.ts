import type { Institution } from '../../../contract/installation/institution.ts';
import { dayText } from '../../../domain/documents/figures.ts';
import { groupHandCode } from '../../../domain/documents/hand-code.ts';
import { DOCUMENT_TITLES } from '../../../domain/documents/kinds.ts';
import { COLOURS, lineHeight, type PdfCanvas, type StructureNode, type TextBlock } from './canvas.ts';
import type { PrintJob } from './print-job.ts';
import { drawQrCode, QR_SIZE } from './qr-code.ts';

/** The frame around the figures on each page of a document: head, foot, signatures, code and watermark. */

export const PAGE = { width: 595.28, height: 841.89, margin: 40 } as const;
export const CONTENT_WIDTH = PAGE.width - 2 * PAGE.margin;
/** Where the content of a page begins, and ends. */
export const TOP = 126;
export const BOTTOM = PAGE.height - 44;

const { margin } = PAGE;
const LOGO_SIZE = 46;
const CODE_HEIGHT = QR_SIZE + 18;

export const UNNAMED_INSTITUTION = 'Student Information Management System';

export interface PageNumber {
  page: number;
  of: number;
}

/** Head and foot of a page, and the watermark under everything else. */
export function drawFrame(
  canvas: PdfCanvas,
  job: PrintJob,
  number: PageNumber,
  root: StructureNode | undefined,
): void {
  const isFirst = number.page === 1;
  canvas.artifact(() => {
    if (job.codes === null) drawWatermark(canvas, 'UNOFFICIAL', { page: PAGE, angle: -52 });
    drawBand(canvas, margin, 100, CONTENT_WIDTH);
    drawFoot(canvas, job, number);
    if (!isFirst) drawHead(canvas, job, number, undefined);
  });
  // The head of the first page is read; on the others it is repeated.
  if (isFirst) drawHead(canvas, job, number, root);
}

function drawHead(
  canvas: PdfCanvas,
  { content, logo }: PrintJob,
  { page, of }: PageNumber,
  root: StructureNode | undefined,
): void {
  const read = (type: string, draw: () => void, alt?: string) =>
    page === 1 ? canvas.element(root, type, draw, alt) : draw();
  const { institution, kind, serial, issued_on, semester } = content;
  const left = margin + (logo === null ? 0 : LOGO_SIZE + 14);
  const asideWidth = 170;
  const nameWidth = CONTENT_WIDTH - asideWidth - (left - margin) - 12;
  if (logo !== null) {
    read(
      'Figure',
      () => {
        canvas.doc.image(Buffer.from(logo), margin, 44, {
          fit: [LOGO_SIZE, LOGO_SIZE],
          align: 'center',
          valign: 'center',
        });
      },
      'Logo',
    );
  }
  const name = institution.name ?? UNNAMED_INSTITUTION;
  const nameStyle = { size: 16, weight: 'semibold', colour: COLOURS.ink } as const;
  const smaller = { ...nameStyle, size: 12 };
  const fitted = canvas.measureWidth(name, nameStyle) <= nameWidth ? nameStyle : smaller;
  const heading = canvas.wrap(name, nameWidth, fitted);
  const address = canvas.wrap((institution.address ?? '').replaceAll('\n', ', '), nameWidth, {
    size: 7.5,
    colour: COLOURS.muted,
  });
  const hasAddress = institution.address !== null;
  const height = heading.height + (hasAddress ? address.height + 2 : 0);
  const top = Math.max(36, 67 - height / 2);
  read('P', () => canvas.draw(heading, left, top, nameWidth));
  if (hasAddress) read('P', () => canvas.draw(address, left, top + heading.height + 2, nameWidth));

  const aside = PAGE.width - margin - asideWidth;
  const style = { size: 7.5, colour: COLOURS.muted, align: 'right', width: asideWidth } as const;
  const lines = [
    serial === null ? 'Unofficial, for own use' : `Serial ${serial}`,
    ...(kind === 'result-card'
      ? [`Semester ${semester}`]
      : content.is_final
        ? []
        : ['Provisional: the degree is in progress']),
    `${serial === null ? 'Printed' : 'Issued'} ${dayText(issued_on)}`,
    `Page ${page} of ${of}`,
  ];
  read('H1', () =>
    canvas.text(DOCUMENT_TITLES[kind], aside, 42, {
      ...style,
      size: 12.5,
      weight: 'semibold',
      colour: COLOURS.text,
    }),
  );
  lines.forEach((line, i) => {
    read('P', () => canvas.text(line, aside, 59 + i * 9.4, style));
  });
}

function drawFoot(canvas: PdfCanvas, { content }: PrintJob, { page, of }: PageNumber): void {
  const y = PAGE.height - 38;
  const style = { size: 6.5, colour: COLOURS.muted } as const;
  canvas.line(margin, y, CONTENT_WIDTH);
  const { serial, institution } = content;
  const note =
    serial === null
      ? (institution.name ?? UNNAMED_INSTITUTION)
      : 'Not valid if altered. A copy is valid only while its verification page shows the same name and figures.';
  canvas.text(note, margin, y + 5, style);
  canvas.text(`${serial ?? 'Unofficial'}, page ${page} of ${of}`, margin, y + 5, {
    ...style,
    align: 'right',
    width: CONTENT_WIDTH,
  });
}

/** Fields that the pages after the first repeat, since they can be parted from it. */
const continuedFields = ({ content: { figures, serial } }: PrintJob) => [
  { label: 'Name', value: `${figures.student.first_name} ${figures.student.last_name}`, share: 0.56 },
  { label: 'CMS ID', value: figures.student.id, share: 0.24 },
  { label: 'Serial', value: serial ?? 'Unofficial', share: 0.2 },
];

const continuedStyle = { size: 8, weight: 'semibold' } as const;

/** Where the content of a page begins that is not the first. */
export const continuedTop = (canvas: PdfCanvas, job: PrintJob): number =>
  TOP +
  17 +
  Math.max(
    ...continuedFields(job).map(
      ({ value, share }) => canvas.wrap(value, CONTENT_WIDTH * share - 8, continuedStyle).height,
    ),
  );

/** Name, ID and serial above the content of each page but the first. */
export function drawContinued(canvas: PdfCanvas, job: PrintJob): void {
  canvas.artifact(() => {
    let x = margin;
    for (const { label, value, share } of continuedFields(job)) {
      const width = CONTENT_WIDTH * share - 8;
      canvas.text(label, x, TOP, { size: 6.5, colour: COLOURS.muted });
      canvas.draw(canvas.wrap(value, width, continuedStyle), x, TOP + 9, width);
      x += CONTENT_WIDTH * share;
    }
  });
}

/** A band of fine waves between two lines: hard to draw by hand, and nothing that a printer loses. */
function drawBand(canvas: PdfCanvas, x: number, y: number, width: number): void {
  const height = 9;
  const { doc } = canvas;
  canvas.line(x, y, width, { weight: 0.7, colour: COLOURS.ink });
  canvas.line(x, y + height, width, { weight: 0.7, colour: COLOURS.ink });
  const waves = 8;
  const step = width / waves;
  for (const share of [0.25, 0.55, 0.85]) {
    for (const phase of [0, 1]) {
      const amplitude = ((height / 2) * share * (phase === 0 ? 1 : -1)) / 0.75;
      const middle = y + height / 2;
      doc.moveTo(x, middle);
      for (let i = 0; i < waves; i += 1) {
        const sign = i % 2 === 0 ? 1 : -1;
        const from = x + i * step;
        doc.bezierCurveTo(
          from + step / 3,
          middle - sign * amplitude,
          from + (2 * step) / 3,
          middle - sign * amplitude,
          from + step,
          middle,
        );
      }
      doc.lineWidth(0.35).strokeColor(COLOURS.ink).stroke();
    }
  }
}

/** A text across the middle of the page, under everything else. */
export function drawWatermark(
  canvas: PdfCanvas,
  text: string,
  { page, angle }: { page: { width: number; height: number }; angle: number },
): void {
  const { doc } = canvas;
  const style = { size: 96, weight: 'semibold', colour: COLOURS.watermark } as const;
  doc.save();
  doc.rotate(angle, { origin: [page.width / 2, page.height / 2] });
  const width = canvas.measureWidth(text, style);
  canvas.text(text, (page.width - width) / 2, page.height / 2 - 58, style);
  doc.restore();
}

/** The makers of a document, who compare it with the record, sign by hand above the signatory who answers for it. */
const MAKERS = ['Prepared by', 'Checked by'];
const UNNAMED_SIGNATORIES = [{ name: '', title: 'Controller of Examinations' }];
const CODE_WIDTH = 216;
const SIGNATURES_WIDTH = CONTENT_WIDTH - CODE_WIDTH - 14;
const SIGNATURE_GAP = 12;
/** Between a line to sign on and the name below it. */
const NAME_GAP = 4;
/** The distance from a line to sign on to the next one: the room to sign, and the label of the line above. */
const SIGNATURE_STEP = 43;

/** Name and title of each signatory, as they stand below a line of this width, and the height of the highest one. */
export function signatoryBlocks(
  canvas: PdfCanvas,
  signatories: Institution['signatories'],
  width: number,
): { blocks: TextBlock[][]; height: number } {
  const blocks = signatories.map(({ name, title }) => [
    ...(name === '' ? [] : [canvas.wrap(name, width, { size: 7.5, weight: 'semibold' })]),
    canvas.wrap(title, width, { size: 7.5, colour: COLOURS.muted }),
  ]);
  const heights = blocks.map((block) => block.reduce((sum, { height }) => sum + height, NAME_GAP));
  return { blocks, height: Math.max(...heights) };
}

/** Draws what stands below a line to sign on. */
export function drawSignatory(
  canvas: PdfCanvas,
  block: readonly TextBlock[],
  { x, y, width }: { x: number; y: number; width: number },
  root?: StructureNode,
): void {
  let at = y + NAME_GAP;
  for (const part of block) {
    const top = at;
    canvas.element(root, 'P', () => canvas.draw(part, x, top, width));
    at += part.height;
  }
}

function ownSignatories(canvas: PdfCanvas, { content: { institution } }: PrintJob) {
  const { signatories } = institution;
  const shown = signatories.length > 0 ? signatories : UNNAMED_SIGNATORIES;
  const width = (SIGNATURES_WIDTH - (shown.length - 1) * SIGNATURE_GAP) / shown.length;
  return { ...signatoryBlocks(canvas, shown, width), width };
}

/** Height of the signatures with the code, at the foot of the last page. */
export function signaturesHeight(canvas: PdfCanvas, job: PrintJob): number {
  if (job.codes === null) return 56;
  return Math.max(CODE_HEIGHT + 10, 24 + SIGNATURE_STEP + ownSignatories(canvas, job).height);
}

/** Signatures and code at the foot of the last page; of an unofficial document what it is. */
export function drawSignatures(canvas: PdfCanvas, job: PrintJob, root: StructureNode | undefined): void {
  if (job.codes === null) {
    const y = BOTTOM - 40;
    canvas.artifact(() => {
      canvas.doc.lineWidth(0.5).strokeColor(COLOURS.line).rect(margin, y, CONTENT_WIDTH, 26).stroke();
    });
    const text = `Unofficial. Printed ${dayText(job.content.issued_on)} by ${job.printedBy}. It has no serial and no signature, and can't be verified.`;
    canvas.element(root, 'P', () => canvas.text(text, margin + 8, y + 8, { size: 7.5 }));
    return;
  }
  const { blocks, width, height } = ownSignatories(canvas, job);
  const line = (x: number, y: number, length: number) =>
    canvas.artifact(() => canvas.line(x, y, length, { weight: 0.7, colour: COLOURS.text }));
  const last = BOTTOM - height;
  const first = last - SIGNATURE_STEP;
  const makerWidth = (SIGNATURES_WIDTH - SIGNATURE_GAP) / MAKERS.length;
  MAKERS.forEach((title, i) => {
    const x = margin + i * (makerWidth + SIGNATURE_GAP);
    line(x, first, makerWidth);
    canvas.element(root, 'P', () => canvas.text(title, x, first + 4, { size: 7.5, colour: COLOURS.muted }));
  });
  blocks.forEach((block, i) => {
    const x = margin + i * (width + SIGNATURE_GAP);
    line(x, last, width);
    drawSignatory(canvas, block, { x, y: last, width }, root);
  });
  drawCode(
    canvas,
    job.codes,
    { x: PAGE.width - margin - CODE_WIDTH, y: BOTTOM - CODE_HEIGHT, width: CODE_WIDTH },
    root,
  );
}

function drawCode(
  canvas: PdfCanvas,
  { url, site, handCode }: NonNullable<PrintJob['codes']>,
  { x, y, width }: { x: number; y: number; width: number },
  root: StructureNode | undefined,
): void {
  canvas.artifact(() => {
    canvas.doc.lineWidth(0.5).strokeColor(COLOURS.line).rect(x, y, width, CODE_HEIGHT).stroke();
  });
  canvas.element(
    root,
    'Figure',
    () => drawQrCode(canvas, url, x + 9, y + 9),
    `QR code with the address of the verification page of this document: ${url}`,
  );
  const left = x + QR_SIZE + 18;
  const room = width - QR_SIZE - 24;
  const small = { size: 6.5, colour: COLOURS.muted } as const;
  let at = y + 12;
  const blocks = [
    canvas.wrap('Verify this document: scan, or enter the serial and the code at', room, small),
    canvas.wrap(site, room, { ...small, colour: COLOURS.text }),
    canvas.wrap(handCodeLines(handCode), room, { size: 9.5, weight: 'semibold' }),
  ];
  for (const block of blocks) {
    canvas.element(root, 'P', () => canvas.draw(block, left, at, room));
    at += block.height + 4;
  }
}

/** Whole groups in each line. */
const handCodeLines = (handCode: string): string =>
  groupHandCode(handCode).replaceAll(/((?:\w{4}-){3})(?=\w)/g, '$1\n');

/** A label above a value. @returns the height */
export function drawField(
  canvas: PdfCanvas,
  { label, value }: { label: string; value: string },
  at: { x: number; y: number; width: number },
  root: StructureNode | undefined,
): number {
  const block = canvas.wrap(value, at.width, { size: 8, weight: 'semibold' });
  const group = canvas.group(root, 'P');
  canvas.element(group, 'Span', () => canvas.text(label, at.x, at.y, { size: 6.5, colour: COLOURS.muted }));
  canvas.element(group, 'Span', () => canvas.draw(block, at.x, at.y + 9, at.width));
  return 9 + Math.max(block.height, lineHeight(8));
}
