import { sql } from 'kysely';
import type { Sheet, SheetRowReply } from '../../contract/marksheets/sheets.ts';
import { gradePoints, toGradePoints } from '../../domain/grading/gpa.ts';
import { confirmRow, type RecordedSlot, type WrittenSlot } from '../../domain/marksheets/confirmation.ts';
import { letterForTotal } from '../../domain/marksheets/letters.ts';
import { totalRow } from '../../domain/marksheets/totals.ts';
import { inIdOrder } from '../../domain/search-text.ts';
import type { SYNDICATES } from '../../domain/student.ts';
import { jsonElements, jsonObject, jsonRows } from '../db/dialect/sql.ts';
import { preparedQueryVariants } from '../db/prepared-query.ts';
import type { Db } from '../db/schema.ts';
import { groupBy } from '../group-by.ts';
import { loadPolicies, type Policies } from '../students/grading/policies.ts';
import { presentAttendance } from './attendance/stored-attendance.ts';
import {
  type Grading,
  getComponents,
  getPolicy,
  getStudentId,
  loadGradable,
  parseCategories,
  parseCells,
  parseGrading,
  type SheetColumns,
  type SheetRowColumns,
  toGradable,
  toGrading,
} from './sheet.ts';

/** A row with what confirming it depends on. */
export interface LoadedRow extends SheetRowColumns {
  first_name: string | null;
  last_name: string | null;
  syn: (typeof SYNDICATES)[number] | null;
  /** Semesters that are recorded. */
  recorded: number;
  /** Semesters before the entry of the student, among the recorded ones. */
  elsewhere: number;
  /** Recorded results of the course, those of earlier semesters than that of the row apart. */
  attempts: number;
  attempts_before: number;
  /** Slots of the semester in which the student takes the course. */
  slots: readonly RecordedSlot[];
  /** The result that the rectified sheet, or one that it rectified in turn, wrote in that semester. */
  written: WrittenSlot | undefined;
  /** The same row of the sheet that this one rectifies. */
  earlier: Pick<SheetRowColumns, 'status' | 'total' | 'is_left'> | undefined;
}

interface RowShape {
  /** Only the rows of the students `ids`. */
  isPart: boolean;
}

interface FoundRow
  extends Omit<
    LoadedRow,
    'recorded' | 'elsewhere' | 'attempts' | 'attempts_before' | 'slots' | 'written' | 'earlier'
  > {
  attempts: number | string;
  attempts_before: number | string;
  recorded: number | string;
  elsewhere: number | string;
  earlier_status: SheetRowColumns['status'] | null;
  earlier_total: number | null;
  earlier_is_left: number | null;
  /** JSON of {@link FoundSlot}, of each slot of the semester in which the student takes the course. */
  slots: string;
}

interface FoundSlot extends Omit<RecordedSlot, 'points'> {
  half_points: number | null;
  /** The rectified sheet that wrote a result of the course. */
  written_by: number | null;
  written_half_points: number | null;
}

const findRows = preparedQueryVariants<FoundRow, RowShape>((db, { isPart }, value) => {
  const slot = jsonObject(db, {
    slot: sql.ref('t.slot'),
    course_id: sql.ref('t.course_id'),
    title: sql.ref('t.title'),
    credits: sql.ref('t.credits'),
    half_points: sql.ref('t.half_points'),
    written_by: sql.ref('w.sheet_id'),
    written_half_points: sql.ref('w.half_points'),
  });
  return sql`
    with recursive rectified (sheet_id) as (
      select rectifies from sheets where sheet_id = ${value('sheet')} and rectifies is not null
      union all
      select b.rectifies from rectified a join sheets b on b.sheet_id = a.sheet_id where b.rectifies is not null
    )
    select r.*, s.first_name, s.last_name, s.syn, e.status as earlier_status, e.total as earlier_total,
      e.is_left as earlier_is_left,
      (select count(*) from semesters a where a.student_id = r.student_id) as recorded,
      (select count(*) from semesters a where a.student_id = r.student_id and a.is_elsewhere = 1) as elsewhere,
      (select count(*) from semester_subjects t
        where t.student_id = r.student_id and t.course_id = h.course_id) as attempts,
      (select count(*) from semester_subjects t where t.student_id = r.student_id and t.course_id = h.course_id
        and t.semester < coalesce(r.semester, h.semester)) as attempts_before,
      (select ${jsonRows(db, slot, sql`t.slot`)} from semester_subjects t
        left join sheet_results w on w.student_id = t.student_id and w.semester = t.semester and w.slot = t.slot
          and t.course_id = h.course_id and w.sheet_id in (select sheet_id from rectified)
        where t.student_id = r.student_id and t.semester = coalesce(r.semester, h.semester)) as slots
    from sheet_rows r join sheets h on h.sheet_id = r.sheet_id left join students s on s.id = r.student_id
      left join sheet_rows e on e.sheet_id = h.rectifies and e.student_id = r.student_id
    where r.sheet_id = ${value('sheet')}
      ${isPart ? sql`and r.student_id in (select e.value from ${jsonElements(db, value('ids'))} e)` : sql``}`;
});

