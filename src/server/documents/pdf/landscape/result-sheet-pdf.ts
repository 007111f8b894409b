import { z } from 'zod';
import { UNGRADED_SIGNS } from '../../../../domain/documents/figures.ts';
import { letterhead } from '../../content/content.ts';
import { COLOURS, type PdfCanvas } from '../canvas.ts';
import { type ColumnHeads, layOutColumnHeads } from './column-heads.ts';
import {
  BOTTOM,
  distributeRows,
  layOutHead,
  layOutSignatures,
  PAGE,
  WIDTH,
  writeLandscape,
} from './landscape.ts';

const course = z.object({ code: z.string(), title: z.string(), credits: z.int().nullable() });
export type SheetCourse = z.infer<typeof course>;

/** The results of a class in a semester. */
export const resultSheet = z.object({
  institution: letterhead,
  logo: z.instanceof(Uint8Array).nullable(),
  className: z.string(),
  semester: z.int(),
  /** The term in which the class took it, and its notification; what is known of them. */
  about: z.array(z.string()),
  /** Counts of the class. */
  counts: z.string(),
  printedOn: z.iso.date(),
  courses: z.array(course),
  students: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** A text for each course; empty for one that the student has not taken. */
      letters: z.array(z.string()),
      sgpa: z.number(),
      /** A course of the semester is incomplete, which stands beside the SGPA. */
      is_incomplete: z.boolean(),
      /** Null after a provisional semester. */
      cgpa: z.number().nullable(),
      /** The rank by CGPA; null for results that are incomplete or not final. */
      rank: z.int().nullable(),
      remarks: z.string(),
    }),
  ),
});
export type ResultSheet = z.infer<typeof resultSheet>;

const ROW_PADDING = 5;
const { margin } = PAGE;

const COLUMNS = { number: 22, id: 70, name: 130, average: 34, rank: 30, remarks: 110 };
const style = { size: 7.5 } as const;
const nameStyle = { ...style, weight: 'semibold' } as const;
const remarksStyle = { size: 6.5, colour: COLOURS.muted } as const;
const headStyle = { size: 7, weight: 'semibold' } as const;

type Student = ResultSheet['students'][number];

const BLANK_SIGNATORIES = ['Prepared by', 'Checked by', 'Controller of Examinations'].map((title) => ({
  name: '',
  title,
}));

/** The result sheet of a class as a PDF in landscape: students in rows, courses in columns. */
export function renderResultSheet(job: ResultSheet): Promise<Uint8Array<ArrayBuffer>> {
  const { className, semester, printedOn, institution } = job;
  const title = `Class result sheet, ${className}, semester ${semester}`;
  return writeLandscape({ title, day: printedOn }, (canvas) => {
    const head = layOutHead(canvas, {
      ...job,
      kind: 'Class result sheet',
      lines: [className, [`Semester ${semester}`, ...job.about].join(', ')],
      foot: `${className}, semester ${semester}: final results only`,
    });
    const key = canvas.wrap([job.counts, keyText(job)].join('\n'), WIDTH, {
      size: 6.5,
      colour: COLOURS.muted,
    });
    const heads = layOutColumnHeads(
      canvas,
      job.courses.map(({ code }) => code),
      { width: courseWidth(job), style: headStyle, most: 1 },
    );
    const headHeight = heads.height + 21;
    const top = head.bottom + 10;
    const { signatories } = institution;
    const signatures = layOutSignatures(canvas, signatories.length > 0 ? signatories : BLANK_SIGNATORIES);
    const below = key.height + signatures.height;
    const pages = distribute(canvas, job, { top: top + headHeight, below });
    let number = 0;
    pages.forEach((students, i) => {
      canvas.doc.addPage({ size: 'A4', layout: 'landscape', margin: 0 });
      head.draw({ page: i + 1, of: pages.length });
      drawTableHead(canvas, job, { heads, y: top + heads.height });
      let y = top + headHeight;
      for (const student of students) {
        number += 1;
        y = drawStudent(canvas, job, student, { number, y });
      }
      if (i < pages.length - 1) return;
      canvas.draw(key, margin, y + 6, WIDTH);
      signatures.draw();
    });
  });
}

const courseWidth = ({ courses }: ResultSheet) => {
  const { number, id, name, average, rank, remarks } = COLUMNS;
  return (WIDTH - number - id - name - 2 * average - rank - remarks) / Math.max(1, courses.length);
};

