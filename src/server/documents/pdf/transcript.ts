import { dayText } from '../../../domain/documents/figures.ts';
import type { DocumentContent } from '../content/content.ts';
import { COLOURS, lineHeight, type PdfCanvas, type StructureNode, type TextBlock } from './canvas.ts';
import { drawElsewhere, layOutElsewhere, measureElsewhere } from './elsewhere.ts';
import {
  BOTTOM,
  CONTENT_WIDTH,
  continuedTop,
  drawContinued,
  drawField,
  drawFrame,
  drawSignatures,
  PAGE,
  signaturesHeight,
  TOP,
} from './frame.ts';
import type { PrintJob } from './print-job.ts';
import {
  courseCode,
  gradingKey,
  letterText,
  qualityText,
  repeatText,
  semesterHeading,
  sgpaText,
} from './result-texts.ts';

type Semester = DocumentContent['figures']['semesters'][number];
type Subject = Semester['subjects'][number];

const { margin } = PAGE;
const GUTTER = 20;
const COLUMN = (CONTENT_WIDTH - GUTTER) / 2;
/** Sizes of the subjects in the order in which they are tried, and on how many pages they have to fit. */
const ATTEMPTS = [
  ...[7.5, 7, 6.5].map((size) => ({ size, pages: 1 })),
  ...[7.5, 7, 6.5, 6, 5.5].map((size) => ({ size, pages: 2 })),
];
const CODE_WIDTH = 44;
const CREDITS_WIDTH = 16;
const GRADE_WIDTH = 24;
const POINTS_WIDTH = 20;
const ROW_PADDING = 2.6;
const SEMESTER_GAP = 11;
const PORTRAIT = { width: 54, height: 69 };

interface SubjectRow {
  subject: Subject;
  code: TextBlock;
  title: TextBlock;
  height: number;
}

interface SemesterBlock {
  semester: Semester;
  size: number;
  heading: TextBlock;
  rows: SubjectRow[];
  height: number;
}

/** Two semesters beside each other, which are never split. */
type Pair = readonly SemesterBlock[];

const TITLE_WIDTH = COLUMN - CODE_WIDTH - CREDITS_WIDTH - GRADE_WIDTH - POINTS_WIDTH - 6;

/** Left of the heads of the columns. */
const HEADING_WIDTH = CODE_WIDTH + TITLE_WIDTH;

/** The height that a heading of several lines needs beyond the first. */
const extraLines = ({ height, style }: TextBlock) => height - lineHeight(style.size);

function layOutSemester(
  canvas: PdfCanvas,
  content: DocumentContent,
  semester: Semester,
  size: number,
): SemesterBlock {
  const rows = semester.subjects.map((subject): SubjectRow => {
    const repeated = repeatText(subject);
    const title = canvas.wrap(
      repeated === '' ? subject.title : `${subject.title} (${repeated})`,
      TITLE_WIDTH,
      {
        size,
      },
    );
    const code = canvas.wrap(courseCode(content, subject), CODE_WIDTH - 4, { size, colour: COLOURS.muted });
    return { subject, code, title, height: Math.max(title.height, code.height) + ROW_PADDING };
  });
  const heading = canvas.wrap(semesterHeading(content, semester), HEADING_WIDTH, {
    size: 8,
    weight: 'semibold',
  });
  if (semester.elsewhere) return { semester, size, heading, rows, height: 15 + extraLines(heading) };
  const height = 15 + extraLines(heading) + rows.reduce((sum, row) => sum + row.height, 0) + 14;
  return { semester, size, heading, rows, height };
}

const getHeight = (pair: Pair) => Math.max(...pair.map(({ height }) => height)) + SEMESTER_GAP;

interface Page {
  pairs: Pair[];
  /** Lines of the credits from elsewhere. */
  elsewhere: TextBlock[];
}

