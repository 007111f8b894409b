import { createHash } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import {
  OPENING_LIMITS,
  type OpenedClass,
  type OpenedSheet,
  type OpeningPreview,
  type OpeningPreviewInput,
} from '../../../contract/marksheets/openings.ts';
import { formatCount } from '../../../domain/format-count.ts';
import { toGradeLetter } from '../../../domain/grading/gpa.ts';
import { type AuditedRow, isLacking } from '../../../domain/schemes/audit.ts';
import { countCredits } from '../../../domain/schemes/hours.ts';
import { foldKey, type SchemeRow } from '../../../domain/schemes/scheme.ts';
import { inIdOrder } from '../../../domain/search-text.ts';
import { SEMESTERS } from '../../../domain/student.ts';
import { withLastDays } from '../../../domain/term-dates.ts';
import { pausedChunks } from '../../chunks.ts';
import type { Db, SheetsTable } from '../../db/schema.ts';
import { invalidField, ValidationError } from '../../errors.ts';
import { groupBy } from '../../group-by.ts';
import { findAuditParts } from '../../students/audit/facts.ts';
import { findCatalogueCourses } from '../../students/audit/named-courses.ts';
import { auditParts, loadAuditRules } from '../../students/audit/read-audit.ts';
import { type PublishedScheme, schemeFinder } from '../../students/audit/schemes.ts';
import { findBlocked } from '../../students/holds/blocks.ts';
import { findTermEntries } from '../registration/check-students.ts';
import type { TermColumns } from '../registration/last-days.ts';
import { getStudentId } from '../sheet.ts';
import { requireSetup } from '../write-sheet.ts';

/** Students looked at in one go. */
const STUDENTS_AT_ONCE = 40;

/** A sheet of the preview with what is stored if it is made. */
export interface PlannedSheet {
  shown: OpenedSheet;
  opened: OpenedClass;
  course: { course_id: number; course_code: string; course_name: string } | undefined;
  hasLab: boolean;
  ids: readonly string[];
}

export interface PlannedOpening {
  preview: OpeningPreview;
  planned: readonly PlannedSheet[];
}

type Existing = Pick<
  Selectable<SheetsTable>,
  'sheet_id' | 'course_id' | 'department' | 'degree' | 'semester'
> & { students: number };

/**
 * Which sheets opening a term for classes makes, keeps and skips, and whom it leaves out.
 *
 * @throws ValidationError on what of the input contradicts the schemes, or is more than one opening makes
 */
export async function planOpening(
  db: Db,
  term: TermColumns,
  input: OpeningPreviewInput,
): Promise<PlannedOpening> {
  requireSetup(input.categories, []);
  requireLabSetup(input.lab_categories);
  const schemes = await requireSchemes(db, input.classes);
  await requireChoices(db, input.choices);
  const existing = await findExisting(db, term.term_id);
  const planned: PlannedSheet[] = [];
  for (const [i, opened] of input.classes.entries()) {
    const scheme = schemes[i];
    if (scheme !== undefined)
      planned.push(...(await planClass(db, { term, opened, scheme, existing, choices: input.choices })));
  }
  const made = planned.filter(({ shown }) => isMade(shown));
  const students = made.reduce((sum, { ids }) => sum + ids.length, 0);
  if (made.length > OPENING_LIMITS.sheets)
    throw invalidField('classes', `The classes must have at most ${OPENING_LIMITS.sheets} mark sheets.`);
  if (students > OPENING_LIMITS.rows)
    throw invalidField(
      'classes',
      `The classes must have at most ${formatCount(OPENING_LIMITS.rows)} rows of mark sheets.`,
    );
  const hash = createHash('sha256').update(
    JSON.stringify([term.term_id, term.version, input, planned.map(({ shown, ids }) => [shown, ids])]),
  );
  return {
    planned,
    preview: {
      fingerprint: hash.digest('base64url'),
      dates: withLastDays(term),
      sheets: planned.map(({ shown }) => shown),
      totals: {
        create: made.length,
        keep: planned.filter(({ shown }) => shown.sheet_id !== null).length,
        skip: planned.filter(({ shown }) => shown.problem !== null).length,
        students,
      },
    },
  };
}

export const isMade = ({ sheet_id, problem }: OpenedSheet) => sheet_id === null && problem === null;

