import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { DOCUMENT_TITLES } from '../../../domain/documents/kinds.ts';
import { inIdOrder } from '../../../domain/search-text.ts';
import { studentName } from '../content/content.ts';
import { PAGE, UNNAMED_INSTITUTION } from './frame.ts';
import type { PrintJob } from './print-job.ts';
import { CARD_PAGES, drawResultCard } from './result-card.ts';
import { COLOURS, collectPdf, Sheet, type StructureNode } from './sheet.ts';
import { drawTranscript, layOutTranscript } from './transcript.ts';

type Doc = InstanceType<typeof PDFDocument>;

/** The same content gives the same bytes: the only date in the file is that of the issue. */
function createDocument(title: string, { content }: PrintJob, isTagged: boolean): Doc {
  const date = new Date(`${content.issued_on}T00:00:00Z`);
  return new PDFDocument({
    ...{ autoFirstPage: false, font: '', pdfVersion: '1.7', lang: 'en-GB', displayTitle: true },
    tagged: isTagged,
    info: {
      ...{ Title: title, CreationDate: date, ModDate: date },
      Author: content.institution.name ?? UNNAMED_INSTITUTION,
    },
  });
}

function drawDocument(sheet: Sheet, job: PrintJob, root: StructureNode | undefined): void {
  if (job.content.kind === 'transcript') drawTranscript(sheet, job, root);
  else drawResultCard(sheet, job, root);
}

const countPages = (sheet: Sheet, job: PrintJob): number =>
  job.content.kind === 'transcript' ? layOutTranscript(sheet, job).pages.length : CARD_PAGES;

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
  const sheet = new Sheet(doc, { isTagged: true });
  const root = sheet.group(undefined, 'Document', title);
  let pages = 0;
  doc.on('pageAdded', () => {
    pages += 1;
  });
  drawDocument(sheet, job, root);
  root?.end();
  doc.end();
  return { pdf: await pdf, pages, missing: [...sheet.missing] };
}

const INDEX_ROWS = 56;

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
  const sheet = new Sheet(doc, { isTagged: false });
  const pages = ordered.map((job) => countPages(sheet, job));
  const indexPages = Math.ceil(jobs.length / INDEX_ROWS);
  let next = indexPages + 1;
  const firstPages = pages.map((count) => {
    const page = next;
    next += count;
    return page;
  });
  for (let i = 0; i < indexPages; i += 1) {
    const from = i * INDEX_ROWS;
    drawIndex(sheet, title, ordered.slice(from, from + INDEX_ROWS), firstPages.slice(from));
  }
  for (const job of ordered) {
    const { student } = job.content.figures;
    doc.once('pageAdded', () => doc.outline.addItem(`${student.id} ${studentName(student)}`));
    drawDocument(sheet, job, undefined);
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
  sheet: Sheet,
  title: string,
  jobs: readonly PrintJob[],
  firstPages: readonly number[],
): void {
  sheet.doc.addPage({ size: 'A4', margin: 0 });
  const { margin } = PAGE;
  const width = PAGE.width - 2 * margin;
  sheet.text(title, margin, 36, { size: 12.5, weight: 'semibold' });
  const row = (y: number, cells: readonly [string, string, string, string], isHead = false) => {
    const style = { size: 8.5, ...(isHead && { colour: COLOURS.muted }) };
    sheet.text(cells[0], margin, y, style);
    const [name = ''] = sheet.wrap(cells[1], 260, style).lines;
    sheet.text(name, margin + 110, y, style);
    sheet.text(cells[2], margin + 380, y, style);
    sheet.text(cells[3], margin, y, { ...style, align: 'right', width });
  };
  row(62, ['CMS ID', 'Name', 'Serial', 'Page'], true);
  sheet.line(margin, 75, width, { colour: COLOURS.text });
  jobs.forEach(({ content }, i) => {
    const { student } = content.figures;
    row(79 + i * 12.8, [student.id, studentName(student), content.serial ?? '–', String(firstPages[i])]);
  });
}
