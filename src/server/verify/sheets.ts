import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { z } from 'zod';
import { gradePoints, toGradeLetter } from '../../domain/grading/gpa.ts';
import type { Db } from '../db/schema.ts';
import { parseState } from '../history/fields.ts';
import { replayAttendance } from '../marksheets/attendance/replay-attendance.ts';
import { parseAttendance } from '../marksheets/attendance/stored-attendance.ts';
import { computeChecksum } from '../marksheets/confirmation/confirm.ts';
import { toHalfPoints } from '../marksheets/confirmation/preview.ts';
import { getLetter, type LoadedRow, loadRows } from '../marksheets/present-rows.ts';
import { findRectification } from '../marksheets/present-sheet.ts';
import {
  type Grading,
  loadPolicy,
  parseCategories,
  parseCells,
  parseGrading,
  parseTakenBack,
  rowFigures,
  type SheetColumns,
  type SheetRowColumns,
  type TakenBack,
  toGradable,
  toGrading,
} from '../marksheets/sheet.ts';
import { loadTeachers } from '../marksheets/teachers/teachers.ts';
import { isWrittenBy } from './history-entries.ts';
import { registeredTwice, wronglyRegistered } from './registrations.ts';

/** Sheets checked per batch. */
const PAGE = 20;

/**
 * Finds mark sheets whose stored totals differ from those calculated from their cells, or whose teachers, attendance or registrations from the history, students who are on two sheets of a course in a dated term, confirmed sheets that were changed or
 * whose totals are missing in the marks of the course, their rows that are not recorded though they were not left, results that
 * the students' records do not have, semesters that are wrongly provisional, sheets that are not marked with the notification of
 * their class, and notified standings that are missing or belong to no notified results.
 */
export async function* incorrectSheets(db: Db): AsyncGenerator<string> {
  for (let last = 0; ; ) {
    const sheets = await db
      .selectFrom('sheets')
      .selectAll()
      .where('sheet_id', '>', last)
      .orderBy('sheet_id')
      .limit(PAGE)
      .execute();
    const end = sheets.at(-1);
    if (end === undefined) break;
    last = end.sheet_id;
    yield* wronglyTaught(
      db,
      sheets.map(({ sheet_id }) => sheet_id),
    );
    yield* wronglyRegistered(
      db,
      sheets.map(({ sheet_id }) => sheet_id),
    );
    for (const sheet of sheets) {
      const categories = parseCategories(sheet);
      const rows = await db
        .selectFrom('sheet_rows')
        .selectAll()
        .where('sheet_id', '=', sheet.sheet_id)
        .orderBy('student_id')
        .execute();
      for (const row of rows) {
        const actual = rowFigures(categories, parseCells(row));
        const wrong = (['total', 'filled', 'is_absent'] as const).filter((one) => row[one] !== actual[one]);
        if (wrong.length > 0) {
          yield `Mark sheet ${sheet.sheet_id}, student ${row.student_id}: ${wrong.join(', ')} differ from the cells.`;
        }
      }
      yield* wronglyAttended(db, sheet, rows);
      if (sheet.state === 'confirmed') yield* changedSince(db, sheet);
      const takenBack = parseTakenBack(sheet);
      if (takenBack !== null) yield* wronglyTakenBack(db, sheet, takenBack);
    }
  }
  yield* registeredTwice(db);
  yield* incorrectResults(db);
  yield* incorrectlyProvisional(db);
  yield* incorrectlyNotified(db);
}

/** The teachers of a sheet are those of its latest entry that names some. */
async function* wronglyTaught(db: Db, sheetIds: readonly number[]): AsyncGenerator<string> {
  const entries = await db
    .selectFrom('history')
    .select(['entity_id', 'after'])
    .where('entity', '=', 'sheet')
    .where('entity_id', 'in', sheetIds.map(String))
    .where('after', 'like', '%"teacher_ids":%')
    .orderBy('id')
    .execute();
  const recorded = new Map(
    entries.map(({ entity_id, after }) => [Number(entity_id), parseState(after).teacher_ids ?? []]),
  );
  const teachers = await loadTeachers(db, sheetIds);
  for (const sheetId of sheetIds) {
    const ids = (teachers.get(sheetId) ?? []).map(({ id }) => id);
    if (!isDeepStrictEqual(recorded.get(sheetId) ?? [], ids))
      yield `Mark sheet ${sheetId}: its teachers differ from the history.`;
  }
}

