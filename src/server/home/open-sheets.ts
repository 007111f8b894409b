import { HOME_ITEMS, type Home } from '../../contract/home.ts';
import type { Db } from '../db/schema.ts';
import { mayConfirm } from '../marksheets/confirmation/second-person.ts';
import { presentSentBack } from '../marksheets/present-sheet.ts';
import {
  getComponents,
  getPolicy,
  parseCategories,
  parseSyndicates,
  type SheetColumns,
} from '../marksheets/sheet.ts';
import { activeTeachers } from '../marksheets/teachers/teachers.ts';
import { loadPolicies } from '../students/grading/policies.ts';
import { firstOf } from './waiting-list.ts';

const SHEET = [
  'sheets.sheet_id',
  'course_code',
  'title',
  'sheets.term_id',
  'department',
  'degree',
  'semester',
  'syn',
] as const;

/* All statements have the condition of the index `sheets_open`, which holds only sheets whose results are not final yet. */
const openSheets = (db: Db, state: SheetColumns['state']) =>
  db
    .selectFrom('sheets')
    .innerJoin('terms', 'terms.term_id', 'sheets.term_id')
    .select([...SHEET, 'terms.name as term_name'])
    .where('notification', 'is', null)
    .where('state', '=', state);

type FoundSheet = Awaited<ReturnType<ReturnType<typeof openSheets>['execute']>>[number];

const presentSheet = ({ sheet_id, course_code, title, syn, ...sheet }: FoundSheet) => ({
  sheet_id,
  course_code,
  title,
  syn: parseSyndicates({ syn }),
  term_id: sheet.term_id,
  term_name: sheet.term_name,
  department: sheet.department,
  degree: sheet.degree,
  semester: sheet.semester,
});

/** Submitted sheets that this administrator may confirm, the longest waiting first. */
export async function listToConfirm(db: Db, userId: number): Promise<Home['to_confirm']> {
  const submitted = await openSheets(db, 'submitted')
    .select(['policy_id', 'submitted_by', 'submitted_name', 'submitted_at'])
    .orderBy('submitted_at')
    .orderBy('sheet_id')
    .execute();
  const policies = await loadPolicies(db);
  const others = submitted.filter(({ submitted_by }) => submitted_by !== userId);
  const own = submitted.filter(({ submitted_by }) => submitted_by === userId);
  const ownAllowed = await Promise.all(
    own.map((sheet) => mayConfirm(db, { id: userId }, sheet, getPolicy(policies, sheet).rules)),
  );
  const allowed = new Set([...others, ...own.filter((_, i) => ownAllowed[i])]);
  return firstOf(
    submitted
      .filter((sheet) => allowed.has(sheet))
      .flatMap(({ submitted_name, submitted_at, ...sheet }) =>
        submitted_at === null
          ? []
          : {
              ...presentSheet(sheet),
              submitted_by: submitted_name === null ? null : { id: sheet.submitted_by, name: submitted_name },
              submitted_at,
            },
      ),
  );
}

/**
 * Drafts of a person, made by or taught by them: those that they submitted and that were sent back, and the others.
 *
 * @param taughtOnly leaves out sheets that do not name the person as a teacher
 */
export async function listSheetsInWork(
  db: Db,
  { id, taughtOnly }: { id: number; taughtOnly: boolean },
): Promise<{ own_drafts: NonNullable<Home['own_drafts']>; sent_back: NonNullable<Home['sent_back']> }> {
  const drafts = await openSheets(db, 'draft')
    .leftJoin('sheet_teachers as t', (join) =>
      join.onRef('t.sheet_id', '=', 'sheets.sheet_id').on('t.user_id', '=', id),
    )
    .select(['created_by', 'submitted_by', 'taken_back', 't.user_id as teacher'])
    .where((eb) =>
      taughtOnly
        ? eb('t.user_id', '=', id)
        : eb.or([eb('created_by', '=', id), eb('submitted_by', '=', id), eb('t.user_id', '=', id)]),
    )
    .orderBy('sheets.sheet_id')
    .execute();
  const sentBack = drafts.flatMap((sheet) => {
    const back = sheet.submitted_by === id ? presentSentBack(sheet) : null;
    return back === null ? [] : { ...presentSheet(sheet), ...back };
  });
  const waiting = new Set(sentBack.map(({ sheet_id }) => sheet_id));
  const own = drafts.filter(
    ({ sheet_id, created_by, teacher }) => (created_by === id || teacher === id) && !waiting.has(sheet_id),
  );
  return {
    own_drafts: { count: own.length, items: await countMissing(db, own.slice(0, HOME_ITEMS)) },
    sent_back: firstOf(sentBack.toSorted((a, b) => a.at.localeCompare(b.at))),
  };
}

