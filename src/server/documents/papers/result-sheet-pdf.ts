import PDFDocument from 'pdfkit';
import { z } from 'zod';
import { institutionReply } from '../../../contract/institution.ts';
import { dayText, UNNAMED_INSTITUTION } from './frame.ts';
import { COLOURS, lineHeight, Sheet } from './sheet.ts';

const course = z.object({ code: z.string(), title: z.string(), credits: z.int().nullable() });
export type SheetCourse = z.infer<typeof course>;

/** The results of a class in a semester. */
export const resultSheet = z.object({
  institution: institutionReply.omit({ version: true }),
  logo: z.instanceof(Uint8Array).nullable(),
  className: z.string(),
  semester: z.int(),
  printedOn: z.iso.date(),
  courses: z.array(course),
  students: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** A text for each course; empty for one that the student has not taken. */
      letters: z.array(z.string()),
      sgpa: z.number(),
      cgpa: z.number(),
      /** By CGPA; null for incomplete results. */
      rank: z.int().nullable(),
      remarks: z.string(),
    }),
  ),
});
export type ResultSheet = z.infer<typeof resultSheet>;

const PAGE = { width: 841.89, height: 595.28, margin: 36 };
const WIDTH = PAGE.width - 2 * PAGE.margin;
const TOP = 128;
const BOTTOM = PAGE.height - 46;
/** Room for the signatures on the last page. */
const SIGNATURES_HEIGHT = 60;
const ROW_PADDING = 5;
const { margin } = PAGE;

const COLUMNS = { number: 22, id: 70, name: 130, average: 34, rank: 30, remarks: 110 };
const style = { size: 7.5 } as const;

type Student = ResultSheet['students'][number];

/** The result sheet of a class as a PDF in landscape: students in rows, courses in columns. */
export async function renderResultSheet(job: ResultSheet): Promise<Uint8Array<ArrayBuffer>> {
  const date = new Date(`${job.printedOn}T00:00:00Z`);
  const title = `Class result sheet, ${job.className}, semester ${job.semester}`;
  const doc = new PDFDocument({
    ...{ autoFirstPage: false, font: '', pdfVersion: '1.7', lang: 'en-GB', displayTitle: true },
    info: { Title: title, CreationDate: date, ModDate: date },
  });
  const chunks: Uint8Array[] = [];
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('end', resolve);
    doc.on('error', reject);
  });
  const sheet = new Sheet(doc, { isTagged: false });
  const key = sheet.wrap(
    job.courses.map(({ code, title: name }) => (code === name ? code : `${code} ${name}`)).join(' · '),
    WIDTH,
    { size: 6.5, colour: COLOURS.muted },
  );
  const pages = distribute(sheet, job, key.height);
  let number = 0;
  pages.forEach((students, i) => {
    doc.addPage({ size: 'A4', layout: 'landscape', margin: 0 });
    drawHead(sheet, job, { page: i + 1, of: pages.length });
    let y = drawTableHead(sheet, job);
    for (const student of students) {
      number += 1;
      y = drawStudent(sheet, job, student, { number, y });
    }
    if (i < pages.length - 1) return;
    sheet.draw(key, margin, y + 6, WIDTH);
    drawSignatures(sheet, job);
  });
  doc.end();
  await ended;
  return new Uint8Array(Buffer.concat(chunks));
}

const courseWidth = ({ courses }: ResultSheet) => {
  const { number, id, name, average, rank, remarks } = COLUMNS;
  return (WIDTH - number - id - name - 2 * average - rank - remarks) / Math.max(1, courses.length);
};

const rowHeight = (sheet: Sheet, { name, remarks }: Student) =>
  Math.max(
    sheet.wrap(name, COLUMNS.name - 6, style).height,
    sheet.wrap(remarks, COLUMNS.remarks, { size: 6.5 }).height,
    lineHeight(style.size),
  ) + ROW_PADDING;

function distribute(sheet: Sheet, job: ResultSheet, keyHeight: number): Student[][] {
  const pages: Student[][] = [[]];
  let y = TOP + 26;
  for (const student of job.students) {
    const height = rowHeight(sheet, student);
    if (y + height > BOTTOM) {
      pages.push([]);
      y = TOP + 26;
    }
    pages.at(-1)?.push(student);
    y += height;
  }
  if (y + keyHeight + SIGNATURES_HEIGHT > BOTTOM) pages.push([]);
  return pages;
}

