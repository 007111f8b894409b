import type { Sheet, SheetRowReply } from '../../../contract/marksheets/sheets.ts';
import { calendarDate } from '../../../domain/age.ts';
import { dayText, UNGRADED_SIGNS } from '../../../domain/documents/figures.ts';
import { plural } from '../../../domain/format-count.ts';
import { GRADE_LETTERS } from '../../../domain/grading/gpa.ts';
import { ATTENDANCE_PARTS } from '../../../domain/marksheets/attendance.ts';
import { endsWithoutGrade } from '../../../domain/marksheets/class-statistics.ts';
import { DEPARTMENTS } from '../../../domain/student.ts';
import type { Db } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { getInstitution } from '../../institution/institution.ts';
import { requireSheetReply } from '../../marksheets/present-sheet.ts';
import { listComponents } from '../../marksheets/sheet.ts';
import { letterhead } from '../content/content.ts';
import type { AwardList } from '../pdf/landscape/award-list-pdf.ts';
import { Pictures } from '../register/make-documents.ts';

const NO_GRADE = '–';
const NOT_RECORDED = '*';

const getLetter = ({ status, letter }: SheetRowReply) =>
  endsWithoutGrade(status) ? UNGRADED_SIGNS[status] : (letter ?? NO_GRADE);

/** With a sign where the result is not in the record yet. */
const getMarkedLetter = (row: SheetRowReply) =>
  `${getLetter(row)}${row.recorded === false ? NOT_RECORDED : ''}`;

const momentText = (moment: string) => `${dayText(moment.slice(0, 10))}, ${moment.slice(11, 16)} UTC`;

const authorAndTime = (person: Sheet['confirmed_by'], at: string | null) =>
  `${person?.name ?? 'a deleted account'}${at === null ? '' : `, ${momentText(at)}`}`;

/** How far the sheet is: on each page. */
function stateText({ state, checksum, rectified_by }: Sheet): string {
  if (state !== 'confirmed') {
    return `${state === 'draft' ? 'Draft' : 'Submitted'}, not confirmed: marks and grades may change`;
  }
  if (rectified_by !== null) return `Out of date: rectified by mark sheet ${rectified_by}`;
  return `Confirmed${checksum === null ? '' : `, checksum ${checksum}`}`;
}

function confirmationText(sheet: Sheet): string {
  const { state, submitted_by, submitted_at, confirmed_by, confirmed_at, checksum, notification } = sheet;
  if (state === 'draft') return 'Not confirmed. This is a draft.';
  if (state === 'submitted')
    return `Not confirmed. Submitted by ${authorAndTime(submitted_by, submitted_at)}.`;
  return [
    ...(submitted_at === null ? [] : [`Submitted by ${authorAndTime(submitted_by, submitted_at)}.`]),
    `Confirmed by ${authorAndTime(confirmed_by, confirmed_at)}.`,
    ...(checksum === null ? [] : [`Checksum ${checksum}.`]),
    notification === null
      ? 'Provisional until the class is notified.'
      : `Final since result notification ${notification}.`,
  ].join(' ');
}

function rectificationText({ rectifies, rectify_reason, rectified_by }: Sheet): string {
  return [
    ...(rectifies === null
      ? []
      : [`Rectifies mark sheet ${rectifies}${rectify_reason === null ? '' : `: ${rectify_reason}`}.`]),
    ...(rectified_by === null ? [] : [`Rectified by mark sheet ${rectified_by}.`]),
  ].join(' ');
}

/** The rows that the confirmation left. */
function listNotRecorded({ rows }: Sheet) {
  const left = rows.filter(({ recorded }) => recorded === false);
  if (left.length === 0) return [];
  const names = left.map(({ student_id }) => student_id).join(', ');
  return [{ label: 'Not recorded', text: `${NOT_RECORDED} Not in the record of the student yet: ${names}.` }];
}

/** Theory and lab, as far as anybody has attendance of them. */
const findAttendance = ({ rows }: Sheet) =>
  ATTENDANCE_PARTS.filter((name) => rows.some(({ attendance }) => attendance?.[name]?.percent != null));

