import { z } from 'zod';
import { letterhead } from '../../content/content.ts';
import { COLOURS, type PdfCanvas } from '../canvas.ts';
import { drawWatermark } from '../frame.ts';
import { type ColumnHeads, layOutColumnHeads } from './column-heads.ts';
import {
  BOTTOM,
  distributeRows,
  type LandscapeHead,
  layOutHead,
  layOutSignatures,
  PAGE,
  WIDTH,
  writeLandscape,
} from './landscape.ts';

/** The marks of a class in a course, as they are printed. */
export const awardList = z.object({
  institution: letterhead,
  logo: z.instanceof(Uint8Array).nullable(),
  course: z.string(),
  /** Class and semester; term and hours. */
  about: z.array(z.string()),
  /** How far the sheet is, on each page. */
  state: z.string(),
  isConfirmed: z.boolean(),
  printedOn: z.iso.date(),
  components: z.array(z.object({ name: z.string(), max: z.string() })),
  students: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** For each component; empty for an empty cell. */
      cells: z.array(z.string()),
      total: z.string(),
      letter: z.string(),
    }),
  ),
  /** Notes below the table. */
  notes: z.array(z.object({ label: z.string(), text: z.string() })),
});
export type AwardList = z.infer<typeof awardList>;

const { margin } = PAGE;

/** They write their names and the date by hand. */
const SIGNATORIES = ['Teacher', 'Coordinator', 'Head of department'].map((title) => ({ name: '', title }));
const COLUMNS = { number: 24, id: 78, total: 40, letter: 34 };
const NAME_WIDTH = { min: 112, gap: 8 };
/** The width of a component: six digits are the least, and more than the most reads badly. */
const MARK_WIDTH = { min: 27, max: 62 };
const MOST_MARKS = Math.floor(
  (WIDTH - NAME_WIDTH.min - Object.values(COLUMNS).reduce((sum, width) => sum + width)) / MARK_WIDTH.min,
);
const ROW_PADDING = 5;
/** Between the label of a note and its text. */
const NOTE_INDENT = 84;

const style = { size: 7.5 } as const;
const headStyle = { size: 6.5, weight: 'semibold' } as const;
const noteStyle = { size: 7.5 } as const;

type Student = AwardList['students'][number];

/** Components that stand beside each other on a page. */
interface Band {
  from: number;
  to: number;
}

/** The widest part of the figures of a column before the decimal point, and the widest from there on. */
interface FigureWidths {
  whole: number;
  fraction: number;
}

const FIGURE = /^(\d+)(\.\d+)?$/;

function measureFigures(canvas: PdfCanvas, cells: readonly string[]): FigureWidths {
  const parts = cells.flatMap((cell) => {
    const [, whole, fraction = ''] = FIGURE.exec(cell) ?? [];
    return whole === undefined ? [] : { whole, fraction };
  });
  const widest = (texts: readonly string[]) =>
    Math.max(0, ...texts.map((text) => canvas.measureWidth(text, style)));
  return {
    whole: widest(parts.map(({ whole }) => whole)),
    fraction: widest(parts.map(({ fraction }) => fraction)),
  };
}

interface Layout {
  head: LandscapeHead;
  bands: readonly Band[];
  markWidth: number;
  nameWidth: number;
  /** The name of each component. */
  names: ColumnHeads;
  /** Widths of each component, so that the figures below each other are aligned at the decimal point. */
  figures: readonly FigureWidths[];
  /** Where the first student begins. */
  top: number;
}

/** The award list of a mark sheet as a PDF in landscape: students in rows, components in columns. */
export function renderAwardList(job: AwardList): Promise<Uint8Array<ArrayBuffer>> {
  const title = `Award list, ${[job.course, ...job.about].join(', ')}`;
  return writeLandscape({ title, day: job.printedOn }, (canvas) => {
    const layout = layOut(canvas, job);
    const { head, bands, top } = layout;
    const notes = job.notes.map(({ label, text }) => ({
      label,
      block: canvas.wrap(text, WIDTH - NOTE_INDENT, noteStyle),
    }));
    const notesHeight = notes.reduce((sum, { block }) => sum + block.height + 3, 10);
    const { pages: groups } = distributeRows(job.students, layout.top, (student) =>
      rowHeight(canvas, student, layout),
    );
    const lastHeight = (groups.at(-1) ?? []).reduce(
      (sum, student) => sum + rowHeight(canvas, student, layout),
      0,
    );
    const signatures = layOutSignatures(canvas, SIGNATORIES, { isSignedByHand: true });
    const isNoteApart = top + lastHeight + notesHeight + signatures.height > BOTTOM;
    const of = groups.length * bands.length + (isNoteApart ? 1 : 0);
    let page = 0;
    const addPage = () => {
      page += 1;
      canvas.doc.addPage({ size: 'A4', layout: 'landscape', margin: 0 });
      if (!job.isConfirmed) drawWatermark(canvas, 'NOT CONFIRMED', { page: PAGE, angle: -33 });
      head.draw({ page, of });
    };
    let first = 1;
    for (const students of groups) {
      for (const band of bands) {
        addPage();
        drawTableHead(canvas, job, { layout, band });
        let y = top;
        students.forEach((student, i) => {
          drawStudent(canvas, student, { layout, band, number: first + i, y });
          y += rowHeight(canvas, student, layout);
        });
      }
      first += students.length;
    }
    if (isNoteApart) addPage();
    let y = (isNoteApart ? head.bottom : top + lastHeight) + 10;
    for (const { label, block } of notes) {
      canvas.text(label, margin, y, { ...noteStyle, weight: 'semibold' });
      canvas.draw(block, margin + NOTE_INDENT, y, WIDTH - NOTE_INDENT);
      y += block.height + 3;
    }
    signatures.draw();
  });
}