function drawHead(sheet: Sheet, job: ResultSheet, { page, of }: { page: number; of: number }): void {
  const { institution, logo, className, semester, printedOn } = job;
  const left = margin + (logo === null ? 0 : 58);
  if (logo !== null) sheet.doc.image(Buffer.from(logo), margin, 40, { fit: [46, 46] });
  sheet.text(institution.name ?? UNNAMED_INSTITUTION, left, 44, {
    ...{ size: 16, weight: 'semibold', colour: COLOURS.ink },
  });
  sheet.text((institution.address ?? '').replaceAll('\n', ', '), left, 66, {
    size: 7.5,
    colour: COLOURS.muted,
  });
  const aside = { size: 8, colour: COLOURS.muted, align: 'right', width: 300 } as const;
  const x = PAGE.width - margin - 300;
  sheet.text('Class result sheet', x, 40, { ...aside, size: 12.5, weight: 'semibold', colour: COLOURS.text });
  [className, `Semester ${semester}`, `Printed ${dayText(printedOn)}, page ${page} of ${of}`].forEach(
    (line, i) => {
      sheet.text(line, x, 58 + i * 10.5, aside);
    },
  );
  sheet.line(margin, 104, WIDTH, { weight: 0.8, colour: COLOURS.ink });
  sheet.line(margin, PAGE.height - 36, WIDTH);
  sheet.text(`${className}, semester ${semester}: final results only`, margin, PAGE.height - 31, {
    ...{ size: 6.5, colour: COLOURS.muted },
  });
}

/** @returns where the first student begins */
function drawTableHead(sheet: Sheet, job: ResultSheet): number {
  const y = TOP - 8;
  const head = { size: 7, weight: 'semibold' } as const;
  let x = margin + COLUMNS.number;
  sheet.text('CMS ID', x, y + 12, head);
  x += COLUMNS.id;
  sheet.text('Name', x, y + 12, head);
  x += COLUMNS.name;
  const width = courseWidth(job);
  for (const { code, credits } of job.courses) {
    const [first = ''] = sheet.wrap(code, width - 4, head).lines;
    sheet.text(first, x, y, { ...head, align: 'center', width });
    const hours = credits === null ? '' : `${credits} cr`;
    sheet.text(hours, x, y + 12, { size: 6.5, colour: COLOURS.muted, align: 'center', width });
    x += width;
  }
  for (const label of ['SGPA', 'CGPA']) {
    sheet.text(label, x, y + 12, { ...head, align: 'right', width: COLUMNS.average });
    x += COLUMNS.average;
  }
  sheet.text('Rank', x, y + 12, { ...head, align: 'right', width: COLUMNS.rank - 8 });
  sheet.text('Remarks', x + COLUMNS.rank, y + 12, head);
  sheet.line(margin, y + 25, WIDTH, { weight: 0.8, colour: COLOURS.text });
  return TOP + 20;
}

/** @returns where the next student begins */
function drawStudent(
  sheet: Sheet,
  job: ResultSheet,
  student: Student,
  { number, y }: { number: number; y: number },
): number {
  const height = rowHeight(sheet, student);
  let x = margin;
  sheet.text(String(number), x, y, { ...style, colour: COLOURS.muted });
  x += COLUMNS.number;
  sheet.text(student.id, x, y, style);
  x += COLUMNS.id;
  sheet.draw(
    sheet.wrap(student.name, COLUMNS.name - 6, { ...style, weight: 'semibold' }),
    x,
    y,
    COLUMNS.name,
  );
  x += COLUMNS.name;
  const width = courseWidth(job);
  for (const letter of student.letters) {
    const weight = /F/.test(letter) ? 'semibold' : 'regular';
    sheet.text(letter, x, y, { ...style, weight, align: 'center', width });
    x += width;
  }
  for (const average of [student.sgpa, student.cgpa]) {
    sheet.text(average.toFixed(2), x, y, {
      ...style,
      weight: 'semibold',
      align: 'right',
      width: COLUMNS.average,
    });
    x += COLUMNS.average;
  }
  sheet.text(student.rank === null ? '–' : String(student.rank), x, y, {
    ...style,
    align: 'right',
    width: COLUMNS.rank - 8,
  });
  sheet.draw(
    sheet.wrap(student.remarks, COLUMNS.remarks, { size: 6.5, colour: COLOURS.muted }),
    x + COLUMNS.rank,
    y,
    COLUMNS.remarks,
  );
  sheet.line(margin, y + height - 3, WIDTH, { weight: 0.3 });
  return y + height;
}

function drawSignatures(sheet: Sheet, { institution }: ResultSheet): void {
  const shown =
    institution.signatories.length > 0
      ? institution.signatories
      : ['Prepared by', 'Checked by', 'Controller of Examinations'].map((title) => ({ name: '', title }));
  shown.forEach(({ name, title }, i) => {
    const x = margin + i * 200;
    const y = BOTTOM - 26;
    sheet.line(x, y, 170, { weight: 0.7, colour: COLOURS.text });
    sheet.text(name, x, y + 3, { size: 7.5, weight: 'semibold' });
    sheet.text(title, x, y + 12, { size: 7.5, colour: COLOURS.muted });
  });
}