/** Attendance and its condoning are as the history has them. */
async function* wronglyAttended(
  db: Db,
  { sheet_id }: SheetColumns,
  rows: readonly SheetRowColumns[],
): AsyncGenerator<string> {
  const entries = await db
    .selectFrom('history')
    .select(['before', 'after'])
    .where('entity', '=', 'sheet')
    .where('entity_id', '=', String(sheet_id))
    .where((eb) =>
      eb.or([
        eb('after', 'like', '%"attendance":%'),
        eb('after', 'like', '%"student_id":%'),
        eb('before', 'like', '%"student_removed":%'),
      ]),
    )
    .orderBy('id')
    .execute();
  const recorded = replayAttendance(entries);
  for (const row of rows) {
    if (!isDeepStrictEqual(recorded.get(row.student_id) ?? null, parseAttendance(row)))
      yield `Mark sheet ${sheet_id}, student ${row.student_id}: attendance differs from the history.`;
    recorded.delete(row.student_id);
  }
  for (const studentId of recorded.keys())
    yield `Mark sheet ${sheet_id}, student ${studentId}: attendance is in the history and not on the sheet.`;
}

/** The latest change of the state must be that by which the sheet became a draft again. */
async function* wronglyTakenBack(db: Db, sheet: SheetColumns, back: TakenBack): AsyncGenerator<string> {
  const entries = await db
    .selectFrom('history')
    .selectAll()
    .where('entity', '=', 'sheet')
    .where('entity_id', '=', String(sheet.sheet_id))
    .where('action', '=', 'update')
    .where('before', 'like', '%"state":%')
    .orderBy('id', 'desc')
    .execute();
  const entry = entries.find(({ before }) => parseState(before).state !== undefined);
  const after = parseState(entry?.after ?? null);
  const isRecorded =
    sheet.state === 'draft' &&
    entry !== undefined &&
    after.state === 'draft' &&
    after.reason === back.reason &&
    isWrittenBy(entry, { user_id: back.by, user_name: back.name }, back.at);
  if (!isRecorded) yield `Mark sheet ${sheet.sheet_id}: taken_back differs from the history.`;
}

/** A confirmed sheet must be as the history has it. */
async function* changedSince(db: Db, sheet: SheetColumns): AsyncGenerator<string> {
  const name = `Mark sheet ${sheet.sheet_id}`;
  const entries = await db
    .selectFrom('history')
    .selectAll()
    .where('entity', '=', 'sheet')
    .where('entity_id', '=', String(sheet.sheet_id))
    .where('action', '=', 'update')
    .orderBy('id', 'desc')
    .execute();
  const changes = entries.map((entry) => ({
    entry,
    before: parseState(entry.before),
    after: parseState(entry.after),
  }));
  const last = changes.findIndex(({ after }) => after.state === 'confirmed');
  const { after: confirmed, entry } = changes[last] ?? {};
  if (confirmed === undefined || entry === undefined) {
    yield `${name}: is confirmed, and the history has no entry for it.`;
    return;
  }
  if (
    !isWrittenBy(entry, { user_id: sheet.confirmed_by, user_name: sheet.confirmed_name }, sheet.confirmed_at)
  ) {
    yield `${name}: confirmed_by, confirmed_at differ from the history.`;
  }
  const submitted = changes.slice(last).find(({ after }) => after.state === 'submitted')?.entry;
  const submitter = { user_id: sheet.submitted_by, user_name: sheet.submitted_name };
  if (submitted !== undefined && !isWrittenBy(submitted, submitter, sheet.submitted_at)) {
    yield `${name}: submitted_by, submitted_at differ from the history.`;
  }
  const rows = await loadRows(db, sheet);
  // With the registration numbers of that time. Those of a student who has been deleted since are only in these entries.
  const then = rows.map((row) => {
    let { student_id } = row;
    for (const { before, after } of changes.slice(0, last)) {
      if (after.student_id === student_id) student_id = String(before.student_id);
    }
    return { ...row, student_id };
  });
  const grading = toGrading(await loadPolicy(db, sheet), parseGrading(sheet), then.map(toGradable));
  const actual = computeChecksum(sheet, { rows: then, grading });
  if (sheet.checksum !== confirmed.checksum || sheet.checksum !== actual) {
    yield `${name}: has been changed since it was confirmed.`;
  }
  yield* missingMarks(db, sheet, rows);
  yield* missingResults(db, sheet, rows, grading);
}

