import { CONTENT_WIDTH, drawField, drawFrame, drawSignatures, PAGE, TOP } from './frame.ts';
import type { PrintJob } from './print-job.ts';
import { COLOURS, type Sheet, type StructureNode, type TextStyle } from './sheet.ts';
import { courseCode, gradingKey, letterText, qualityText, repeatText } from './transcript.ts';

const { margin } = PAGE;
const RIGHT = margin + CONTENT_WIDTH;
/** Right edges of the columns with numbers. */
const COLUMNS = { credits: RIGHT - 150, grade: RIGHT - 105, points: RIGHT - 60, quality: RIGHT };
const TITLE_X = margin + 72;
const TITLE_WIDTH = COLUMNS.credits - 40 - TITLE_X;
const ROW_PADDING = 7;

/** A result card always has one page: a semester has at most ten subjects. */
export const CARD_PAGES = 1;

/** Draws a result card on a page of its own. */
export function drawResultCard(sheet: Sheet, job: PrintJob, root: StructureNode | undefined): void {
  sheet.doc.addPage({ size: 'A4', margin: 0 });
  drawFrame(sheet, job, { page: 1, of: CARD_PAGES }, root);
  const { student, semesters } = job.content.figures;
  const semester = semesters.at(-1);
  if (semester === undefined) throw new Error('A result card needs its semester.');
  let x = margin;
  let personHeight = 0;
  for (const { label, value, share } of [
    { label: 'Student', value: `${student.first_name} ${student.last_name}`, share: 0.28 },
    { label: "Father's name", value: student.father_name ?? '–', share: 0.22 },
    { label: 'CMS ID', value: student.id, share: 0.14 },
    { label: 'Degree', value: student.degree, share: 0.12 },
    { label: 'Department', value: student.department, share: 0.24 },
  ]) {
    const width = CONTENT_WIDTH * share - 8;
    personHeight = Math.max(personHeight, drawField(sheet, { label, value }, { x, y: TOP, width }, root));
    x += CONTENT_WIDTH * share;
  }

  let y = TOP + personHeight + 16;
  const heading = `Results of semester ${semester.semester}${semester.is_provisional ? ', provisional' : ''}`;
  sheet.element(root, 'H2', () => sheet.text(heading, margin, y, { size: 10, weight: 'semibold' }));
  y += 18;
  const table = sheet.group(root, 'Table', heading);
  const rule = (weight: number, colour: string) => {
    const at = y;
    sheet.artifact(() => sheet.line(margin, at, CONTENT_WIDTH, { weight, colour }));
  };
  const numbers = (
    row: StructureNode | undefined,
    type: 'TH' | 'TD',
    texts: Partial<Record<keyof typeof COLUMNS, string>>,
    style: TextStyle,
  ) => {
    for (const column of ['credits', 'grade', 'points', 'quality'] as const) {
      sheet.element(row, type, () => {
        sheet.text(texts[column] ?? '', COLUMNS[column] - 60, y + 4, { ...style, align: 'right', width: 60 });
      });
    }
  };
  rule(0.8, COLOURS.text);
  const head = sheet.group(table, 'TR');
  const small = { size: 7, colour: COLOURS.muted };
  sheet.element(head, 'TH', () => sheet.text('Code', margin, y + 4, small));
  sheet.element(head, 'TH', () => sheet.text('Subject', TITLE_X, y + 4, small));
  numbers(
    head,
    'TH',
    { credits: 'Credits', grade: 'Grade', points: 'Points', quality: 'Quality points' },
    small,
  );
  y += 17;
  rule(0.8, COLOURS.text);
  const style = { size: 8.5 };
  for (const subject of semester.subjects) {
    const repeated = repeatText(subject);
    const title = sheet.wrap(
      repeated === '' ? subject.title : `${subject.title} (${repeated})`,
      TITLE_WIDTH,
      style,
    );
    const code = sheet.wrap(courseCode(job.content, subject), TITLE_X - margin - 8, {
      ...style,
      colour: COLOURS.muted,
    });
    const row = sheet.group(table, 'TR');
    sheet.element(row, 'TD', () => sheet.draw(code, margin, y + 4, TITLE_X - margin));
    sheet.element(row, 'TD', () => sheet.draw(title, TITLE_X, y + 4, TITLE_WIDTH));
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
    y += Math.max(title.height, code.height) + ROW_PADDING;
    rule(0.3, COLOURS.line);
  }
  const sum = semester.subjects.reduce(
    (total, { credits, points }) => total + (credits ?? 0) * (points ?? 0),
    0,
  );
  const strong = { ...style, weight: 'semibold' } as const;
  const foot = sheet.group(table, 'TR');
  sheet.element(foot, 'TD', () => sheet.text(`Semester ${semester.semester}`, margin, y + 4, strong));
  numbers(foot, 'TD', { credits: String(semester.credits_attempted), quality: qualityText(sum) }, strong);
  y += 18;
  rule(0.8, COLOURS.text);

  y += 14;
  drawAverages(sheet, job, y, root);
  y += 50;
  drawEarlier(sheet, job, y, root);
  const keyX = margin + CONTENT_WIDTH / 2 + 10;
  const keyWidth = CONTENT_WIDTH / 2 - 10;
  sheet.element(root, 'H2', () =>
    sheet.text('How to read this card', keyX, y, { size: 9, weight: 'semibold' }),
  );
  const key = sheet.wrap(`${gradingKey(job.content)} Quality points are credits times points.`, keyWidth, {
    size: 7.5,
    colour: COLOURS.muted,
  });
  sheet.element(root, 'P', () => sheet.draw(key, keyX, y + 16, keyWidth));
  drawSignatures(sheet, job, root);
}