interface Layout {
  pages: Page[];
  /** Height of the part about the person. */
  personHeight: number;
  /** Where the content of each page but the first begins. */
  continuedTop: number;
  key: TextBlock;
  /** Height of totals, grading key and signatures. */
  closingHeight: number;
}

/** Distributes a transcript over pages, as few as there can be in a legible size. */
export function layOutTranscript(canvas: PdfCanvas, job: PrintJob): Layout {
  const { content } = job;
  const key = canvas.wrap(gradingKey(content), CONTENT_WIDTH, { size: 6.5, colour: COLOURS.muted });
  const personHeight = measurePerson(canvas, job);
  const elsewhere = layOutElsewhere(canvas, content);
  const closingHeight = 40 + key.height + 10 + signaturesHeight(canvas, job);
  const parts = { personHeight, key, closingHeight, continuedTop: continuedTop(canvas, job) };
  let layout: Layout = { pages: [], ...parts };
  for (const { size, pages } of ATTEMPTS) {
    const blocks = content.figures.semesters.map((semester) =>
      layOutSemester(canvas, content, semester, size),
    );
    layout = { pages: distribute(blocks, elsewhere, parts), ...parts };
    if (layout.pages.length <= pages) break;
  }
  return layout;
}

function distribute(
  blocks: readonly SemesterBlock[],
  elsewhere: readonly TextBlock[],
  { personHeight, closingHeight, continuedTop: nextTop }: Omit<Layout, 'pages'>,
): Page[] {
  let page: Page = { pairs: [], elsewhere: [] };
  const pages = [page];
  let y = TOP + personHeight;
  const nextPage = () => {
    page = { pairs: [], elsewhere: [] };
    pages.push(page);
    y = nextTop;
  };
  for (let i = 0; i < blocks.length; i += 2) {
    const pair = blocks.slice(i, i + 2);
    const height = getHeight(pair);
    if (y + height > BOTTOM && page.pairs.length > 0) nextPage();
    page.pairs.push(pair);
    y += height;
  }
  for (const line of elsewhere) {
    if (y + measureElsewhere([...page.elsewhere, line]) > BOTTOM) nextPage();
    page.elsewhere.push(line);
  }
  if (y + measureElsewhere(page.elsewhere) + closingHeight > BOTTOM) nextPage();
  return pages;
}

/** Draws a transcript on pages of its own. */
export function drawTranscript(canvas: PdfCanvas, job: PrintJob, root: StructureNode | undefined): void {
  const layout = layOutTranscript(canvas, job);
  layout.pages.forEach(({ pairs, elsewhere }, i) => {
    canvas.doc.addPage({ size: 'A4', margin: 0 });
    drawFrame(canvas, job, { page: i + 1, of: layout.pages.length }, root);
    let y = TOP;
    if (i === 0) {
      drawPerson(canvas, job, root);
      y += layout.personHeight;
    } else {
      drawContinued(canvas, job);
      y = layout.continuedTop;
    }
    for (const pair of pairs) {
      pair.forEach((block, side) => {
        drawSemester(canvas, block, margin + side * (COLUMN + GUTTER), y, root);
      });
      y += getHeight(pair);
    }
    drawElsewhere(canvas, elsewhere, y, root);
    y += measureElsewhere(elsewhere);
    if (i === layout.pages.length - 1) {
      drawTotals(canvas, job, y, root);
      canvas.element(root, 'P', () => canvas.draw(layout.key, margin, y + 40, CONTENT_WIDTH));
      drawSignatures(canvas, job, root);
    }
  });
}