function requireLabSetup(categories: OpeningPreviewInput['lab_categories']): void {
  if (categories == null) return;
  try {
    requireSetup(categories, []);
  } catch (fault) {
    if (!(fault instanceof ValidationError)) throw fault;
    const errors = Object.entries(fault.errors).map(([path, texts]) => [`lab_${path}`, texts]);
    throw new ValidationError(Object.fromEntries(errors));
  }
}

/** The scheme in force of each class. */
async function requireSchemes(db: Db, classes: readonly OpenedClass[]): Promise<PublishedScheme[]> {
  const findScheme = schemeFinder(db);
  const seen = new Set<string>();
  const schemes: PublishedScheme[] = [];
  for (const [i, { department, degree, semester }] of classes.entries()) {
    const key = `${department} ${degree} ${semester}`;
    if (seen.has(key)) throw invalidField(`classes.${i}`, 'The class is named twice.');
    seen.add(key);
    const scheme = await findScheme({ department, degree });
    if (scheme === undefined)
      throw invalidField(`classes.${i}`, `There is no scheme for ${department}-${degree}.`);
    schemes.push(scheme);
  }
  return schemes;
}

async function requireChoices(db: Db, choices: OpeningPreviewInput['choices']): Promise<void> {
  const findScheme = schemeFinder(db);
  const chosen = choices.flatMap(({ course_ids }) => course_ids);
  const courses = new Set((await findCatalogueCourses(db, chosen)).map(({ course_id }) => course_id));
  const seen = new Set<string>();
  for (const [i, { row: key, course_ids, ...ofClass }] of choices.entries()) {
    const scheme = await findScheme(ofClass);
    const row = scheme?.rows.find((one) => foldKey(one.key) === foldKey(key));
    if (row === undefined) throw invalidField(`choices.${i}.row`, `The scheme has no row ${key}.`);
    const place = `${ofClass.department} ${ofClass.degree} ${foldKey(key)}`;
    if (seen.has(place)) throw invalidField(`choices.${i}.row`, `The row ${key} is named twice.`);
    seen.add(place);
    if (course_ids.some((id) => !row.options.includes(id)))
      throw invalidField(`choices.${i}.course_ids`, `The course ids must be options of the row ${key}.`);
    if (course_ids.some((id) => !courses.has(id)))
      throw invalidField(`choices.${i}.course_ids`, 'The course ids must be those of existing courses.');
  }
}

const findExisting = async (db: Db, termId: number): Promise<Existing[]> => {
  const { rows } = await sql<Existing>`
    select h.sheet_id, h.course_id, h.department, h.degree, h.semester,
      (select count(*) from sheet_rows r where r.sheet_id = h.sheet_id) as students
    from sheets h where h.term_id = ${termId} and h.rectifies is null order by h.sheet_id`.execute(db);
  return rows.map((row) => ({ ...row, students: Number(row.students) }));
};

interface ClassPlan {
  term: TermColumns;
  opened: OpenedClass;
  scheme: PublishedScheme;
  existing: readonly Existing[];
  choices: OpeningPreviewInput['choices'];
}

async function planClass(
  db: Db,
  { term, opened, scheme, existing, choices }: ClassPlan,
): Promise<PlannedSheet[]> {
  const { department, degree, semester } = opened;
  const rows = scheme.rows.filter((row) => row.semester === semester);
  const active = await findActive(db, opened);
  const ids = active.flatMap(({ id, current_sem }) => (current_sem === semester ? id : []));
  const reasons = await findReasons(db, { term, opened, scheme, rows, ids });
  const offered = rows.flatMap((row) => row.options);
  const courses = new Map(
    (await findCatalogueCourses(db, offered)).map((course) => [course.course_id, course]),
  );
  const taken = new Set<number>();
  return rows.flatMap((row): PlannedSheet[] => {
    const named = choices.find(
      (one) =>
        one.department === department && one.degree === degree && foldKey(one.row) === foldKey(row.key),
    );
    const chosen = row.options.length === 1 ? row.options : (named?.course_ids ?? []);
    const fields = {
      ...{ department, degree, semester, row: row.key, credits: countCredits(row) },
      other_semester: active.length - ids.length,
    };
    const sheets: (number | null)[] = chosen.length === 0 ? [null] : [...chosen];
    return sheets.map((courseId) => {
      const course = courseId === null ? undefined : courses.get(courseId);
      const kept = existing.find(
        (one) =>
          one.course_id === courseId &&
          one.department === department &&
          one.degree === degree &&
          one.semester === semester,
      );
      const problem =
        kept === undefined
          ? findProblem(row, courseId, { isThere: course !== undefined, isTaken: taken.has(courseId ?? 0) })
          : null;
      if (courseId !== null) taken.add(courseId);
      const isListed = chosen.length === 1 && kept === undefined && problem === null;
      const leftOut = isListed
        ? ids.flatMap((student_id) => {
            const reason = reasons.get(student_id)?.(row, courseId ?? 0);
            return reason === undefined ? [] : { student_id, reason };
          })
        : [];
      const out = new Set(leftOut.map(getStudentId));
      const listed = isListed ? ids.filter((id) => !out.has(id)) : [];
      const title = row.options.length === 1 ? row.title : (course?.course_name ?? row.title);
      return {
        ...{ opened, course, hasLab: row.lab > 0, ids: listed },
        shown: {
          ...fields,
          ...{ course_id: courseId, title, left_out: leftOut, problem },
          sheet_id: kept?.sheet_id ?? null,
          students: kept?.students ?? listed.length,
        },
      };
    });
  });
}

