import { z } from 'zod';
import type { Sheet, SheetListItem, SheetListQuery } from '../../contract/marksheets/sheets.ts';
import { roundHalfUp } from '../../domain/grading/gpa.ts';
import { type ClassStatistics, classStatistics } from '../../domain/marksheets/class-statistics.ts';
import type { Db } from '../db/schema.ts';
import { groupBy } from '../group-by.ts';
import { loadPolicies } from '../students/grading/policies.ts';
import { mayHaveLab } from './attendance/store-attendance.ts';
import { countJoinedAttempts, loadRows, presentRow } from './present-rows.ts';
import {
  type Grading,
  getComponents,
  getPolicy,
  parseCategories,
  parseGrading,
  parseSyndicates,
  parseTakenBack,
  requireSheet,
  type SheetColumns,
  toGradable,
  toGrading,
} from './sheet.ts';
import { activeTeachers, findTeachers, loadTeachers, taughtSheets } from './teachers/teachers.ts';

const person = (id: number | null, name: string | null) => (name === null ? null : { id, name });

type SheetFields = Omit<SheetListItem, 'students' | 'filled_share' | 'missing'>;

function presentFields(
  sheet: SheetColumns & Pick<SheetFields, 'term_name' | 'rectified_by' | 'teachers'>,
  grading: Omit<Grading, 'rules'>,
  stats: ClassStatistics,
): SheetFields {
  return {
    sheet_id: sheet.sheet_id,
    course_id: sheet.course_id,
    course_code: sheet.course_code,
    course_name: sheet.course_name,
    term_id: sheet.term_id,
    term_name: sheet.term_name,
    title: sheet.title,
    credits: sheet.credits,
    semester: sheet.semester,
    department: sheet.department,
    degree: sheet.degree,
    syn: parseSyndicates(sheet),
    state: sheet.state,
    version: sheet.version,
    policy_id: grading.policy_id,
    method: grading.method,
    params: grading.params,
    step: grading.step,
    boundaries: grading.boundaries === null ? null : [...grading.boundaries],
    boundaries_stored: grading.stored !== null,
    boundaries_reason: grading.stored?.reason ?? null,
    stats,
    rectifies: sheet.rectifies,
    rectify_kind: sheet.rectify_kind,
    rectify_reason: sheet.rectify_reason,
    rectified_by: sheet.rectified_by,
    submitted_by: person(sheet.submitted_by, sheet.submitted_name),
    submitted_at: sheet.submitted_at,
    submit_reasons: sheet.submit_reasons === null ? {} : parseReasons(sheet.submit_reasons),
    sent_back: presentSentBack(sheet),
    confirmed_by: person(sheet.confirmed_by, sheet.confirmed_name),
    confirmed_at: sheet.confirmed_at,
    checksum: sheet.checksum,
    notification: sheet.notification,
    scheme_row: sheet.scheme_row,
    teachers: sheet.teachers,
    created_by: person(sheet.created_by, sheet.created_name),
    created_at: sheet.created_at,
  };
}

/** Null also where the submitter took the sheet back. */
export function presentSentBack(sheet: Pick<SheetColumns, 'taken_back' | 'submitted_by'>) {
  const takenBack = parseTakenBack(sheet);
  if (takenBack === null || takenBack.by === sheet.submitted_by) return null;
  const { by, name, at, reason } = takenBack;
  return { by: { id: by, name }, at, reason };
}

const reasons = z.record(z.string(), z.string());
const parseReasons = (json: string) => reasons.parse(JSON.parse(json));

/** The names and numbers of other records that a sheet shows. */
async function findRelated(db: Db, sheet: SheetColumns) {
  const { name } = await db
    .selectFrom('terms')
    .select('name')
    .where('term_id', '=', sheet.term_id)
    .executeTakeFirstOrThrow();
  return {
    term_name: name,
    rectified_by: await findRectification(db, sheet),
    teachers: await findTeachers(db, sheet.sheet_id),
  };
}

/** The confirmed sheet that has taken the place of this one. */
export async function findRectification(
  db: Db,
  { sheet_id }: Pick<SheetColumns, 'sheet_id'>,
): Promise<number | null> {
  const rectified = await db
    .selectFrom('sheets')
    .select((eb) => eb.fn.max('sheet_id').as('latest'))
    .where('rectifies', '=', sheet_id)
    .where('state', '=', 'confirmed')
    .executeTakeFirst();
  return rectified?.latest ?? null;
}