/** Titles of the courses, and the signs in place of grades. */
const keyText = ({ courses, students }: ResultSheet) =>
  [
    ...courses.map(({ code, title: name }) => (code === name ? code : `${code} ${name}`)),
    ...Object.entries(UNGRADED_SIGNS)
      .filter(([, sign]) => students.some(({ letters }) => letters.includes(sign)))
      .map(([name, sign]) => `${sign} ${name}`),
  ].join(' · ');

/** The cells of a row that may have several lines, as they are measured and drawn. */
const layOutRow = (canvas: PdfCanvas, job: ResultSheet, { id, name, letters, remarks }: Student) => {
  const cells = {
    id: canvas.wrap(id, COLUMNS.id - 6, style),
    name: canvas.wrap(name, COLUMNS.name - 6, nameStyle),
    letters: letters.map((letter) =>
      canvas.wrap(letter, courseWidth(job) - 2, {
        ...style,
        weight: /F/.test(letter) ? 'semibold' : 'regular',
        align: 'center',
      }),
    ),
    remarks: canvas.wrap(remarks, COLUMNS.remarks, remarksStyle),
  };
  const blocks = [cells.id, cells.name, ...cells.letters, cells.remarks];
  return { ...cells, height: Math.max(...blocks.map(({ height }) => height)) + ROW_PADDING };
};

function distribute(
  canvas: PdfCanvas,
  job: ResultSheet,
  { top, below }: { top: number; below: number },
): Student[][] {
  const { pages, bottom } = distributeRows(
    job.students,
    top,
    (student) => layOutRow(canvas, job, student).height,
  );
  if (bottom + below > BOTTOM) pages.push([]);
  return pages;
}

function drawTableHead(
  canvas: PdfCanvas,
  job: ResultSheet,
  { heads, y }: { heads: ColumnHeads; y: number },
): void {
  let x = margin + COLUMNS.number;
  canvas.text('CMS ID', x, y, headStyle);
  x += COLUMNS.id;
  canvas.text('Name', x, y, headStyle);
  x += COLUMNS.name;
  const width = courseWidth(job);
  job.courses.forEach(({ credits }, column) => {
    heads.draw(column, x, y);
    const hours = credits === null ? '' : `${credits} cr`;
    canvas.text(hours, x, y, { size: 6.5, colour: COLOURS.muted, align: 'center', width });
    x += width;
  });
  for (const label of ['SGPA', 'CGPA']) {
    canvas.text(label, x, y, { ...headStyle, align: 'right', width: COLUMNS.average });
    x += COLUMNS.average;
  }
  canvas.text('Rank', x, y, { ...headStyle, align: 'right', width: COLUMNS.rank - 8 });
  canvas.text('Remarks', x + COLUMNS.rank, y, headStyle);
  canvas.line(margin, y + 13, WIDTH, { weight: 0.8, colour: COLOURS.text });
}

/** @returns where the next student begins */
function drawStudent(
  canvas: PdfCanvas,
  job: ResultSheet,
  student: Student,
  { number, y }: { number: number; y: number },
): number {
  const { id, name, letters, remarks, height } = layOutRow(canvas, job, student);
  let x = margin;
  canvas.text(String(number), x, y, { ...style, colour: COLOURS.muted });
  x += COLUMNS.number;
  canvas.draw(id, x, y, COLUMNS.id);
  x += COLUMNS.id;
  canvas.draw(name, x, y, COLUMNS.name);
  x += COLUMNS.name;
  const width = courseWidth(job);
  for (const letter of letters) {
    canvas.draw(letter, x, y, width);
    x += width;
  }
  const sgpa = `${student.sgpa.toFixed(2)}${student.is_incomplete ? ` ${UNGRADED_SIGNS.incomplete}` : ''}`;
  for (const average of [sgpa, student.cgpa?.toFixed(2) ?? '–']) {
    canvas.text(average, x, y, { ...nameStyle, align: 'right', width: COLUMNS.average });
    x += COLUMNS.average;
  }
  canvas.text(student.rank === null ? '–' : String(student.rank), x, y, {
    ...style,
    align: 'right',
    width: COLUMNS.rank - 8,
  });
  canvas.draw(remarks, x + COLUMNS.rank, y, COLUMNS.remarks);
  canvas.line(margin, y + height - 3, WIDTH, { weight: 0.3 });
  return y + height;
}