/** Rows of a sheet in the order of their IDs, see {@link inIdOrder}. `ids`: those of these students; all without it. */
export async function loadRows(
  db: Db,
  { sheet_id }: Pick<SheetColumns, 'sheet_id'>,
  ids?: readonly string[],
): Promise<LoadedRow[]> {
  if (ids?.length === 0) return [];
  const values = { sheet: sheet_id, ids: JSON.stringify(ids ?? []) };
  const rows = await findRows(db, { isPart: ids !== undefined }, values);
  return inIdOrder(rows, getStudentId).map((row) => {
    const slots: FoundSlot[] = JSON.parse(row.slots);
    const written = slots.find(({ written_by }) => written_by !== null);
    return {
      ...row,
      recorded: Number(row.recorded),
      elsewhere: Number(row.elsewhere),
      attempts: Number(row.attempts),
      attempts_before: Number(row.attempts_before),
      slots: slots.map(({ slot, course_id, title, credits, half_points }) => ({
        slot,
        course_id,
        title,
        credits,
        points: toGradePoints(half_points),
      })),
      written: written && { slot: written.slot, points: toGradePoints(written.written_half_points) },
      earlier:
        row.earlier_status === null
          ? undefined
          : {
              status: row.earlier_status,
              total: row.earlier_total,
              is_left: row.earlier_is_left ?? 0,
            },
    };
  });
}

/** The letter of a row by the boundaries of the sheet; null without a total, a grade or boundaries. Who was barred has an F. */
export function getLetter(row: Pick<SheetRowColumns, 'status' | 'total'>, { boundaries, rules }: Grading) {
  if (row.status === 'barred') return 'F';
  if (row.status !== 'graded' || row.total === null || boundaries === null) return null;
  return letterForTotal(row.total / 100, boundaries, rules);
}

/** The row differs from that of the rectified sheet; its letter follows from these. */
export const isChanged = ({ earlier, status, total }: LoadedRow) =>
  earlier === undefined || earlier.status !== status || earlier.total !== total;

/** A rectification writes only rows that differ from those of the sheet that it rectifies, and those which that sheet left. */
export const isToWrite = (row: LoadedRow) => isChanged(row) || row.earlier?.is_left === 1;

/** Where the result of a row goes, or why it can't. */
export function toConfirmation(
  sheet: Pick<SheetColumns, 'course_id' | 'title' | 'credits' | 'semester'>,
  row: LoadedRow,
  grading: Grading,
) {
  const semester = row.semester ?? sheet.semester;
  const recorded =
    row.first_name === null
      ? null
      : Array.from({ length: row.recorded }, (_, i) => (i + 1 === semester ? row.slots : []));
  return confirmRow(
    {
      status: row.status,
      letter: getLetter(row, grading),
      semester,
      elsewhere: row.elsewhere,
      replaces: row.written,
    },
    sheet,
    recorded,
  );
}

export const rectifiedText = (by: number) =>
  `Mark sheet ${by} rectifies this one. What is left is recorded from there.`;

