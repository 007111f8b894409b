import PDFDocument from 'pdfkit';
import type { OwnCopy } from '../../../contract/documents/own-copy.ts';
import { dayText } from '../../../domain/documents/figures.ts';
import { fromFraction, STANDING_LABELS } from '../../../domain/student.ts';
import { FAMILY_FIELD_LABELS, STUDENT_FIELD_LABELS } from '../../../domain/student-labels.ts';
import { COLOURS, collectPdf, PdfCanvas, type TextStyle } from './canvas.ts';
import { CONTENT_WIDTH, PAGE } from './frame.ts';
import { BEFORE_ENTRY } from './result-texts.ts';

const { margin } = PAGE;
const LABEL_WIDTH = 150;

/** All that is held about a student, as a PDF to read. */
export async function renderOwnCopy(copy: OwnCopy): Promise<Uint8Array<ArrayBuffer>> {
  const { student } = copy;
  const title = `Copy of the record of ${student.first_name} ${student.last_name}, ${student.id}`;
  const date = new Date(copy.made_at);
  const doc = new PDFDocument({
    autoFirstPage: false,
    font: '',
    pdfVersion: '1.7',
    lang: 'en-GB',
    displayTitle: true,
    info: { Title: title, CreationDate: date, ModDate: date },
  });
  const pdf = collectPdf(doc);
  const canvas = new PdfCanvas(doc, { isTagged: false });
  let y: number = PAGE.height;
  let page = 0;
  /** Draws blocks beside each other, on the next page where they don't fit. */
  const row = (cells: readonly { x: number; width: number; text: string; style: TextStyle }[], gap = 3) => {
    const blocks = cells.map(({ text, width, style }) => canvas.wrap(text, width, style));
    const height = Math.max(...blocks.map((block) => block.height));
    if (y + height > PAGE.height - 50) {
      page += 1;
      doc.addPage({ size: 'A4', margin: 0 });
      canvas.text(`${title}, page ${page}`, margin, PAGE.height - 36, { size: 7, colour: COLOURS.muted });
      y = 44;
    }
    blocks.forEach((block, i) => {
      const cell = cells[i];
      if (cell !== undefined) canvas.draw(block, cell.x, y, cell.width);
    });
    y += height + gap;
  };
  const heading = (text: string) => {
    y += 8;
    row([{ x: margin, width: CONTENT_WIDTH, text, style: { size: 11, weight: 'semibold' } }], 5);
  };
  const field = (label: string, value: string) =>
    row([
      { x: margin, width: LABEL_WIDTH - 8, text: label, style: { size: 8, colour: COLOURS.muted } },
      { x: margin + LABEL_WIDTH, width: CONTENT_WIDTH - LABEL_WIDTH, text: value, style: { size: 8 } },
    ]);
  const when = (at: string) => `${dayText(at.slice(0, 10))}, ${at.slice(11, 16)} UTC`;

  row([{ x: margin, width: CONTENT_WIDTH, text: title, style: { size: 14, weight: 'semibold' } }], 6);
  field('Made', when(copy.made_at));
  heading('Base record');
  for (const [name, label] of Object.entries(STUDENT_FIELD_LABELS)) {
    if (name === 'img') continue;
    const value = Object.entries(student).find(([own]) => own === name)?.[1] ?? null;
    const isMarks = name.endsWith('_marks') && typeof value === 'number';
    field(label, value === null ? '--' : String(isMarks ? fromFraction(value) : value));
  }
  if (copy.former_ids.length > 0) field('Former registration numbers', copy.former_ids.join(', '));
  heading('Family');
  if (copy.family === null) field('Family', 'Not entered');
  for (const [name, label] of Object.entries(FAMILY_FIELD_LABELS)) {
    const value = Object.entries(copy.family ?? {}).find(([own]) => own === name)?.[1];
    if (value !== undefined) field(label, value === null ? '--' : String(value));
  }
  heading('Results');
  const { standing, now } = copy.standing;
  const standingName = (one: typeof standing) => (one === null ? '--' : STANDING_LABELS[one]);
  field(
    'Standing',
    now === undefined
      ? standingName(standing)
      : `${standingName(standing)} as notified, today ${standingName(now.standing)}`,
  );
  for (const { semester, sgpa, cgpa, elsewhere, subjects } of copy.semesters) {
    if (elsewhere) {
      field(`Semester ${semester}`, BEFORE_ENTRY);
      continue;
    }
    const isProvisional = copy.standing.semesters.some((one) => one.semester === semester && one.provisional);
    field(
      `Semester ${semester}`,
      `SGPA ${sgpa.toFixed(2)}, CGPA ${cgpa.toFixed(2)}${isProvisional ? ', provisional' : ''}`,
    );
    for (const { title: name, credits, letter } of subjects) {
      field('', `${name}: ${credits ?? '--'} credit hours, grade ${letter ?? '--'}`);
    }
  }
  for (const { title: name, credits, institution, grade } of copy.outside_credits)
    field(
      'Credits from elsewhere',
      `${name}, ${institution}: ${credits} credit hours, grade ${grade ?? '--'}`,
    );
  for (const { row, course_id, reason, at } of copy.exceptions) {
    const what = course_id === null ? 'waived' : `course ${course_id} counts`;
    field(`Row ${row} of the scheme`, `${what}, ${when(at)}. ${reason}`);
  }
  for (const { kind, reason, from, until, blocks, released } of copy.holds) {
    const ends = until === null ? '' : ` until ${dayText(until)}`;
    const over =
      released === null ? '' : ` Released on ${dayText(released.at.slice(0, 10))}: ${released.reason}`;
    field(`Hold: ${kind}`, `From ${dayText(from)}${ends}, blocks ${blocks.join(', ')}. ${reason}${over}`);
  }
  heading('Documents');
  if (copy.documents.length === 0) field('Documents', 'None');
  for (const { serial, kind, state, issued_at, to, purpose } of copy.documents) {
    field(serial, [kind, state, when(issued_at), to, purpose].filter((part) => part !== null).join(', '));
  }
  heading('Handed over');
  if (copy.disclosures.length === 0) field('Handed over', 'Never before');
  for (const { at, what } of copy.disclosures) field(when(at), what);
  heading('History');
  for (const { at, action, entity, semester, changes } of copy.history) {
    field(when(at), `${action} ${entity}${semester === null ? '' : ` ${semester}`}`);
    for (const { label, before, after } of changes)
      field('', `${label}: ${before ?? '--'} → ${after ?? '--'}`);
  }
  doc.end();
  return pdf;
}