function layOut(canvas: PdfCanvas, job: AwardList): Layout {
  const { components } = job;
  const head = layOutHead(canvas, {
    ...job,
    kind: 'Award list',
    lines: [job.course, ...job.about],
    foot: job.state,
  });
  const count = Math.max(1, Math.ceil(components.length / MOST_MARKS));
  const size = Math.ceil(components.length / count);
  const bands = Array.from({ length: count }, (_, i) => ({
    from: i * size,
    to: Math.min((i + 1) * size, components.length),
  }));
  const { number, id, total, letter } = COLUMNS;
  const room = WIDTH - number - id - total - letter;
  const markWidth = Math.min(MARK_WIDTH.max, (room - NAME_WIDTH.min) / Math.max(1, size));
  const names = layOutColumnHeads(
    canvas,
    components.map(({ name }) => name),
    { width: markWidth, style: headStyle, most: 3 },
  );
  return {
    head,
    bands,
    markWidth,
    names,
    figures: components.map((_, i) =>
      measureFigures(
        canvas,
        job.students.map(({ cells }) => cells[i] ?? ''),
      ),
    ),
    nameWidth: room - size * markWidth,
    top: head.bottom + 10 + names.height + 22,
  };
}

const nameBlock = (canvas: PdfCanvas, { name }: Student, { nameWidth }: Layout) =>
  canvas.wrap(name, nameWidth - NAME_WIDTH.gap, { ...style, weight: 'semibold' });
const idBlock = (canvas: PdfCanvas, { id }: Student) => canvas.wrap(id, COLUMNS.id - 6, style);

const rowHeight = (canvas: PdfCanvas, student: Student, layout: Layout) =>
  Math.max(nameBlock(canvas, student, layout).height, idBlock(canvas, student).height) + ROW_PADDING;

function drawTableHead(
  canvas: PdfCanvas,
  { components }: AwardList,
  { layout, band }: { layout: Layout; band: Band },
): void {
  const { top, markWidth, nameWidth, names, bands } = layout;
  const y = top - 20;
  const head = { size: 7, weight: 'semibold' } as const;
  let x = margin + COLUMNS.number;
  canvas.text('CMS ID', x, y, head);
  x += COLUMNS.id;
  canvas.text('Name', x, y, head);
  if (bands.length > 1) {
    canvas.text(`Components ${band.from + 1} to ${band.to} of ${components.length}`, x, y - 11, {
      size: 6.5,
      colour: COLOURS.muted,
    });
  }
  x += nameWidth;
  components.slice(band.from, band.to).forEach(({ max }, i) => {
    names.draw(band.from + i, x, y - (names.isTurned ? 3 : 2));
    canvas.text(max, x, y, { size: 6.5, colour: COLOURS.muted, align: 'center', width: markWidth });
    x += markWidth;
  });
  canvas.text('Total', x, y, { ...head, align: 'right', width: COLUMNS.total - 6 });
  canvas.text('Grade', x + COLUMNS.total, y, { ...head, align: 'center', width: COLUMNS.letter });
  canvas.line(margin, top - 7, WIDTH, { weight: 0.8, colour: COLOURS.text });
}

interface StudentPlace {
  layout: Layout;
  band: Band;
  number: number;
  y: number;
}

/** Figures below each other have their points below each other; letters stand in the middle. */
function drawMark(
  canvas: PdfCanvas,
  cell: string,
  { x, y, width, figures }: { x: number; y: number; width: number; figures: FigureWidths | undefined },
): void {
  const [, whole] = FIGURE.exec(cell) ?? [];
  if (whole === undefined || figures === undefined) {
    canvas.text(cell, x, y, { ...style, align: 'center', width });
    return;
  }
  const point = x + (width - figures.whole - figures.fraction) / 2 + figures.whole;
  canvas.text(cell, point - canvas.measureWidth(whole, style), y, style);
}

function drawStudent(canvas: PdfCanvas, student: Student, { layout, band, number, y }: StudentPlace): void {
  const { markWidth, nameWidth } = layout;
  let x = margin;
  canvas.text(String(number), x, y, { ...style, colour: COLOURS.muted });
  x += COLUMNS.number;
  canvas.draw(idBlock(canvas, student), x, y, COLUMNS.id);
  x += COLUMNS.id;
  canvas.draw(nameBlock(canvas, student, layout), x, y, nameWidth);
  x += nameWidth;
  student.cells.slice(band.from, band.to).forEach((cell, i) => {
    drawMark(canvas, cell, { x, y, width: markWidth, figures: layout.figures[band.from + i] });
    x += markWidth;
  });
  const strong = { ...style, weight: 'semibold' } as const;
  canvas.text(student.total, x, y, { ...strong, align: 'right', width: COLUMNS.total - 6 });
  canvas.text(student.letter, x + COLUMNS.total, y, { ...strong, align: 'center', width: COLUMNS.letter });
  canvas.line(margin, y + rowHeight(canvas, student, layout) - 3, WIDTH, { weight: 0.3 });
}