function findProblem(
  row: SchemeRow,
  courseId: number | null,
  { isThere, isTaken }: { isThere: boolean; isTaken: boolean },
): string | null {
  if (courseId === null) return 'No course is chosen.';
  if (countCredits(row) === 0) return 'The row has no credit hours.';
  if (!isThere) return 'The course is deleted.';
  return isTaken ? 'Another row of the class has the course.' : null;
}

const findActive = async (db: Db, { department, degree, syn }: OpenedClass) =>
  inIdOrder(
    await db
      .selectFrom('students')
      .select(['id', 'current_sem'])
      // All of them, so that the index of classes is used.
      .where('current_sem', 'in', SEMESTERS)
      .where('department', '=', department)
      .where('degree', '=', degree)
      .where('status', '=', 'active')
      .$if(syn.length > 0, (query) => query.where('syn', 'in', syn))
      .execute(),
    ({ id }) => id,
  );

/** Why a student is left out of the sheet of a row and course; undefined for who takes it. */
type FindReason = (row: SchemeRow, courseId: number) => string | undefined;

async function findReasons(
  db: Db,
  {
    term,
    opened,
    scheme,
    rows,
    ids,
  }: Pick<ClassPlan, 'term' | 'opened' | 'scheme'> & { rows: readonly SchemeRow[]; ids: readonly string[] },
): Promise<ReadonlyMap<string, FindReason>> {
  const getRules = await loadAuditRules(db);
  const rules = getRules(opened);
  const { groups } = rules;
  const reasons = new Map<string, FindReason>();
  const keys = new Set(rows.map(({ key }) => key));
  for await (const some of pausedChunks(ids, STUDENTS_AT_ONCE)) {
    const entries = groupBy(await findTermEntries(db, term.term_id, some), getStudentId);
    const holds = await findBlocked(db, some, 'registration');
    for (const parts of await findAuditParts(db, some)) {
      const { audit } = auditParts(parts, scheme, rules);
      const audited = new Map(
        audit.rows.flatMap((one) => (keys.has(one.row.key) ? [[one.row.key, one]] : [])),
      );
      const own = entries.get(parts.id) ?? [];
      reasons.set(parts.id, (row, courseId) => {
        const settled = settledText(audited.get(row.key));
        if (settled !== undefined) return settled;
        const other = own.find(({ course_id }) => groups.of(course_id) === groups.of(courseId));
        if (other !== undefined) return `On mark sheet ${other.sheet_id} of this course already.`;
        return holds.get(parts.id)?.text;
      });
    }
  }
  return reasons;
}

function settledText(audited: AuditedRow | undefined): string | undefined {
  if (audited === undefined || isLacking(audited.state)) return undefined;
  const { state, filledBy } = audited;
  if (state === 'waived') return 'The row is waived.';
  if (filledBy?.kind === 'outside') return 'Credits from elsewhere fill the row.';
  if (filledBy?.kind !== 'attempt') return 'The row is passed.';
  const { points, semester, title } = filledBy.attempt;
  if (state === 'substituted') return `Substituted by ${title}.`;
  return `Passed with ${toGradeLetter(points === null ? null : points * 2)} in semester ${semester}.`;
}