const personFields = ({ figures, degree_title }: DocumentContent) => {
  const { student } = figures;
  const degree = degree_title ?? null;
  return [
    [
      { label: 'Name', value: `${student.first_name} ${student.last_name}`, share: 0.54 },
      { label: 'CMS ID', value: student.id, share: 0.22 },
      { label: 'Date of birth', value: dayText(student.dob), share: 0.24 },
    ],
    [
      { label: "Father's name", value: student.father_name ?? '–', share: 0.54 },
      { label: 'Batch', value: student.degree, share: 0.22 },
      { label: 'Joining date', value: dayText(student.joining_date), share: 0.24 },
    ],
    [
      ...(degree === null ? [] : [{ label: 'Degree', value: degree, share: 0.54 }]),
      { label: 'Department', value: student.department, share: 0.46 },
    ],
  ];
};

const personWidth = ({ portrait }: PrintJob) => CONTENT_WIDTH - (portrait === null ? 0 : PORTRAIT.width + 12);

function personRowHeights(canvas: PdfCanvas, job: PrintJob): number[] {
  const width = personWidth(job);
  return personFields(job.content).map((fields) =>
    Math.max(
      ...fields.map(
        ({ value, share }) =>
          9 + canvas.wrap(value, width * share - 8, { size: 8, weight: 'semibold' }).height + 7,
      ),
    ),
  );
}

function measurePerson(canvas: PdfCanvas, job: PrintJob): number {
  const height = personRowHeights(canvas, job).reduce((sum, row) => sum + row, 0) + 4;
  return job.portrait === null ? height : Math.max(height, PORTRAIT.height + 8);
}

/** Draws the person of the document. */
function drawPerson(canvas: PdfCanvas, job: PrintJob, root: StructureNode | undefined): void {
  const { portrait } = job;
  const width = personWidth(job);
  const heights = personRowHeights(canvas, job);
  let y = TOP;
  personFields(job.content).forEach((fields, row) => {
    let x = margin;
    for (const { label, value, share } of fields) {
      drawField(canvas, { label, value }, { x, y, width: width * share - 8 }, root);
      x += width * share;
    }
    y += heights[row] ?? 0;
  });
  if (portrait !== null) {
    canvas.element(
      root,
      'Figure',
      () => {
        const x = PAGE.width - margin - PORTRAIT.width;
        // A picture of another shape is cropped.
        canvas.doc.save().rect(x, TOP, PORTRAIT.width, PORTRAIT.height).clip();
        canvas.doc.image(Buffer.from(portrait), x, TOP, {
          cover: [PORTRAIT.width, PORTRAIT.height],
          align: 'center',
        });
        canvas.doc.restore();
      },
      'Portrait',
    );
  }
}