function drawAverages(sheet: Sheet, { content }: PrintJob, y: number, root: StructureNode | undefined): void {
  const { figures } = content;
  const last = figures.semesters.at(-1);
  sheet.artifact(() => {
    sheet.doc.lineWidth(0.8).strokeColor(COLOURS.text).rect(margin, y, CONTENT_WIDTH, 34).stroke();
  });
  const fields = [
    { label: 'SGPA', value: last === undefined ? '–' : last.sgpa.toFixed(2) },
    { label: 'CGPA', value: figures.cgpa === null ? '–' : `${figures.cgpa.toFixed(2)} of 4.00` },
    { label: 'Credits earned in all', value: String(figures.credits_earned) },
  ];
  const width = CONTENT_WIDTH / fields.length;
  fields.forEach(({ label, value }, i) => {
    const x = margin + i * width;
    if (i > 0) {
      sheet.artifact(() => {
        sheet.doc
          .lineWidth(0.4)
          .strokeColor(COLOURS.line)
          .moveTo(x, y)
          .lineTo(x, y + 34)
          .stroke();
      });
    }
    drawField(sheet, { label, value }, { x: x + 8, y: y + 5, width: width - 16 }, root);
  });
}

/** The SGPA of each semester so far, on a scale from 0 to 4. */
function drawEarlier(sheet: Sheet, { content }: PrintJob, y: number, root: StructureNode | undefined): void {
  sheet.element(root, 'H2', () =>
    sheet.text('SGPA of each semester', margin, y, { size: 9, weight: 'semibold' }),
  );
  const scale = { x: margin + 66, width: 140 };
  content.figures.semesters.forEach(({ semester, sgpa }, i) => {
    const at = y + 18 + i * 14;
    sheet.element(root, 'P', () => {
      sheet.text(`Semester ${semester}`, margin, at, { size: 7.5 });
      sheet.text(sgpa.toFixed(2), scale.x + scale.width + 8, at, { size: 7.5, align: 'right', width: 24 });
    });
    sheet.artifact(() => {
      const base = at + 8;
      sheet.line(scale.x, base, scale.width, { weight: 0.4 });
      for (let tick = 0; tick <= 8; tick += 1) {
        const x = scale.x + (tick / 8) * scale.width;
        sheet.doc
          .lineWidth(0.3)
          .moveTo(x, base - (tick % 2 === 0 ? 4 : 2))
          .lineTo(x, base)
          .stroke();
      }
      sheet.line(scale.x, base, (sgpa / 4) * scale.width, { weight: 2, colour: COLOURS.ink });
    });
  });
}
