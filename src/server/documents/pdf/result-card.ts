import type { DocumentContent } from '../content/content.ts';
import { COLOURS, type PdfCanvas, type StructureNode, type TextBlock, type TextStyle } from './canvas.ts';
import {
  BOTTOM,
  CONTENT_WIDTH,
  drawField,
  drawFrame,
  drawSignatures,
  PAGE,
  signaturesHeight,
  TOP,
} from './frame.ts';
import type { PrintJob } from './print-job.ts';
import {
  BEFORE_ENTRY,
  courseCode,
  gradingKey,
  letterText,
  lowerFirst,
  qualityText,
  repeatText,
  semesterHeading,
  sgpaText,
} from './result-texts.ts';

const { margin } = PAGE;
const RIGHT = margin + CONTENT_WIDTH;
/** Right edges of the columns with numbers. */
const COLUMNS = { credits: RIGHT - 150, grade: RIGHT - 105, points: RIGHT - 60, quality: RIGHT };
const TITLE_X = margin + 72;
const TITLE_WIDTH = COLUMNS.credits - 40 - TITLE_X;
const ROW_PADDING = 7;
/** Font sizes of the subjects, in the order in which they are tried. */
const SIZES = [8.5, 7.5, 6.5, 5.5] as const;
/** With the space around them. */
const AVERAGES_HEIGHT = 64;
const SEMESTER_STEP = 14;
const KEY = { x: margin + CONTENT_WIDTH / 2 + 10, width: CONTENT_WIDTH / 2 - 10 };

/** A result card always has one page: a semester has at most ten subjects. */
export const CARD_PAGES = 1;

type Semester = DocumentContent['figures']['semesters'][number];

interface SubjectRow {
  subject: Semester['subjects'][number];
  code: TextBlock;
  title: TextBlock;
  height: number;
}

/** The subjects in the largest size in which they fit a height, or else in the smallest. */
function layOutRows(
  canvas: PdfCanvas,
  content: DocumentContent,
  room: number,
): { style: TextStyle; rows: SubjectRow[] } {
  const subjects = content.figures.semesters.at(-1)?.subjects ?? [];
  let laidOut: { style: TextStyle; rows: SubjectRow[] } = { style: { size: SIZES[0] }, rows: [] };
  for (const size of SIZES) {
    const style = { size };
    const rows = subjects.map((subject): SubjectRow => {
      const repeated = repeatText(subject);
      const title = canvas.wrap(
        repeated === '' ? subject.title : `${subject.title} (${repeated})`,
        TITLE_WIDTH,
        style,
      );
      const code = canvas.wrap(courseCode(content, subject), TITLE_X - margin - 8, {
        ...style,
        colour: COLOURS.muted,
      });
      return { subject, code, title, height: Math.max(title.height, code.height) + ROW_PADDING };
    });
    laidOut = { style, rows };
    if (rows.reduce((sum, { height }) => sum + height, 0) <= room) break;
  }
  return laidOut;
}

/** Height of the averages of the semesters so far, and of the key beside them. */
const closingHeight = ({ content }: PrintJob, key: TextBlock) =>
  Math.max(18 + content.figures.semesters.length * SEMESTER_STEP, 16 + key.height) + 6;

/** Rows about the person of the card. */
function personRows({ content: { figures, degree_title } }: PrintJob) {
  const { student } = figures;
  return [
    [
      { label: 'Name', value: `${student.first_name} ${student.last_name}`, share: 0.4 },
      { label: "Father's name", value: student.father_name ?? '–', share: 0.4 },
      { label: 'CMS ID', value: student.id, share: 0.2 },
    ],
    [
      ...(degree_title ? [{ label: 'Degree', value: degree_title, share: 0.4 }] : []),
      { label: 'Department', value: student.department, share: 0.4 },
      { label: 'Batch', value: student.degree, share: 0.2 },
    ],
  ];
}