/**
 * The rows of the latest confirmed sheet are results, as far as their students exist, but for those that it left. Whether the
 * records have these results is {@link incorrectResults}.
 */
async function* missingResults(
  db: Db,
  sheet: SheetColumns,
  rows: readonly LoadedRow[],
  grading: Grading,
): AsyncGenerator<string> {
  if ((await findRectification(db, sheet)) !== null) return;
  const { rows: written } = await sql<{
    student_id: string;
    semester: number;
    half_points: number | null;
    sheet_id: number;
  }>`
    with recursive rectified (sheet_id, rectifies) as (
      select sheet_id, rectifies from sheets where sheet_id = ${sheet.sheet_id}
      union all
      select b.sheet_id, b.rectifies from rectified a join sheets b on b.sheet_id = a.rectifies
    )
    select student_id, semester, half_points, sheet_id from sheet_results
    where course_id = ${sheet.course_id} and sheet_id in (select sheet_id from rectified)`.execute(db);
  const results = new Map(
    written.map(({ student_id, semester, half_points }) => [`${student_id} ${semester}`, half_points]),
  );
  const own = new Set(
    written.flatMap(({ student_id, sheet_id }) => (sheet_id === sheet.sheet_id ? student_id : [])),
  );
  for (const row of rows) {
    if (row.is_left === 1 && own.has(row.student_id)) {
      yield `Mark sheet ${sheet.sheet_id}, student ${row.student_id}: the result is in the record, though the row was left.`;
    }
    if (row.first_name === null || row.is_left === 1) continue;
    const letter = getLetter(row, grading);
    const halfPoints = letter === null ? null : toHalfPoints(gradePoints(letter));
    const semester = row.semester ?? sheet.semester;
    const recorded = results.get(`${row.student_id} ${semester}`);
    const name = `Mark sheet ${sheet.sheet_id}, student ${row.student_id}`;
    if (recorded === undefined) yield `${name}: the result is not in the record.`;
    else if (recorded !== halfPoints) {
      yield `${name}: in semester ${semester} the result was recorded as ${gradeText(recorded)} instead of ${gradeText(halfPoints)}.`;
    }
  }
}

const marksOfPiece = z.array(z.number());

/** The totals of the latest confirmed sheet are in the marks of its course, if that still exists. */
async function* missingMarks(
  db: Db,
  sheet: SheetColumns,
  rows: readonly { status: string; total: number | null }[],
): AsyncGenerator<string> {
  const { sheet_id, course_id } = sheet;
  const course = await db
    .selectFrom('courses')
    .select('course_id')
    .where('course_id', '=', course_id)
    .executeTakeFirst();
  const pieces = await db
    .selectFrom('course_marks')
    .select('marks')
    .where('course_id', '=', course_id)
    .where('sheet_id', '=', sheet_id)
    .execute();
  const stored = pieces.flatMap(({ marks }) => marksOfPiece.parse(JSON.parse(marks)));
  const totals = rows.flatMap(({ status, total }) =>
    status === 'graded' && total !== null ? total / 100 : [],
  );
  const wanted = course !== undefined && (await findRectification(db, sheet)) === null ? totals : [];
  const sorted = (marks: readonly number[]) => marks.toSorted((a, b) => a - b).join();
  if (sorted(stored) !== sorted(wanted)) {
    yield `Mark sheet ${sheet_id}: its totals differ from those in the marks of course ${course_id}.`;
  }
}

/** A result as a sheet wrote it, and as the record has it. */
interface WrittenResult {
  sheet_id: number;
  state: SheetColumns['state'];
  student_id: string;
  semester: number;
  slot: number;
  course_id: number;
  half_points: number | null;
  /** Null where the record has no such subject. */
  title: string | null;
  course_now: number | null;
  grade_now: number | null;
}