/** A sheet with its rows as they are now. */
export async function presentSheet(db: Db, sheet: SheetColumns): Promise<Sheet> {
  const policies = await loadPolicies(db);
  const rows = await countJoinedAttempts(db, sheet, await loadRows(db, sheet), policies);
  const gradable = rows.map(toGradable);
  const grading = toGrading(getPolicy(policies, sheet), parseGrading(sheet), gradable);
  const all = parseCategories(sheet);
  const shown = { ...sheet, ...(await findRelated(db, sheet)) };
  return {
    ...presentFields(shown, grading, classStatistics(gradable)),
    categories: all,
    rows: rows.map((row) => presentRow(shown, all, row, grading)),
    may_have_lab: await mayHaveLab(db, sheet),
    was_submitted: sheet.submitted_at !== null,
  };
}

/** @throws AppError not-found */
export async function requireSheetReply(db: Db, sheetId: number): Promise<Sheet> {
  return presentSheet(db, await requireSheet(db, sheetId));
}

/**
 * Sheets without rows, the newest first.
 *
 * @param taughtBy only those that name this account as a teacher
 */
export async function listSheets(
  db: Db,
  { term_id, course_id, state, department, degree, semester, teacher }: SheetListQuery,
  taughtBy?: number,
): Promise<SheetListItem[]> {
  const found = db
    .selectFrom('sheets')
    .$if(department !== undefined, (query) => query.where('sheets.department', '=', department ?? 'CE'))
    .$if(degree !== undefined, (query) => query.where('sheets.degree', '=', degree ?? ''))
    .$if(semester !== undefined, (query) => query.where('sheets.semester', '=', semester ?? 0))
    .$if(teacher === 'none', (query) =>
      query
        .where('sheets.state', '<>', 'confirmed')
        .where('sheets.sheet_id', 'not in', activeTeachers(db).select('sheet_id')),
    )
    .$if(typeof teacher === 'number', (query) =>
      query.where('sheets.sheet_id', 'in', taughtSheets(db, Number(teacher))),
    )
    .$if(taughtBy !== undefined, (query) =>
      query.where('sheets.sheet_id', 'in', taughtSheets(db, taughtBy ?? 0)),
    )
    .$if(term_id !== undefined, (query) => query.where('sheets.term_id', '=', term_id ?? 0))
    .$if(course_id !== undefined, (query) => query.where('sheets.course_id', '=', course_id ?? 0))
    .$if(state !== undefined, (query) => query.where('sheets.state', '=', state ?? 'draft'));
  const sheets = await found
    .innerJoin('terms', 'terms.term_id', 'sheets.term_id')
    .selectAll('sheets')
    .select('terms.name as term_name')
    .select((eb) =>
      eb
        .selectFrom('sheets as later')
        .select((max) => max.fn.max('later.sheet_id').as('latest'))
        .whereRef('later.rectifies', '=', 'sheets.sheet_id')
        .where('later.state', '=', 'confirmed')
        .as('rectified_by'),
    )
    .orderBy('sheets.sheet_id', 'desc')
    .execute();
  const rows = await found
    .innerJoin('sheet_rows as r', 'r.sheet_id', 'sheets.sheet_id')
    .select(['r.sheet_id', 'r.student_id', 'r.status', 'r.total', 'r.is_absent', 'r.filled'])
    .execute();
  const rowsBySheet = groupBy(rows, ({ sheet_id }) => sheet_id);
  const policies = await loadPolicies(db);
  const teachers = await loadTeachers(
    db,
    sheets.map(({ sheet_id }) => sheet_id),
  );
  return sheets.map((sheet) => {
    const own = rowsBySheet.get(sheet.sheet_id) ?? [];
    const stored = parseGrading(sheet);
    const grading = toGrading(getPolicy(policies, sheet), stored, []);
    const { length } = getComponents(parseCategories(sheet));
    const cells = own.length * length;
    const graded = own.filter(({ status }) => status === 'graded');
    const filled = own.reduce((sum, row) => sum + row.filled, 0);
    return {
      ...presentFields(
        { ...sheet, teachers: teachers.get(sheet.sheet_id) ?? [] },
        { ...grading, boundaries: stored?.boundaries ?? null },
        classStatistics(own.map(toGradable)),
      ),
      students: own.length,
      filled_share: cells === 0 ? 0 : roundHalfUp(filled, cells, 2) / 100,
      missing: {
        cells: graded.reduce((sum, row) => sum + length - row.filled, 0),
        of: graded.length * length,
      },
    };
  });
}