/** Draws a result card on a page of its own. */
export function drawResultCard(canvas: PdfCanvas, job: PrintJob, root: StructureNode | undefined): void {
  canvas.doc.addPage({ size: 'A4', margin: 0 });
  drawFrame(canvas, job, { page: 1, of: CARD_PAGES }, root);
  const semester = job.content.figures.semesters.at(-1);
  if (semester === undefined) throw new Error('A result card needs its semester.');
  let y = TOP;
  for (const row of personRows(job)) {
    let x = margin;
    let height = 0;
    for (const { label, value, share } of row) {
      const width = CONTENT_WIDTH * share - 8;
      height = Math.max(height, drawField(canvas, { label, value }, { x, y, width }, root));
      x += CONTENT_WIDTH * share;
    }
    y += height + 7;
  }

  y += 9;
  const heading = `Results of ${lowerFirst(semesterHeading(job.content, semester))}`;
  const headingBlock = canvas.wrap(heading, CONTENT_WIDTH, { size: 10, weight: 'semibold' });
  const headingTop = y;
  canvas.element(root, 'H2', () => canvas.draw(headingBlock, margin, headingTop, CONTENT_WIDTH));
  y += headingBlock.height + 6;
  const table = canvas.group(root, 'Table', heading);
  const rule = (weight: number, colour: string) => {
    const at = y;
    canvas.artifact(() => canvas.line(margin, at, CONTENT_WIDTH, { weight, colour }));
  };
  const numbers = (
    row: StructureNode | undefined,
    type: 'TH' | 'TD',
    texts: Partial<Record<keyof typeof COLUMNS, string>>,
    style: TextStyle,
  ) => {
    for (const column of ['credits', 'grade', 'points', 'quality'] as const) {
      canvas.element(row, type, () => {
        canvas.text(texts[column] ?? '', COLUMNS[column] - 60, y + 4, {
          ...style,
          align: 'right',
          width: 60,
        });
      });
    }
  };
  rule(0.8, COLOURS.text);
  const head = canvas.group(table, 'TR');
  const small = { size: 7, colour: COLOURS.muted };
  canvas.element(head, 'TH', () => canvas.text('Code', margin, y + 4, small));
  canvas.element(head, 'TH', () => canvas.text('Subject', TITLE_X, y + 4, small));
  numbers(
    head,
    'TH',
    { credits: 'Credits', grade: 'Grade', points: 'Points', quality: 'Quality points' },
    small,
  );
  y += 17;
  rule(0.8, COLOURS.text);
  const key = canvas.wrap(`${gradingKey(job.content)} Quality points are credits times points.`, KEY.width, {
    size: 7.5,
    colour: COLOURS.muted,
  });
  const closing = 18 + AVERAGES_HEIGHT + closingHeight(job, key) + signaturesHeight(canvas, job);
  const { style, rows } = layOutRows(canvas, job.content, BOTTOM - y - closing);
  for (const { subject, code, title, height } of rows) {
    const row = canvas.group(table, 'TR');
    canvas.element(row, 'TD', () => canvas.draw(code, margin, y + 4, TITLE_X - margin));
    canvas.element(row, 'TD', () => canvas.draw(title, TITLE_X, y + 4, TITLE_WIDTH));
    const { credits, points } = subject;
    numbers(
      row,
      'TD',
      {
        credits: credits === null ? '–' : String(credits),
        grade: letterText(subject),
        points: points === null ? '–' : points.toFixed(1),
        quality: points === null || credits === null ? '–' : (points * credits).toFixed(1),
      },
      style,
    );
    y += height;
    rule(0.3, COLOURS.line);
  }
  const sum = semester.subjects.reduce(
    (total, { credits, points }) => total + (credits ?? 0) * (points ?? 0),
    0,
  );
  const strong = { ...style, weight: 'semibold' } as const;
  const foot = canvas.group(table, 'TR');
  canvas.element(foot, 'TD', () => canvas.text(`Semester ${semester.semester}`, margin, y + 4, strong));
  numbers(foot, 'TD', { credits: String(semester.credits_attempted), quality: qualityText(sum) }, strong);
  y += 18;
  rule(0.8, COLOURS.text);

  y += 14;
  drawAverages(canvas, job, y, root);
  y += AVERAGES_HEIGHT - 14;
  drawEarlier(canvas, job, y, root);
  canvas.element(root, 'H2', () =>
    canvas.text('How to read this card', KEY.x, y, { size: 9, weight: 'semibold' }),
  );
  canvas.element(root, 'P', () => canvas.draw(key, KEY.x, y + 16, KEY.width));
  drawSignatures(canvas, job, root);
}

function drawAverages(
  canvas: PdfCanvas,
  { content }: PrintJob,
  y: number,
  root: StructureNode | undefined,
): void {
  const { figures } = content;
  const last = figures.semesters.at(-1);
  canvas.artifact(() => {
    canvas.doc.lineWidth(0.8).strokeColor(COLOURS.text).rect(margin, y, CONTENT_WIDTH, 34).stroke();
  });
  const fields = [
    { label: 'SGPA', value: last === undefined ? '–' : sgpaText(last) },
    { label: 'CGPA', value: figures.cgpa === null ? '–' : `${figures.cgpa.toFixed(2)} of 4.00` },
    { label: 'Credits earned in all', value: String(figures.credits_earned) },
  ];
  const width = CONTENT_WIDTH / fields.length;
  fields.forEach(({ label, value }, i) => {
    const x = margin + i * width;
    if (i > 0) {
      canvas.artifact(() => {
        canvas.doc
          .lineWidth(0.4)
          .strokeColor(COLOURS.line)
          .moveTo(x, y)
          .lineTo(x, y + 34)
          .stroke();
      });
    }
    drawField(canvas, { label, value }, { x: x + 8, y: y + 5, width: width - 16 }, root);
  });
}

/** The SGPA of each semester so far, on a scale from 0 to 4; those before entry have none. */
function drawEarlier(
  canvas: PdfCanvas,
  { content }: PrintJob,
  y: number,
  root: StructureNode | undefined,
): void {
  canvas.element(root, 'H2', () =>
    canvas.text('SGPA of each semester', margin, y, { size: 9, weight: 'semibold' }),
  );
  const scale = { x: margin + 66, width: 140 };
  content.figures.semesters.forEach(({ semester, sgpa, elsewhere }, i) => {
    const at = y + 18 + i * SEMESTER_STEP;
    canvas.element(root, 'P', () => {
      canvas.text(`Semester ${semester}`, margin, at, { size: 7.5 });
      if (elsewhere) canvas.text(BEFORE_ENTRY, scale.x, at, { size: 7.5, colour: COLOURS.muted });
      else
        canvas.text(sgpa.toFixed(2), scale.x + scale.width + 8, at, { size: 7.5, align: 'right', width: 24 });
    });
    if (elsewhere) return;
    canvas.artifact(() => {
      const base = at + 8;
      canvas.line(scale.x, base, scale.width, { weight: 0.4 });
      for (let tick = 0; tick <= 8; tick += 1) {
        const x = scale.x + (tick / 8) * scale.width;
        canvas.doc
          .lineWidth(0.3)
          .moveTo(x, base - (tick % 2 === 0 ? 4 : 2))
          .lineTo(x, base)
          .stroke();
      }
      canvas.line(scale.x, base, (sgpa / 4) * scale.width, { weight: 2, colour: COLOURS.ink });
    });
  });
}