/** Sheets that are not confirmed and that no active teacher fills, the oldest first. */
export async function listWithoutTeacher(db: Db): Promise<NonNullable<Home['without_teacher']>> {
  const found = await Promise.all(
    (['draft', 'submitted'] as const).map((state) =>
      openSheets(db, state)
        .where('sheets.sheet_id', 'not in', activeTeachers(db).select('sheet_id'))
        .execute(),
    ),
  );
  return firstOf(
    found
      .flat()
      .toSorted((a, b) => a.sheet_id - b.sheet_id)
      .map(presentSheet),
  );
}

/** How many cells of these drafts are empty, in rows that are to be graded. */
async function countMissing(db: Db, drafts: readonly FoundSheet[]) {
  const ids = drafts.map(({ sheet_id }) => sheet_id);
  if (ids.length === 0) return [];
  const sheets = await db
    .selectFrom('sheets')
    .select(['sheet_id', 'categories'])
    .where('sheet_id', 'in', ids)
    .execute();
  const rows = await db
    .selectFrom('sheet_rows')
    .select((eb) => ['sheet_id', 'status', eb.fn.countAll().as('rows'), eb.fn.sum('filled').as('filled')])
    .where('sheet_id', 'in', ids)
    .groupBy(['sheet_id', 'status'])
    .execute();
  return drafts.map((sheet) => {
    const { categories = '[]' } = sheets.find(({ sheet_id }) => sheet_id === sheet.sheet_id) ?? {};
    const own = rows.filter(({ sheet_id }) => sheet_id === sheet.sheet_id);
    const graded = own.find(({ status }) => status === 'graded');
    const of = Number(graded?.rows ?? 0) * getComponents(parseCategories({ categories })).length;
    return {
      ...presentSheet(sheet),
      students: own.reduce((sum, one) => sum + Number(one.rows), 0),
      missing: { cells: of - Number(graded?.filled ?? 0), of },
    };
  });
}

/** Classes of which all sheets of a term are confirmed and the results not final yet, the earliest term first. */
export async function listReadyClasses(db: Db): Promise<NonNullable<Home['ready_to_notify']>> {
  const classes = await db
    .selectFrom('sheets')
    .innerJoin('terms', 'terms.term_id', 'sheets.term_id')
    .leftJoin('result_notifications as n', (join) =>
      join
        .onRef('n.term_id', '=', 'sheets.term_id')
        .onRef('n.department', '=', 'sheets.department')
        .onRef('n.degree', '=', 'sheets.degree')
        .onRef('n.semester', '=', 'sheets.semester'),
    )
    .where('sheets.notification', 'is', null)
    .where('n.number', 'is', null)
    .groupBy([
      'sheets.term_id',
      'terms.name',
      'terms.starts_on',
      'sheets.department',
      'sheets.degree',
      'sheets.semester',
    ])
    .having((eb) => eb(eb.fn.max(eb.case().when('state', '=', 'confirmed').then(0).else(1).end()), '=', 0))
    .select((eb) => [
      'sheets.term_id',
      'terms.name as term_name',
      'sheets.department',
      'sheets.degree',
      'sheets.semester',
      eb.fn.countAll().as('sheets'),
    ])
    .orderBy('terms.starts_on')
    .orderBy('sheets.department')
    .orderBy('sheets.degree')
    .orderBy('sheets.semester')
    .execute();
  const shown = classes.slice(0, HOME_ITEMS).map(async ({ sheets, ...ready }) => {
    const { students } = await db
      .selectFrom('sheet_rows')
      .innerJoin('sheets', 'sheets.sheet_id', 'sheet_rows.sheet_id')
      .select((eb) => eb.fn.count('student_id').distinct().as('students'))
      .where('sheets.term_id', '=', ready.term_id)
      .where('department', '=', ready.department)
      .where('degree', '=', ready.degree)
      .where('sheets.semester', '=', ready.semester)
      .executeTakeFirstOrThrow();
    return { ...ready, sheets: Number(sheets), students: Number(students) };
  });
  return { count: classes.length, items: await Promise.all(shown) };
}