const gradeText = (halfPoints: number | null) => toGradeLetter(halfPoints) ?? 'no grade';

/** A deleted student has no results; those of the sheet wait for a restore. */
async function* incorrectResults(db: Db): AsyncGenerator<string> {
  const { rows } = await sql<WrittenResult>`
    select w.sheet_id, h.state, w.student_id, w.semester, w.slot, w.course_id, w.half_points,
      s.title, s.course_id as course_now, s.half_points as grade_now
    from sheet_results w join students p on p.id = w.student_id
      join sheets h on h.sheet_id = w.sheet_id
      left join semester_subjects s
        on s.student_id = w.student_id and s.semester = w.semester and s.slot = w.slot
    where h.state <> 'confirmed' or s.slot is null or coalesce(s.course_id, -1) <> w.course_id
      or coalesce(s.half_points, -1) <> coalesce(w.half_points, -1)
    order by w.sheet_id, w.student_id`.execute(db);
  for (const one of rows) {
    const { sheet_id, student_id, semester, slot, course_id, half_points, course_now, grade_now } = one;
    const name = `Mark sheet ${sheet_id}, student ${student_id}: semester ${semester}`;
    if (one.state !== 'confirmed')
      yield `${name} has its result in subject ${slot}, but it is not confirmed.`;
    if (one.title === null) yield `${name} has no subject ${slot}.`;
    else if (course_now !== course_id)
      yield `${name} has another course in subject ${slot}: ${course_now ?? 'none'} instead of ${course_id}.`;
    else if (grade_now !== half_points)
      yield `${name} has another grade in subject ${slot}: ${gradeText(grade_now)} instead of ${gradeText(half_points)}.`;
  }
}

async function* incorrectlyProvisional(db: Db): AsyncGenerator<string> {
  const { rows } = await sql<{ student_id: string; semester: number; is_provisional: number }>`
    select student_id, semester, is_provisional from (
      select student_id, semester, is_provisional, case when exists (
        select 1 from sheet_results w join sheets h on h.sheet_id = w.sheet_id
        where w.student_id = a.student_id and w.semester = a.semester and h.notification is null
      ) then 1 else 0 end as actual from semesters a
    ) as marked where is_provisional <> actual order by student_id, semester`.execute(db);
  for (const { student_id, semester, is_provisional } of rows) {
    yield `Student ${student_id}, semester ${semester}: is ${is_provisional === 1 ? '' : 'not '}marked as provisional, against its mark sheets.`;
  }
}

async function* incorrectlyNotified(db: Db): AsyncGenerator<string> {
  const { rows: sheets } = await sql<{
    sheet_id: number;
    notification: number | null;
    number: number | null;
  }>`
    select h.sheet_id, h.notification, n.number from sheets h
      left join result_notifications n on n.term_id = h.term_id and n.department = h.department
        and n.degree = h.degree and n.semester = h.semester
    where h.state = 'confirmed' and coalesce(h.notification, 0) <> coalesce(n.number, 0)
    order by h.sheet_id`.execute(db);
  for (const { sheet_id, notification, number } of sheets) {
    yield `Mark sheet ${sheet_id}: has ${numberText(notification)}, its class ${numberText(number)}.`;
  }
  const { rows } = await sql<{ student_id: string; semester: number; notified_policy: number | null }>`
    select student_id, semester, notified_policy from (
      select student_id, semester, notified_policy, notified_standing, case when is_provisional = 0 and exists (
        select 1 from sheet_results w where w.student_id = a.student_id and w.semester = a.semester
      ) then 1 else 0 end as is_notified from semesters a
    ) as marked
    where case when notified_policy is null or notified_standing is null then 0 else 1 end <> is_notified
      or (notified_policy is not null and not exists (
        select 1 from policies p where p.policy_id = marked.notified_policy))
    order by student_id, semester`.execute(db);
  for (const { student_id, semester, notified_policy } of rows) {
    yield notified_policy === null
      ? `Student ${student_id}, semester ${semester}: the standing that was notified is missing.`
      : `Student ${student_id}, semester ${semester}: has a notified standing by policy ${notified_policy}, against its mark sheets and the policies.`;
  }
}

const numberText = (number: number | null) =>
  number === null ? 'no notification' : `notification ${number}`;