/** Who is short of attendance, whose attendance was condoned, and who was barred. */
function listShort({ rows }: Sheet) {
  const of = (text: string, isOne: (row: SheetRowReply) => boolean) => {
    const ids = rows.filter(isOne).map(({ student_id }) => student_id);
    return ids.length === 0 ? [] : [`${text} ${ids.join(', ')}.`];
  };
  const texts = [
    ...of('Short:', ({ attendance }) => attendance?.short === true && attendance.condoned === null),
    ...of('Condoned:', ({ attendance }) => attendance?.condoned != null),
    ...of('Not admitted to the final:', ({ status }) => status === 'barred'),
  ];
  return texts.length === 0 ? [] : [{ label: 'Attendance', text: texts.join(' ') }];
}

/** How many have each letter. */
function countsText({ rows, stats }: Sheet): string {
  const letters = rows.map(getLetter);
  const counts = [...GRADE_LETTERS, ...Object.values(UNGRADED_SIGNS)].flatMap((letter) => {
    const count = letters.filter((own) => own === letter).length;
    return count === 0 ? [] : [`${letter} ${count}`];
  });
  const without = letters.filter((letter) => letter === NO_GRADE).length;
  return [
    plural(rows.length, 'student'),
    ...counts,
    ...(without === 0 ? [] : [`without a grade ${without}`]),
    ...(stats.mean === null ? [] : [`mean ${stats.mean.toFixed(2)}`]),
    ...(stats.std_dev === null ? [] : [`standard deviation ${stats.std_dev.toFixed(2)}`]),
  ].join(', ');
}

function boundariesText({ boundaries, boundaries_stored }: Sheet): string {
  if (boundaries === null) return 'None yet';
  const letters = boundaries.map((from, i) => `${GRADE_LETTERS[i]} ${from.toFixed(2)}`).join(', ');
  return `${letters}, F below${boundaries_stored ? '' : ' (proposed)'}`;
}

const weightsText = ({ categories }: Sheet) =>
  categories
    .map(({ name, weight, best_of, components }) => {
      const best = best_of === null ? '' : `, best ${best_of} of ${components.length}`;
      return `${name} ${weight} %${best}`;
    })
    .join('; ');

/**
 * A mark sheet as its award list shows it.
 *
 * @throws AppError not-found; conflict for a sheet without students
 */
export async function readAwardList(db: Db, sheetId: number): Promise<AwardList> {
  const sheet = await requireSheetReply(db, sheetId);
  if (sheet.rows.length === 0) {
    throw new AppError('conflict', 'This mark sheet has no students, so there is nothing to print.');
  }
  const institution = letterhead.parse(await getInstitution(db));
  const components = listComponents(sheet.categories).map(({ max, bonus, ...component }) => ({
    ...component,
    max: bonus === true ? `bonus ${max}` : `of ${max}`,
  }));
  const attended = findAttendance(sheet);
  const rectification = rectificationText(sheet);
  const { department, degree, syn, semester, term_name, credits } = sheet;
  return {
    institution,
    logo: await new Pictures(db).get(institution.logo),
    course: `${sheet.course_code} ${sheet.title}`,
    about: [
      `${DEPARTMENTS[department]}, Batch ${degree}${syn.length === 0 ? '' : `, syndicate ${syn.join(', ')}`}, semester ${semester}`,
      `${term_name}, ${plural(credits, 'credit hour')}`,
    ],
    state: `Mark sheet ${sheet.sheet_id}. ${stateText(sheet)}`,
    isConfirmed: sheet.state === 'confirmed',
    printedOn: calendarDate(new Date()),
    components: [
      ...components.map(({ name, max }) => ({ name, max })),
      ...attended.map((name) => ({ name: `Attendance ${name}`, max: '%' })),
    ],
    students: sheet.rows.map((row) => ({
      id: row.student_id,
      name: `${row.first_name} ${row.last_name}`.trim(),
      cells: [
        ...components.map(({ component_id }) => String(row.cells[component_id] ?? '')),
        ...attended.map((name) => row.attendance?.[name]?.percent?.toFixed(2) ?? ''),
      ],
      total: row.total?.toFixed(2) ?? NO_GRADE,
      letter: getMarkedLetter(row),
    })),
    notes: [
      { label: 'Boundaries', text: boundariesText(sheet) },
      { label: 'Counts', text: countsText(sheet) },
      { label: 'Weights', text: weightsText(sheet) },
      {
        label: 'Signs',
        text: 'Marks: A absent, E excused. Grades: I incomplete, W withdrawn, E excused.',
      },
      ...listShort(sheet),
      { label: 'Confirmation', text: confirmationText(sheet) },
      ...listNotRecorded(sheet),
      ...(rectification === '' ? [] : [{ label: 'Rectification', text: rectification }]),
    ],
  };
}
