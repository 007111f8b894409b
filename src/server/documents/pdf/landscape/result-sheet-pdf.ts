import { z } from 'zod';
import { UNGRADED_SIGNS } from '../../../../domain/documents/figures.ts';
import { letterhead } from '../../content/content.ts';
import { COLOURS, lineHeight, type Sheet } from '../sheet.ts';
import {
  BOTTOM,
  distributeRows,
  drawSignatures,
  layOutHead,
  PAGE,
  SIGNATURES_HEIGHT,
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
  printedOn: z.iso.date(),
  courses: z.array(course),
  students: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** A text for each course; empty for one that the student has not taken. */
      letters: z.array(z.string()),
      sgpa: z.number(),
      /** Null after a provisional semester. */
      cgpa: z.number().nullable(),
      /** By CGPA; null for results that are incomplete or not final. */
      rank: z.int().nullable(),
      remarks: z.string(),
    }),
  ),
});
export type ResultSheet = z.infer<typeof resultSheet>;

const TABLE_HEAD_HEIGHT = 30;
const ROW_PADDING = 5;
const { margin } = PAGE;

const COLUMNS = { number: 22, id: 70, name: 130, average: 34, rank: 30, remarks: 110 };
const style = { size: 7.5 } as const;

type Student = ResultSheet['students'][number];

const BLANK_SIGNATORIES = ['Prepared by', 'Checked by', 'Controller of Examinations'].map((title) => ({
  name: '',
  title,
}));

/** The result sheet of a class as a PDF in landscape: students in rows, courses in columns. */
export function renderResultSheet(job: ResultSheet): Promise<Uint8Array<ArrayBuffer>> {
  const { className, semester, printedOn, institution } = job;
  const title = `Class result sheet, ${className}, semester ${semester}`;
  return writeLandscape({ title, day: printedOn }, (sheet) => {
    const head = layOutHead(sheet, {
      ...job,
      kind: 'Class result sheet',
      lines: [className, `Semester ${semester}`],
      foot: `${className}, semester ${semester}: final results only`,
    });
    const key = sheet.wrap(
      [
        ...job.courses.map(({ code, title: name }) => (code === name ? code : `${code} ${name}`)),
        ...Object.entries(UNGRADED_SIGNS)
          .filter(([, sign]) => job.students.some(({ letters }) => letters.includes(sign)))
          .map(([name, sign]) => `${sign} ${name}`),
      ].join(' · '),
      WIDTH,
      { size: 6.5, colour: COLOURS.muted },
    );
    const top = head.bottom + 16;
    const pages = distribute(sheet, job, { top: top + TABLE_HEAD_HEIGHT, keyHeight: key.height });
    let number = 0;
    pages.forEach((students, i) => {
      sheet.doc.addPage({ size: 'A4', layout: 'landscape', margin: 0 });
      head.draw({ page: i + 1, of: pages.length });
      drawTableHead(sheet, job, top);
      let y = top + TABLE_HEAD_HEIGHT;
      for (const student of students) {
        number += 1;
        y = drawStudent(sheet, job, student, { number, y });
      }
      if (i < pages.length - 1) return;
      sheet.draw(key, margin, y + 6, WIDTH);
      drawSignatures(sheet, institution.signatories.length > 0 ? institution.signatories : BLANK_SIGNATORIES);
    });
  });
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

function distribute(
  sheet: Sheet,
  job: ResultSheet,
  { top, keyHeight }: { top: number; keyHeight: number },
): Student[][] {
  const { pages, bottom } = distributeRows(job.students, top, (student) => rowHeight(sheet, student));
  if (bottom + keyHeight + SIGNATURES_HEIGHT > BOTTOM) pages.push([]);
  return pages;
}

function drawTableHead(sheet: Sheet, job: ResultSheet, y: number): void {
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
    sheet.text(average?.toFixed(2) ?? '–', x, y, {
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