function drawSemester(
  canvas: PdfCanvas,
  { semester, size, heading, rows }: SemesterBlock,
  x: number,
  top: number,
  root: StructureNode | undefined,
): void {
  canvas.element(root, 'H2', () => canvas.draw(heading, x, top, HEADING_WIDTH));
  if (semester.elsewhere) return;
  const columns = {
    credits: x + CODE_WIDTH + TITLE_WIDTH + 6,
    grade: x + CODE_WIDTH + TITLE_WIDTH + 6 + CREDITS_WIDTH,
    points: x + COLUMN - POINTS_WIDTH,
  };
  const y = top + extraLines(heading);
  const table = canvas.group(root, 'Table', heading.lines.join(' '));
  const head = canvas.group(table, 'TR');
  const label = { size: 5.5, colour: COLOURS.muted } as const;
  // The first two columns need no visible heading: their position says what they are.
  canvas.element(head, 'TH', () =>
    canvas.text('Cr', columns.credits, y + 3, { ...label, align: 'right', width: CREDITS_WIDTH - 4 }),
  );
  canvas.element(head, 'TH', () =>
    canvas.text('Grade', columns.grade, y + 3, { ...label, align: 'right', width: GRADE_WIDTH }),
  );
  canvas.element(head, 'TH', () =>
    canvas.text('Points', columns.points, y + 3, { ...label, align: 'right', width: POINTS_WIDTH }),
  );
  let at = y + 13;
  canvas.artifact(() => canvas.line(x, at, COLUMN, { weight: 0.8, colour: COLOURS.text }));
  at += 1.3;
  for (const { subject, code, title, height } of rows) {
    const row = canvas.group(table, 'TR');
    const cell = (text: string, left: number, width: number, isStrong = false) =>
      canvas.element(row, 'TD', () =>
        canvas.text(text, left, at, {
          size,
          align: 'right',
          width,
          ...(isStrong && { weight: 'semibold' as const }),
        }),
      );
    canvas.element(row, 'TD', () => canvas.draw(code, x, at, CODE_WIDTH));
    canvas.element(row, 'TD', () => canvas.draw(title, x + CODE_WIDTH, at, TITLE_WIDTH));
    cell(subject.credits === null ? '–' : String(subject.credits), columns.credits, CREDITS_WIDTH - 4);
    cell(letterText(subject), columns.grade, GRADE_WIDTH, subject.counted);
    cell(subject.points === null ? '–' : subject.points.toFixed(1), columns.points, POINTS_WIDTH);
    at += height;
    const lineY = at - 1.3;
    canvas.artifact(() => canvas.line(x, lineY, COLUMN, { weight: 0.3 }));
  }
  const small = { size: 7 } as const;
  const { credits_attempted, credits_earned, cgpa } = semester;
  const credits =
    credits_attempted === credits_earned
      ? `${credits_attempted} credits`
      : `${credits_attempted} credits, ${credits_earned} earned`;
  const foot = canvas.group(table, 'TR');
  canvas.element(foot, 'TD', () => canvas.text(credits, x, at + 1, { ...small, colour: COLOURS.muted }));
  const average = (name: string, valueText: string, share: number) => {
    const label = `${name} `;
    const right = x + COLUMN * share;
    const valueWidth = canvas.measureWidth(valueText, { ...small, weight: 'semibold' });
    canvas.element(foot, 'TD', () => {
      canvas.text(label, right - valueWidth - canvas.measureWidth(label, small), at + 1, {
        ...small,
        colour: COLOURS.muted,
      });
      canvas.text(valueText, right - valueWidth, at + 1, { ...small, weight: 'semibold' });
    });
  };
  average('SGPA', sgpaText(semester), 0.68);
  average('CGPA', cgpa.toFixed(2), 1);
}

function drawTotals(
  canvas: PdfCanvas,
  { content }: PrintJob,
  y: number,
  root: StructureNode | undefined,
): void {
  const { figures, completed_on, is_final, semester } = content;
  const done = is_final
    ? completed_on === null
      ? 'Conditions of the degree fulfilled'
      : `Completed ${dayText(completed_on)}`
    : `In progress, after semester ${semester}`;
  const fields = [
    { label: 'Credits attempted', value: String(figures.credits_attempted), share: 0.15 },
    { label: 'Credits earned', value: String(figures.credits_earned), share: 0.14 },
    { label: 'Credits counted', value: String(figures.credits_counted), share: 0.15 },
    { label: 'Quality points', value: qualityText(figures.quality_points), share: 0.15 },
    { label: 'CGPA', value: figures.cgpa === null ? '–' : `${figures.cgpa.toFixed(2)} of 4.00`, share: 0.16 },
    { label: 'Studies', value: done, share: 0.25 },
  ];
  canvas.artifact(() => {
    canvas.doc.lineWidth(0.8).strokeColor(COLOURS.text).rect(margin, y, CONTENT_WIDTH, 32).stroke();
  });
  let x = margin;
  fields.forEach(({ label, value, share }, i) => {
    const width = CONTENT_WIDTH * share;
    const left = x;
    if (i > 0) {
      canvas.artifact(() => {
        canvas.doc
          .lineWidth(0.4)
          .strokeColor(COLOURS.line)
          .moveTo(left, y)
          .lineTo(left, y + 32)
          .stroke();
      });
    }
    drawField(canvas, { label, value }, { x: x + 6, y: y + 4, width: width - 10 }, root);
    x += width;
  });
}
