import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { DOCUMENT_TITLES } from '../../../domain/documents/kinds.ts';
import { inIdOrder } from '../../../domain/search-text.ts';
import { studentName } from '../content/content.ts';
import { COLOURS, collectPdf, PdfCanvas, type StructureNode, type TextBlock } from './canvas.ts';
import { PAGE, UNNAMED_INSTITUTION } from './frame.ts';
import type { PrintJob } from './print-job.ts';
import { CARD_PAGES, drawResultCard } from './result-card.ts';
import { drawTranscript, layOutTranscript } from './transcript.ts';

type Doc = InstanceType<typeof PDFDocument>;

/** The same content gives the same bytes: the only date in the file is that of the issue. */
function createDocument(title: string, { content }: PrintJob, isTagged: boolean): Doc {
  const date = new Date(`${content.issued_on}T00:00:00Z`);
  return new PDFDocument({
    autoFirstPage: false,
    font: '',
    pdfVersion: '1.7',
    lang: 'en-GB',
    displayTitle: true,
    tagged: isTagged,
    info: {
      Title: title,
      CreationDate: date,
      ModDate: date,
      Author: content.institution.name ?? UNNAMED_INSTITUTION,
    },
  });
}

function drawDocument(canvas: PdfCanvas, job: PrintJob, root: StructureNode | undefined): void {
  if (job.content.kind === 'transcript') drawTranscript(canvas, job, root);
  else drawResultCard(canvas, job, root);
}

const countPages = (canvas: PdfCanvas, job: PrintJob): number =>
  job.content.kind === 'transcript' ? layOutTranscript(canvas, job).pages.length : CARD_PAGES;

export interface RenderedDocument {
  pdf: Uint8Array<ArrayBuffer>;
  pages: number;
  /** Characters that could not be printed. */
  missing: string[];
}

/** A document as a PDF of its own, with the structure for screen readers. */
export async function renderDocument(job: PrintJob): Promise<RenderedDocument> {
  const { content } = job;
  const title = `${DOCUMENT_TITLES[content.kind]}, ${studentName(content.figures.student)}, ${content.figures.student.id}`;
  const doc = createDocument(title, job, true);
  const pdf = collectPdf(doc);
  const canvas = new PdfCanvas(doc, { isTagged: true });
  const root = canvas.group(undefined, 'Document', title);
  let pages = 0;
  doc.on('pageAdded', () => {
    pages += 1;
  });
  drawDocument(canvas, job, root);
  root?.end();
  doc.end();
  return { pdf: await pdf, pages, missing: [...canvas.missing] };
}

/** Positions on the index page: where its rows begin and end, and their padding. */
const INDEX = { top: 79, bottom: PAGE.height - 44, padding: 2.4 };
const indexStyle = { size: 8.5 } as const;
const INDEX_NAME_WIDTH = 260;

const indexName = (canvas: PdfCanvas, { content }: PrintJob) =>
  canvas.wrap(studentName(content.figures.student), INDEX_NAME_WIDTH, indexStyle);

/** The documents of each page of the index. Long names have several lines. */
function layOutIndex(canvas: PdfCanvas, jobs: readonly PrintJob[]): PrintJob[][] {
  const pages: PrintJob[][] = [[]];
  let y = INDEX.top;
  for (const job of jobs) {
    const height = indexName(canvas, job).height + INDEX.padding;
    if (y + height > INDEX.bottom) {
      pages.push([]);
      y = INDEX.top;
    }
    pages.at(-1)?.push(job);
    y += height;
  }
  return pages;
}

/**
 * Many documents as one PDF in the order of their students, after an index. Answers the file in pieces. It is for printing: its
 * structure for screen readers would take several times the memory of the rest.
 */
export async function* renderBatch(jobs: readonly PrintJob[]): AsyncGenerator<Uint8Array> {
  const [first] = jobs;
  if (first === undefined) return;
  const ordered = inIdOrder(jobs, getId);
  const title = `${DOCUMENT_TITLES[first.content.kind]}s of ${jobs.length} students`;
  const doc = createDocument(title, first, false);
  let chunks: Uint8Array[] = [];
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('end', resolve);
    doc.on('error', reject);
  });
  const canvas = new PdfCanvas(doc, { isTagged: false });
  const pages = ordered.map((job) => countPages(canvas, job));
  const index = layOutIndex(canvas, ordered);
  let next = index.length + 1;
  const firstPages = pages.map((count) => {
    const page = next;
    next += count;
    return page;
  });
  let listed = 0;
  for (const page of index) {
    drawIndex(canvas, title, page, firstPages.slice(listed));
    listed += page.length;
  }
  for (const job of ordered) {
    const { student } = job.content.figures;
    doc.once('pageAdded', () => doc.outline.addItem(`${student.id} ${studentName(student)}`));
    drawDocument(canvas, job, undefined);
    // The library hands out what it has written once nothing else is to do.
    await setImmediate();
    if (chunks.length > 0) yield Buffer.concat(chunks);
    chunks = [];
  }
  doc.end();
  await ended;
  yield Buffer.concat(chunks);
}

const getId = ({ content }: PrintJob) => content.figures.student.id;

function drawIndex(
  canvas: PdfCanvas,
  title: string,
  jobs: readonly PrintJob[],
  firstPages: readonly number[],
): void {
  canvas.doc.addPage({ size: 'A4', margin: 0 });
  const { margin } = PAGE;
  const width = PAGE.width - 2 * margin;
  canvas.text(title, margin, 36, { size: 12.5, weight: 'semibold' });
  const row = (y: number, [id, name, serial, page]: readonly [string, TextBlock, string, string]) => {
    const own = { ...indexStyle, ...(name.style.colour !== undefined && { colour: name.style.colour }) };
    canvas.text(id, margin, y, own);
    canvas.draw(name, margin + 110, y, INDEX_NAME_WIDTH);
    canvas.text(serial, margin + 380, y, own);
    canvas.text(page, margin, y, { ...own, align: 'right', width });
  };
  const head = canvas.wrap('Name', INDEX_NAME_WIDTH, { ...indexStyle, colour: COLOURS.muted });
  row(62, ['CMS ID', head, 'Serial', 'Page']);
  canvas.line(margin, 75, width, { colour: COLOURS.text });
  let y = INDEX.top;
  jobs.forEach((job, i) => {
    const name = indexName(canvas, job);
    row(y, [getId(job), name, job.content.serial ?? '–', String(firstPages[i])]);
    y += name.height + INDEX.padding;
  });
}