/** Why the result of a row can't be recorded, where that is open. */
function getBlocked(
  sheet: SheetColumns & { rectified_by?: number | null },
  row: LoadedRow,
  grading: Grading,
): string | null {
  const isConfirmed = sheet.state === 'confirmed';
  if (isConfirmed ? row.is_left === 0 : !isToWrite(row)) return null;
  if (isConfirmed && sheet.rectified_by != null) return rectifiedText(sheet.rectified_by);
  return toConfirmation(sheet, row, grading).blocked;
}

/** Whether the record has a result of this sheet, or of one that it rectifies. */
const isRecorded = ({ state, rectifies }: SheetColumns, { is_left }: Pick<LoadedRow, 'is_left'>) =>
  (state === 'confirmed' && is_left === 0) || rectifies !== null;

/**
 * Counts as attempts also results of courses that count as that of the sheet. Most courses have no such others, so that rows are
 * read without waiting for the pairs.
 */
export async function countJoinedAttempts(
  db: Db,
  sheet: SheetColumns,
  rows: readonly LoadedRow[],
  policies: Policies,
): Promise<readonly LoadedRow[]> {
  const { groups } = policies.of(sheet.degree);
  const others = groups.courses.filter(
    (id) => id !== sheet.course_id && groups.of(id) === groups.of(sheet.course_id),
  );
  if (others.length === 0 || rows.length === 0) return rows;
  const results = await db
    .selectFrom('semester_subjects')
    .select(['student_id', 'semester'])
    .where('course_id', 'in', others)
    .where('student_id', 'in', rows.map(getStudentId))
    .execute();
  const byStudent = groupBy(results, getStudentId);
  return rows.map((row) => {
    const joined = byStudent.get(row.student_id) ?? [];
    const before = joined.filter(({ semester }) => semester < (row.semester ?? sheet.semester));
    return {
      ...row,
      attempts: row.attempts + joined.length,
      attempts_before: row.attempts_before + before.length,
    };
  });
}

export function presentRow(
  sheet: SheetColumns & { rectified_by?: number | null },
  all: Sheet['categories'],
  row: LoadedRow,
  grading: Grading,
): SheetRowReply {
  const cells = parseCells(row);
  const letter = getLetter(row, grading);
  const { total, so_far } = totalRow(all, cells);
  return {
    student_id: row.student_id,
    first_name: row.first_name ?? '',
    last_name: row.last_name ?? '',
    syn: row.syn,
    semester: row.semester ?? sheet.semester,
    status: row.status,
    reason: row.reason,
    attendance: presentAttendance(row, grading.rules),
    cells: Object.fromEntries(
      getComponents(all).map(({ component_id }) => [component_id, cells[component_id] ?? null]),
    ),
    total,
    so_far,
    letter,
    points: letter === null ? null : gradePoints(letter),
    attempt: 1 + (isRecorded(sheet, row) ? row.attempts_before : row.attempts),
    blocked: getBlocked(sheet, row, grading),
    recorded: sheet.state === 'confirmed' ? row.is_left === 0 : null,
  };
}

/** The rows of some students, and what else they are presented by besides the sheet. */
interface SomeRows {
  rows: readonly LoadedRow[];
  policies: Policies;
}

export async function loadSomeRows(
  db: Db,
  sheet: Pick<SheetColumns, 'sheet_id'>,
  ids: readonly string[],
): Promise<SomeRows> {
  const [rows, policies] = await Promise.all([loadRows(db, sheet, ids), loadPolicies(db)]);
  return { rows, policies };
}

export async function presentSomeRows(
  db: Db,
  sheet: SheetColumns,
  { rows, policies }: SomeRows,
): Promise<SheetRowReply[]> {
  const policy = getPolicy(policies, sheet);
  const stored = parseGrading(sheet);
  const needsAll = stored === null && policy.rules.grading_method !== 'absolute';
  const gradable = needsAll ? await loadGradable(db, sheet.sheet_id) : rows.map(toGradable);
  const grading = toGrading(policy, stored, gradable);
  const all = parseCategories(sheet);
  const counted = await countJoinedAttempts(db, sheet, rows, policies);
  return counted.map((row) => presentRow(sheet, all, row, grading));
}

/** The rows of some students as they are now. */
export const presentRows = async (db: Db, sheet: SheetColumns, ids: readonly string[]) =>
  presentSomeRows(db, sheet, await loadSomeRows(db, sheet, ids));
